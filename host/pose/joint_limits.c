/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pose/joint_limits.h"

#include <math.h>

#include "sinew/algebra.h"

double snw_joint_value(const snw_scene *scene, const char *name, uint32_t joint) {
	const uint32_t found = snw_scene_find_field(scene, SNW_NONE, name);
	if (found == SNW_NONE) {
		return 0;
	}
	const snw_field *field = &scene->fields[found];
	const bool is_valid = field->domain == SNW_DOMAIN_JOINTS && field->components == 1 && joint < field->count;
	return is_valid ? field->values[joint] : 0;
}

double snw_joint_limit(const snw_scene *scene, uint32_t joint) {
	const double limit = snw_joint_value(scene, SNW_JOINT_LIMITS, joint);
	return limit > 0 ? limit : (double)INFINITY;
}

double *snw_joint_limits(const snw_scene *scene, snw_arena *arena) {
	double *limits = SNW_NEW_ARRAY(arena, double, scene->skeleton.joint_count);
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		limits[j] = snw_joint_limit(scene, j);
	}
	return limits;
}

bool snw_pose_rotate_joint(const snw_scene *scene, snw_pose *pose, uint32_t joint, const double rotation[3]) {
	const double limit = snw_joint_limit(scene, joint), length = snw_length3(rotation);
	const bool is_limited = length > limit * (1 + 1e-12); /* what was limited before is rounded */
	double *vector = pose->rotation_vectors + 3 * (size_t)joint, *local = pose->local[joint].rotation, q[4];
	for (int c = 0; c < 3; c++) {
		vector[c] = is_limited ? rotation[c] * (limit / length) : rotation[c];
	}
	snw_quat_from_rotation_vector(vector, q);
	snw_quat_multiply(scene->skeleton.rest_local[joint].rotation, q, local);
	snw_quat_normalize(local);
	return is_limited;
}

bool snw_joint_moves(const snw_scene *scene, uint32_t joint) {
	return scene->skeleton.parents[joint] == SNW_NONE || snw_joint_value(scene, SNW_JOINT_MOVES, joint) > 0;
}
