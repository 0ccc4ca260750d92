/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The samples by name.
 */
#include "sample/sample.h"

#include <string.h>

#include "sample/makers.h"
#include "sample/rig.h"
#include "scene/skeleton.h"
#include "sinew/algebra.h"

/* ---- rigs ---------------------------------------------------------------------------------------------------------------- */

snw_status snw_rig_make(snw_scene *scene, const snw_rig_joint *joints, uint32_t joint_count, snw_error *error) {
	snw_arena *arena = scene->arena;
	snw_skeleton *skeleton = &scene->skeleton;
	skeleton->joint_count = joint_count;
	skeleton->names = SNW_NEW_ARRAY(arena, const char *, joint_count);
	skeleton->parents = SNW_NEW_ARRAY(arena, uint32_t, joint_count);
	skeleton->rest_local = SNW_NEW_ARRAY(arena, snw_transform, joint_count);
	uint32_t *slot_joints = SNW_NEW_ARRAY(arena, uint32_t, joint_count);
	double *inverse_binds = SNW_NEW_ARRAY(arena, double, 12 * (size_t)joint_count);
	for (uint32_t j = 0; j < joint_count; j++) {
		skeleton->names[j] = joints[j].name;
		skeleton->parents[j] = joints[j].parent;
		skeleton->rest_local[j] = (snw_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
		memcpy(skeleton->rest_local[j].translation, joints[j].translation, sizeof joints[j].translation);
		slot_joints[j] = j;
	}
	const snw_status status = snw_skeleton_finish(skeleton, arena, error);
	if (snw_failed(status)) {
		return status;
	}
	for (uint32_t j = 0; j < joint_count; j++) {
		snw_mat34_invert(skeleton->rest_global + 12 * (size_t)j, inverse_binds + 12 * (size_t)j);
	}
	scene->slot_count = joint_count;
	scene->slot_joints = slot_joints;
	scene->slot_inverse_binds = inverse_binds;
	return SNW_OK;
}

void snw_rig_skin(snw_mesh *mesh, uint32_t slot_count, snw_rig_weights *weights, snw_arena *arena) {
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, (size_t)slot_count * mesh->point_count);
	double *values = SNW_NEW_ARRAY(arena, double, (size_t)slot_count * mesh->point_count);
	double *of_point = SNW_NEW_ARRAY(arena, double, slot_count);
	uint32_t count = 0;
	for (size_t i = 0; i < mesh->point_count; i++) {
		weights(mesh->points_rest + 3 * i, of_point);
		for (uint32_t s = 0; s < slot_count; s++) {
			if (of_point[s] > 0) {
				slots[count] = s;
				values[count++] = of_point[s];
			}
		}
		offsets[i + 1] = count;
	}
	mesh->influence_offsets = offsets;
	mesh->influence_slots = slots;
	mesh->influence_weights = values;
}

/* ---- samples ------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	snw_status (*make)(snw_scene *scene, snw_error *error);
} samples[] = {
	{"arm", snw_sample_make_arm},           {"small-arm", snw_sample_make_small_arm},
	{"tiny-arm", snw_sample_make_tiny_arm}, {"bar", snw_sample_make_bar},
	{"cloth", snw_sample_make_cloth},       {"face", snw_sample_make_face},
	{"tube", snw_sample_make_tube},         {"twist-bar", snw_sample_make_twist_bar},
	{"elbow", snw_sample_make_elbow},       {"muscle-arm", snw_sample_make_muscle_arm},
	{"dressed", snw_sample_make_dressed},   {"limbs", snw_sample_make_limbs},
};

snw_status snw_sample_make(const char *name, snw_scene **scene, snw_error *error) {
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		if (strcmp(samples[i].name, name) != 0) {
			continue;
		}
		snw_scene *made = snw_scene_create();
		snw_status status = samples[i].make(made, error);
		if (!snw_failed(status)) {
			status = snw_scene_check(made, error);
		}
		if (snw_failed(status)) {
			snw_scene_destroy(made);
			return status;
		}
		*scene = made;
		return status;
	}
	return snw_fail(error, SNW_ERROR_MISSING,
					"no such sample \"%s\"; choose arm, small-arm, tiny-arm, bar, cloth, face, tube, twist-bar, "
					"elbow, muscle-arm, dressed or limbs",
					name);
}
