/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Left and right: which joint stands for which on the other side of a plane, found at rest, and poses mirrored by that. R is the
 * reflection in the plane; a rotation Q becomes R Q R, its rotation vector −R q.
 */
#ifndef SINEW_HOST_POSE_MIRROR_JOINTS_H
#define SINEW_HOST_POSE_MIRROR_JOINTS_H

#include "mesh/mirror.h"

typedef struct snw_mirror_joints {
	snw_mirror_plane plane;
	uint32_t joint_count, channel_count;
	const uint32_t *partners; /* [joint_count]: itself in the middle, SNW_NONE for none */
	const uint32_t *channels; /* [channel_count]: itself where its name has no side, or the other side is not there */
	uint32_t pair_count, middle_count, unpaired_count;
	uint32_t named_count;    /* joints that were paired by their names; the others by rest position */
	double largest_mismatch; /* metres between a joint's reflection and its partner, at rest */
	uint32_t worst_joint;    /* SNW_NONE where nothing is paired */
} snw_mirror_joints;

/* By name (left and right, Left and Right, l and r or L and R where they stand apart: "arm.L", "l_arm", "mixamorig:LeftArm",
 * "lShoulder"), else by rest position within `tolerance` (metres; 0: a hundredth of the skeleton's diagonal). */
void snw_mirror_joints_find(const snw_scene *scene, const snw_mirror_plane *plane, double tolerance, snw_arena *arena,
							snw_mirror_joints *joints);

/* The pose of the other side, in `arena`, with no name, id or clip: each joint is rotated as its partner is, by as many turns; joints
 * without a partner stand at rest. Where both sides are alike at rest, the character is the reflection of what it was. */
snw_pose *snw_mirror_pose(const snw_scene *scene, const snw_mirror_joints *joints, const snw_pose *pose, snw_arena *arena);

/* A name with its sides exchanged, in `arena`; NULL where it has none. */
char *snw_mirror_name(const char *name, snw_arena *arena);

#endif
