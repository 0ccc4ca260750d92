/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a stack takes its meshes over time: a box for each clip, one for all poses, and samples of the coefficients.
 */
#ifndef SINEW_HOST_STACK_CLIP_BOUNDS_H
#define SINEW_HOST_STACK_CLIP_BOUNDS_H

#include "program/bounds/slot_boxes.h"
#include "stack/stack.h"

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
