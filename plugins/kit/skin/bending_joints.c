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

snw_status snk_bending_joints(const snw_character_view *character, uint32_t mesh, snw_pool *pool, const unsigned char **bends) {
	const uint32_t joints = character->skeleton->joint_count;
	unsigned char *moves = SNW_POOL_ARRAY(pool, unsigned char, joints), *found = SNW_POOL_ARRAY(pool, unsigned char, joints);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t m = 0; m < character->mesh_count; m++) {
		const snw_mesh_view *view = character->meshes[m];
		const uint32_t count = view->influence_offsets ? view->influence_offsets[view->point_count] : 0;
		for (uint32_t k = 0; (mesh == SNW_NONE || mesh == m) && k < count; k++) {
			moves[character->slot_joints[view->influence_slots[k]]] |= view->influence_weights[k] > 0;
		}
	}
	for (uint32_t j = 0; j < joints; j++) {
		found[j] = (unsigned char)snk_joint_bends(character->skeleton, moves, j);
	}
	*bends = found;
	return SNW_OK;
}
