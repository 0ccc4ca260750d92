/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tracks of the joints that a file adds to the character's: helper joints and proxy joints. An engine moves a node along a line
 * between two keys, and what the stack does there is no line. So keys are added where the middle is off, and those are left out
 * that the lines between others pass by. "Off" is the root mean square distance over the points that a joint moves.
 */
#ifndef SINEW_HOST_EXPORT_PLAN_JOINT_TRACKS_H
#define SINEW_HOST_EXPORT_PLAN_JOINT_TRACKS_H

#include "export/plan/joints/affine_nodes.h"
#include "export/plan/plan.h"

typedef struct snw_added_joints {
	uint32_t count;
	bool are_affine;       /* two nodes each; otherwise what one node can hold of a matrix */
	const double *moments; /* [count][16]: snw_added_joint_moments */
	double tolerance;      /* metres */
	double between_frames; /* the same between the frames of a clip without tracks, which has its truth at them alone */
	/* The matrices of all at the last driven pose, [count][12]: from joint space to that of the node above. */
	void (*read)(const void *context, const snw_pose_view *view, double *matrices);
	const void *context;
} snw_added_joints;

/* The times at which joints are sampled over one of the plan's clips, each a float: the clip's moments and more, so that lines
 * between them are near everywhere. In the plan's arena. */
snw_status snw_plan_choose_keys(const snw_plan *plan, uint32_t clip, const snw_added_joints *joints, double **seconds,
								uint32_t *count, snw_error *error);

/* The tracks of one joint from its matrices at those times, [count][joints->count][12]. A track of scales that are all 1 has no
 * keys, but for affine joints. Targets are `node`, and the next for the inner rotation. In `arena`. */
void snw_added_joint_tracks(const snw_added_joints *joints, uint32_t joint, uint32_t node, uint32_t count,
							const double *seconds, const double *matrices, snw_arena *arena, snw_track *tracks);

/* Σ w (r, 1)(r, 1)ᵀ / Σ w over the points that slots `first` to first + count of the file move, in the spaces of their joints;
 * 0 without points. [count][16], in the plan's arena. */
double *snw_added_joint_moments(const snw_plan *plan, uint32_t first, uint32_t count);

#endif
