/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a model knows of its character.
 */
#include <stdio.h>
#include <string.h>

#include "helper-joints/helper-joints.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"

snw_status open_model(const snw_character_view *character, snw_model *model) {
	const snw_skeleton_view *skeleton = character->skeleton;
	model->joint_count = skeleton->joint_count;
	model->slot_count = character->slot_count;
	double *inverses = SNW_POOL_ARRAY(&model->pool, double, 12 * (size_t)skeleton->joint_count);
	double *axes = SNW_POOL_ARRAY(&model->pool, double, 9 * (size_t)skeleton->joint_count);
	model->joint_names = (const char **)snw_pool_acquire(&model->pool, skeleton->joint_count, sizeof(char *));
	if (model->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		const size_t bytes = strlen(skeleton->names[j]) + 1;
		char *name = SNW_POOL_ARRAY(&model->pool, char, bytes);
		if (!name) {
			return SNW_ERROR_MEMORY;
		}
		memcpy(name, skeleton->names[j], bytes);
		model->joint_names[j] = name;
		const double *rest = skeleton->rest_global + 12 * (size_t)j;
		snw_mat34_identity(inverses + 12 * (size_t)j); /* of a joint without a volume at rest, which moves nothing */
		snw_mat34_invert(rest, inverses + 12 * (size_t)j);
		snw_mat34_rotation(rest, axes + 9 * (size_t)j);
	}
	model->rest_inverses = inverses;
	model->axes = axes;
	return SNW_OK;
}

snw_status list_helpers(const snw_character_view *character, snw_model *model) {
	enum { MOST_NAME = 200 };
	snw_helper_joint *joints = SNW_POOL_ARRAY(&model->pool, snw_helper_joint, model->helper_count);
	const snw_helper_joint **listed = SNW_POOL_ARRAY(&model->pool, const snw_helper_joint *, model->helper_count);
	char *names = SNW_POOL_ARRAY(&model->pool, char, (size_t)MOST_NAME * model->helper_count);
	if (model->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t h = 0; h < model->helper_count; h++) {
		const helper *one = &model->helpers[h];
		char *name = names + (size_t)MOST_NAME * h;
		snprintf(name, MOST_NAME, "%.160s helper %02u", character->skeleton->names[one->parent], h + 1);
		joints[h] = (snw_helper_joint){.size = sizeof joints[h], .name = name, .parent = one->parent};
		memcpy(joints[h].place, one->place, sizeof one->place);
		listed[h] = &joints[h];
	}
	model->listed = listed;
	return SNW_OK;
}

static uint32_t slot_of_joint(const snw_character_view *character, uint32_t joint) {
	uint32_t slot = 0;
	while (slot < character->slot_count && character->slot_joints[slot] != joint) {
		slot++;
	}
	return slot;
}

snw_status widen_character(const snw_character_view *character, uint32_t count, const helper *helpers, snw_pool *pool,
						   snw_character_view *wider) {
	const uint32_t slots = character->slot_count;
	uint32_t *joints = SNW_POOL_ARRAY(pool, uint32_t, (size_t)slots + count);
	double *binds = SNW_POOL_ARRAY(pool, double, 12 * ((size_t)slots + count));
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	if (slots > 0) {
		memcpy(joints, character->slot_joints, slots * sizeof *joints);
		memcpy(binds, character->slot_inverse_binds, 12 * (size_t)slots * sizeof *binds);
	}
	for (uint32_t h = 0; h < count && helpers; h++) {
		const uint32_t slot = slot_of_joint(character, helpers[h].parent);
		joints[slots + h] = helpers[h].parent;
		if (slot < slots) {
			memcpy(binds + 12 * (size_t)(slots + h), binds + 12 * (size_t)slot, 12 * sizeof *binds);
		}
	}
	*wider = (snw_character_view){.size = sizeof *wider,
								  .mesh_count = character->mesh_count,
								  .meshes = character->meshes,
								  .skeleton = character->skeleton,
								  .slot_count = slots + count,
								  .slot_joints = joints,
								  .slot_inverse_binds = binds,
								  .channel_count = character->channel_count,
								  .channel_names = character->channel_names};
	return SNW_OK;
}
