/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/skeleton.h"

#include "scene/copy.h"
#include "sinew/algebra.h"

/* ---- slots --------------------------------------------------------------------------------------------------------------- */

/* The inverse bind that a joint lacks; false if it has a slot, or can have none. */
static bool lacks_slot(const snw_scene *scene, uint32_t joint, double inverse_bind[12]) {
	for (uint32_t s = 0; s < scene->slot_count; s++) {
		if (scene->slot_joints[s] == joint) {
			return false;
		}
	}
	return snw_mat34_invert(scene->skeleton.rest_global + 12 * (size_t)joint, inverse_bind);
}

uint32_t snw_scene_missing_slots(const snw_scene *scene) {
	double inverse_bind[12];
	uint32_t count = 0;
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		count += lacks_slot(scene, j, inverse_bind);
	}
	return count;
}

void snw_scene_complete_slots(snw_scene *scene) {
	const uint32_t missing = snw_scene_missing_slots(scene);
	if (missing == 0) {
		return;
	}
	const size_t most = (size_t)scene->slot_count + missing;
	uint32_t *joints = SNW_NEW_ARRAY(scene->arena, uint32_t, most), count = scene->slot_count;
	double *inverse_binds = SNW_NEW_ARRAY(scene->arena, double, 12 * most);
	if (count > 0) {
		memcpy(joints, scene->slot_joints, count * sizeof *joints);
		memcpy(inverse_binds, scene->slot_inverse_binds, (size_t)12 * count * sizeof *inverse_binds);
	}
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		if (lacks_slot(scene, j, inverse_binds + 12 * (size_t)count)) {
			joints[count++] = j;
		}
	}
	scene->slot_count = count;
	scene->slot_joints = joints;
	scene->slot_inverse_binds = inverse_binds;
}

/* ---- a character whose skeleton goes ------------------------------------------------------------------------------------- */

/* What was made for this skeleton by hand. */
static snw_status expect_no_sculpts(const snw_scene *scene, snw_error *error) {
	for (uint32_t g = 0; g < scene->group_count; g++) {
		if (scene->groups[g].joint_count > 0) {
			return snw_fail(error, SNW_ERROR_CONFLICT, "group '%s' names joints of the skeleton; remove the group first",
							scene->groups[g].name);
		}
	}
	return scene->example_count == 0 ? SNW_OK
									 : snw_fail(error, SNW_ERROR_CONFLICT,
												"example '%s' is a sculpt in a pose of the skeleton; remove the examples first",
												scene->examples[0].name);
}

/* What was learned from its poses, and what can be. */
static snw_status expect_no_lessons(const snw_scene *scene, snw_error *error) {
	for (uint32_t t = 0; t < scene->target_count; t++) {
		if (scene->targets[t].clip != SNW_NONE) {
			return snw_fail(error, SNW_ERROR_CONFLICT,
							"target '%s' shows what the skeleton does in clip '%s'; remove the target first",
							scene->targets[t].name, scene->clips[scene->targets[t].clip].name);
		}
	}
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		if (scene->layers[i].model != SNW_NONE && !scene->layers[i].muted) {
			return snw_fail(error, SNW_ERROR_CONFLICT,
							"layer '%s' was fitted with the skeleton and cannot run without it; mute or remove the layer first",
							scene->layers[i].name);
		}
	}
	return SNW_OK;
}

static bool has_sequence(const snw_scene *scene, uint32_t mesh) {
	for (uint32_t t = 0; t < scene->target_count; t++) {
		if (scene->targets[t].clip == SNW_NONE && scene->targets[t].mesh == mesh) {
			return true;
		}
	}
	return false;
}

/* A skin that nothing replaces would be one to joints that are gone. */
static snw_status expect_no_other_skins(const snw_scene *scene, snw_error *error) {
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (scene->meshes[m].influence_offsets && !has_sequence(scene, m)) {
			return snw_fail(error, SNW_ERROR_CONFLICT,
							"the skeleton moves mesh '%s', and another would leave it behind: it has no sequence to learn from",
							scene->meshes[m].name);
		}
	}
	return SNW_OK;
}

static snw_status expect_free(const snw_scene *scene, snw_error *error) {
	snw_status status = expect_no_sculpts(scene, error);
	status = snw_failed(status) ? status : expect_no_lessons(scene, error);
	return snw_failed(status) ? status : expect_no_other_skins(scene, error);
}

void snw_scene_drop_joint_tracks(snw_scene *scene) {
	snw_clip *clips = snw_arena_copy(scene->arena, scene->clips, scene->clip_count * sizeof *clips);
	for (uint32_t i = 0; i < scene->clip_count; i++) {
		snw_track *tracks = SNW_NEW_ARRAY(scene->arena, snw_track, clips[i].track_count);
		uint32_t kept = 0;
		for (uint32_t t = 0; t < clips[i].track_count; t++) {
			if (clips[i].tracks[t].path == SNW_PATH_CHANNEL) {
				tracks[kept++] = clips[i].tracks[t];
			}
		}
		clips[i].tracks = tracks;
		clips[i].track_count = kept;
	}
	scene->clips = clips;
}

/* Values of joints go with them. The project keeps those of joints whose names come back (snw_project_put_skeleton). */
static void drop_joint_fields(snw_scene *scene) {
	snw_field *fields = SNW_NEW_ARRAY(scene->arena, snw_field, scene->field_count);
	uint32_t kept = 0;
	for (uint32_t i = 0; i < scene->field_count; i++) {
		if (scene->fields[i].domain != SNW_DOMAIN_JOINTS) {
			fields[kept++] = scene->fields[i];
		}
	}
	scene->fields = fields;
	scene->field_count = kept;
}

snw_status snw_scene_without_skeleton(const snw_scene *scene, snw_scene **bare, snw_error *error) {
	const snw_status status = expect_free(scene, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_scene *copy = snw_scene_copy(scene);
	snw_mesh *meshes = snw_arena_copy(copy->arena, copy->meshes, copy->mesh_count * sizeof *meshes);
	for (uint32_t m = 0; m < copy->mesh_count; m++) {
		meshes[m].influence_offsets = NULL;
		meshes[m].influence_slots = NULL;
		meshes[m].influence_weights = NULL;
	}
	copy->meshes = meshes;
	copy->skeleton = (snw_skeleton){0};
	copy->slot_count = 0;
	snw_scene_drop_joint_tracks(copy);
	drop_joint_fields(copy);
	*bare = copy;
	return SNW_OK;
}
