/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a stack takes a mesh, found from what drives its programs: no point is run. The boxes are made once for a stack, when
 * they are first asked for: most stacks are never shown. From an evaluation's second question on they are posed without
 * allocation. What a black box does is not known: the boxes are of what lies below it and of the programs above.
 */
#ifndef SINEW_HOST_STACK_BOUNDS_H
#define SINEW_HOST_STACK_BOUNDS_H

#include "base/numbers.h"
#include "program/bounds/slot_boxes.h"
#include "stack/stack.h"

typedef struct snw_stack_bounds {
	const snw_box *boxes; /* [count], of clusters of points; in the evaluation, until it is asked again */
	uint32_t count;
	/* Every point is in one of them. False if a black box, or dual quaternions that cancel each other, may move points out. */
	bool are_whole;
} snw_stack_bounds;

/* Makes the boxes now, from any thread: before a stack is shown, where the first redraw should not wait for them. */
void snw_stack_make_bounds(const snw_stack *stack);
/* At the pose that the evaluation is driven at. */
snw_stack_bounds snw_stack_bounds_posed(const snw_evaluation *evaluation, uint32_t mesh);
/* Of a mesh at rest, in `arena`. */
snw_stack_bounds snw_stack_bounds_rest(const snw_mesh *mesh, snw_arena *arena);
/* A box round all of them. */
snw_box snw_stack_bounds_join(const snw_stack_bounds *bounds);

/* Where a stack takes its meshes over time: a box for each clip, one for all poses, and samples of the coefficients. */

typedef struct snw_motion_bounds {
	/* [mesh_count][clip_count], from the keys and three moments between any two; empty for a clip without, and for one that was
	 * not asked for. */
	snw_box **clips;
	bool *are_whole; /* [mesh_count]: no black box; else the boxes are of its points at these moments */
	/* [mesh_count]: the clips, and the character as it may be posed (snw_pose_set_shuffle), but for poses that a layer cannot
	 * be driven to, widened by as much as one half of these poses reaches beyond the other; empty with a black box. */
	snw_box *poses;
	/* What the stack drove its coefficients to. */
	uint32_t sample_count, d_count, e_count;
	double *d, *e;        /* [sample_count][d_count], [sample_count][e_count] */
	snw_interval *ranges; /* [d_count]: of channels; empty for a coefficient that a method drives */
} snw_motion_bounds;

/* With the boxes of one clip, or of all: SNW_NONE. */
snw_status snw_motion_bounds_make(const snw_scene *scene, const snw_stack *stack, uint32_t clip, const snw_task *task,
								  snw_arena *arena, snw_motion_bounds *bounds, snw_error *error);

#endif
