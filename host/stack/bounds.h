/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a stack takes a mesh, found from what drives its programs: no point is run. The boxes are made with the stack and posed
 * without allocation. What a black box does is not known: the boxes are of what lies below it and of the programs above.
 */
#ifndef SINEW_HOST_STACK_BOUNDS_H
#define SINEW_HOST_STACK_BOUNDS_H

#include "base/box.h"
#include "stack/stack.h"

typedef struct snw_stack_bounds {
	const snw_box *boxes; /* [count], of clusters of points; in the evaluation, until it is asked again */
	uint32_t count;
	/* Every point is in one of them. False if a black box, or dual quaternions that cancel each other, may move points out. */
	bool are_whole;
} snw_stack_bounds;

/* At the pose that the evaluation is driven at. */
snw_stack_bounds snw_stack_bounds_posed(const snw_evaluation *evaluation, uint32_t mesh);
/* Of a mesh at rest, in `arena`. */
snw_stack_bounds snw_stack_bounds_rest(const snw_mesh *mesh, snw_arena *arena);
/* A box round all of them. */
snw_box snw_stack_bounds_join(const snw_stack_bounds *bounds);

#endif
