/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pairs the joints of both sides of a plane, at rest, and mirrors poses. With the reflection R, a rotation Q becomes R Q R, and
 * its rotation vector q becomes −R q.
 */
#ifndef SINEW_HOST_POSE_MIRROR_JOINTS_H
#define SINEW_HOST_POSE_MIRROR_JOINTS_H

#include "mesh/mirror.h"

typedef struct snw_mirror_joints {
	snw_mirror_plane plane;
	uint32_t joint_count, channel_count;
	const uint32_t *partners; /* [joint_count]: the joint itself in the middle, SNW_NONE for none */
	const uint32_t *channels; /* [channel_count]: the channel itself if its name has no side or the other side does not exist */
	uint32_t pair_count, middle_count, unpaired_count;
	uint32_t named_count;    /* joints paired by name; the others were paired by rest position */
	double largest_mismatch; /* metres between a joint's reflection and its partner, at rest */
	uint32_t worst_joint;    /* SNW_NONE if no joints are paired */
} snw_mirror_joints;

/* Pairs joints by name (left and right, Left and Right, l and r, or L and R as separate words: "arm.L", "l_arm",
 * "mixamorig:LeftArm", "lShoulder"), otherwise by rest position within `tolerance` (metres; 0: a hundredth of the skeleton's
 * diagonal). */
void snw_mirror_joints_find(const snw_scene *scene, const snw_mirror_plane *plane, double tolerance, snw_arena *arena,
							snw_mirror_joints *joints);

/* The mirrored pose, in `arena`, without name, id or clip. Each joint has the mirrored rotation vector of its partner; joints
 * without a partner are at rest. If both sides are symmetric at rest, the result is the reflected character. */
snw_pose *snw_mirror_pose(const snw_scene *scene, const snw_mirror_joints *joints, const snw_pose *pose, snw_arena *arena);

/* A name with every side in it exchanged, in `arena`; NULL if it has none. */
char *snw_mirror_name(const char *name, snw_arena *arena);

#endif
