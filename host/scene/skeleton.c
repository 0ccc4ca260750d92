/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/skeleton.h"

#include "sinew/algebra.h"

enum { UNSEEN = 0, WALKING = 1, PLACED = 2 };

/* Appends a joint to the order, after its ancestors that are not in it yet. False on a cycle. */
static bool place_joint(const uint32_t *parents, uint32_t joint, unsigned char *state, uint32_t *path, uint32_t *order,
						uint32_t *placed) {
	uint32_t length = 0;
	for (uint32_t j = joint; j != SNW_NONE && state[j] != PLACED; j = parents[j]) {
		if (state[j] == WALKING) {
			return false;
		}
		state[j] = WALKING;
		path[length++] = j;
	}
	while (length > 0) {
		const uint32_t j = path[--length];
		state[j] = PLACED;
		order[(*placed)++] = j;
	}
	return true;
}

snw_status snw_skeleton_finish(snw_skeleton *skeleton, snw_arena *arena, snw_error *error) {
	const uint32_t count = skeleton->joint_count;
	for (uint32_t j = 0; j < count; j++) {
		const uint32_t parent = skeleton->parents[j];
		if (parent != SNW_NONE && parent >= count) {
			return snw_fail(error, SNW_ERROR_DATA, "joint '%s': its parent is number %u of %u joints; repair the file",
							skeleton->names[j], parent, count);
		}
	}
	uint32_t *order = SNW_NEW_ARRAY(arena, uint32_t, count);
	uint32_t *path = SNW_NEW_ARRAY(arena, uint32_t, count);
	unsigned char *state = SNW_NEW_ARRAY(arena, unsigned char, count);
	uint32_t placed = 0;
	for (uint32_t j = 0; j < count; j++) {
		if (!place_joint(skeleton->parents, j, state, path, order, &placed)) {
			return snw_fail(error, SNW_ERROR_DATA, "joint '%s': it is its own ancestor; repair the file", skeleton->names[j]);
		}
	}
	double *global = snw_arena_array(arena, count, 12 * sizeof *global);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t j = order[i], parent = skeleton->parents[j];
		snw_transform_to_mat34(&skeleton->rest_local[j], global + 12 * (size_t)j);
		if (parent != SNW_NONE) {
			snw_mat34_multiply(global + 12 * (size_t)parent, global + 12 * (size_t)j, global + 12 * (size_t)j);
		}
	}
	skeleton->order = order;
	skeleton->rest_global = global;
	return SNW_OK;
}

bool snw_skeleton_is_below(const snw_skeleton *skeleton, uint32_t joint, uint32_t ancestor) {
	for (uint32_t j = joint; j != SNW_NONE; j = skeleton->parents[j]) {
		if (j == ancestor) {
			return true;
		}
	}
	return false;
}
