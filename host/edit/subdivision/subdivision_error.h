/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program of a blend that is subdivided, and how far other skins are from its subdivided result. Private to host/edit.
 */
#ifndef SINEW_HOST_EDIT_SUBDIVISION_SUBDIVISION_ERROR_H
#define SINEW_HOST_EDIT_SUBDIVISION_SUBDIVISION_ERROR_H

#include "edit/subdivision/subdivide.h"
#include "stack/stack.h"
#include "subdivision/refined_scene.h"

/* The program by which the stack blends a mesh; NULL if it does not. */
const snw_program *subdivision_program(const snw_stack *stack, uint32_t mesh);

/* Linear blend with the subdivided weights over the subdivided rest. `stack` goes up to the base blend. */
snw_status subdivision_measure_naive(const snw_scene *scene, const snw_stack *stack, const snw_refinement *refinements,
									 const snw_task *task, snw_subdivision_error *measured, snw_error *error);

#endif
