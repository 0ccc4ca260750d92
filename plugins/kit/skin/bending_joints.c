/* SPDX-License-Identifier: MIT */
#include "sinew/kit/skin/bending_joints.h"

static int is_at_or_below(const snw_skeleton_view *skeleton, uint32_t joint, uint32_t above) {
	while (joint != SNW_NONE && joint != above) {
		joint = skeleton->parents[joint];
	}
	return joint == above;
}

int snk_joint_bends(const snw_skeleton_view *skeleton, const unsigned char *moves, uint32_t joint) {
	int bends = 0;
	for (uint32_t other = 0; other < skeleton->joint_count && !bends; other++) {
		bends = moves[other] && !is_at_or_below(skeleton, other, joint);
	}
	return bends;
}
