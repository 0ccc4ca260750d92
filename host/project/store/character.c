/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "project/store/character.h"

#include "project/store/store.h"

snw_character_ids snw_character_ids_make(const snw_scene *scene, snw_arena *arena) {
	return (snw_character_ids){
		.images = SNW_NEW_ARRAY(arena, int64_t, scene->image_count),
		.materials = SNW_NEW_ARRAY(arena, int64_t, scene->material_count),
		.joints = SNW_NEW_ARRAY(arena, int64_t, scene->skeleton.joint_count),
		.channels = SNW_NEW_ARRAY(arena, int64_t, scene->channel_count),
		.meshes = SNW_NEW_ARRAY(arena, int64_t, scene->mesh_count),
		.clips = SNW_NEW_ARRAY(arena, int64_t, scene->clip_count),
		.poses = SNW_NEW_ARRAY(arena, int64_t, scene->pose_count),
	};
}

/* The arguments of all parts. */
typedef struct character_store {
	snw_project *project;
	const snw_scene *scene;
	const snw_character_ids *ids;
	snw_error *error;
} character_store;

static snw_status store_looks(const character_store *s) {
	const snw_scene *scene = s->scene;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < scene->image_count; i++) {
		status = snw_store_image(s->project, &scene->images[i], &s->ids->images[i], s->error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < scene->material_count; i++) {
		status = snw_store_material(s->project, &scene->materials[i], s->ids->images, &s->ids->materials[i], s->error);
	}
	return status;
}

static snw_status store_skeleton(const character_store *s) {
	const snw_scene *scene = s->scene;
	const snw_skeleton *skeleton = &scene->skeleton;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < skeleton->joint_count; i++) {
		const uint32_t j = skeleton->order[i], parent = skeleton->parents[j]; /* parents first */
		status = snw_store_joint(s->project, skeleton, j, parent == SNW_NONE ? 0 : s->ids->joints[parent], &s->ids->joints[j],
								 s->error);
	}
	if (!snw_failed(status)) {
		status = snw_store_slots(s->project, scene->slot_count, scene->slot_joints, scene->slot_inverse_binds, s->ids->joints,
								 s->error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < scene->channel_count; i++) {
		status = snw_store_channel(s->project, &scene->channels[i], &s->ids->channels[i], s->error);
	}
	return status;
}

static snw_status store_meshes(const character_store *s) {
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < s->scene->mesh_count; i++) {
		status =
			snw_store_mesh(s->project, &s->scene->meshes[i], s->ids->materials, s->ids->channels, &s->ids->meshes[i], s->error);
	}
	return status;
}

/* The row of a pose's clip, which the scene refers to by id. */
static int64_t clip_of_pose(const character_store *s, const snw_pose *pose) {
	for (uint32_t c = 0; pose->clip != 0 && c < s->scene->clip_count; c++) {
		if (s->scene->clips[c].id == pose->clip) {
			return s->ids->clips[c];
		}
	}
	return 0;
}

static snw_status store_motion(const character_store *s) {
	const snw_scene *scene = s->scene;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < scene->clip_count; i++) {
		status = snw_store_clip(s->project, &scene->clips[i], s->ids->joints, s->ids->channels, &s->ids->clips[i], s->error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < scene->pose_count; i++) {
		status = snw_store_pose(s->project, &scene->poses[i], scene->skeleton.joint_count, scene->channel_count,
								clip_of_pose(s, &scene->poses[i]), &s->ids->poses[i], s->error);
	}
	return status;
}

snw_status snw_store_character(snw_project *project, const snw_scene *scene, const snw_character_ids *ids, snw_error *error) {
	const character_store s = {project, scene, ids, error};
	snw_status status = store_looks(&s);
	status = snw_failed(status) ? status : store_skeleton(&s);
	status = snw_failed(status) ? status : store_meshes(&s);
	return snw_failed(status) ? status : store_motion(&s);
}
