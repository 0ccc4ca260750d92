/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/joint_slots.h"

#include "sinew/algebra.h"

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
