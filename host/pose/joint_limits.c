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

bool snw_joint_limit_rotation(const snw_scene *scene, uint32_t joint, double rotation[3]) {
	const double limit = snw_joint_limit(scene, joint), length = snw_length3(rotation);
	if (length <= limit * (1 + 1e-12)) { /* what was limited before is rounded */
		return false;
	}
	for (int c = 0; c < 3; c++) {
		rotation[c] *= limit / length;
	}
	return true;
}

bool snw_joint_moves(const snw_scene *scene, uint32_t joint) {
	return scene->skeleton.parents[joint] == SNW_NONE || snw_joint_value(scene, SNW_JOINT_MOVES, joint) > 0;
}
