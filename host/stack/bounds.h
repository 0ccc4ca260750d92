/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a stack takes a mesh: boxes that contain its points at a driven pose. Where all layers lowered to one program they come
 * from its input alone; else (black boxes, dual quaternions) the points are run, and each box is of a few of them.
 */
#ifndef SINEW_HOST_STACK_BOUNDS_H
#define SINEW_HOST_STACK_BOUNDS_H

#include "base/box.h"
#include "stack/stack.h"

typedef struct snw_stack_bounds snw_stack_bounds;

/* In `arena`; scene and stack must outlive it. NULL stack: the scene's rest. */
snw_stack_bounds *snw_stack_bounds_make(const snw_scene *scene, const snw_stack *stack, snw_arena *arena);
/* Boxes of a mesh, in `scratch`, at the pose that `evaluation` is driven at; of its rest where `evaluation` is NULL or the points cannot be
 * run. Returns how many. */
uint32_t snw_stack_bounds_posed(const snw_stack_bounds *bounds, snw_evaluation *evaluation, uint32_t mesh, snw_arena *scratch,
								snw_box **boxes);

#endif
