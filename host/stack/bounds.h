/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a stack takes a mesh, found from what drives its programs: no point is run. The boxes are made with the stack and posed
 * without allocation. What a black box does is not known: the boxes are of what lies below it and of the programs above.
 */
#ifndef SINEW_HOST_STACK_BOUNDS_H
#define SINEW_HOST_STACK_BOUNDS_H

#include "base/box.h"
#include "program/bounds/slot_boxes.h"
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

/* Where a stack takes its meshes over time: a box for each clip, one for all poses, and samples of the coefficients. */

typedef struct snw_clip_bounds {
	/* [mesh_count][clip_count], from the keys and three moments between any two; empty for a clip without, and for one that was
	 * not asked for. */
	snw_box **clips;
	bool *are_whole; /* [mesh_count]: no black box; else the boxes are of its points at these moments */
	/* What the stack drove its coefficients to: in clips, in the named poses, and in poses in which every joint rotates at
	 * random, but for those of the last kind that a layer cannot be driven to. */
	uint32_t sample_count, d_count, e_count;
	double *d, *e;        /* [sample_count][d_count], [sample_count][e_count] */
	snw_interval *ranges; /* [d_count]: of channels; empty for a coefficient that a method drives */
} snw_clip_bounds;

/* Of one clip, or of all: SNW_NONE. */
snw_status snw_clip_bounds_make(const snw_scene *scene, const snw_stack *stack, uint32_t clip, const snw_task *task,
								snw_arena *arena, snw_clip_bounds *bounds, snw_error *error);

/* A box that contains what these boxes pull in every pose in which the joints rotate as they like, with the lengths and scales
 * of the rest and the roots in place. Empty without boxes. Slots index `slot_joints` and `inverse_binds` [12]. */
snw_box snw_reach_of_joints(const snw_skeleton *skeleton, const uint32_t *slot_joints, const double *inverse_binds,
							const snw_slot_boxes *boxes);

#endif
