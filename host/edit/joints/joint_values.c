/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "edit/joints/joint_values.h"

#include <string.h>

snw_status snw_project_put_joint_value(snw_project *project, const snw_scene *scene, const char *name, uint32_t joint,
									   double value, snw_error *error) {
	const uint32_t found = snw_scene_find_field(scene, SNW_NONE, name), count = scene->skeleton.joint_count;
	const snw_field *old = found == SNW_NONE ? NULL : &scene->fields[found];
	if (old && (old->domain != SNW_DOMAIN_JOINTS || old->components != 1)) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "the field '%s' does not have one number per joint; rename it", name);
	}
	snw_arena *scratch = snw_arena_create();
	double *values = snw_arena_array(scratch, count, sizeof *values);
	memset(values, 0, count * sizeof *values);
	if (old) {
		memcpy(values, old->values, count * sizeof *values);
	}
	values[joint] = value;
	const snw_field field = {.id = old ? old->id : 0,
							 .name = name,
							 .domain = SNW_DOMAIN_JOINTS,
							 .mesh = SNW_NONE,
							 .components = 1,
							 .count = count,
							 .values = values,
							 .unit = strcmp(name, SNW_JOINT_LIMITS) == 0 ? "rad" : ""};
	int64_t id;
	const snw_status status = snw_project_put_field(project, &field, 0, &id, error);
	snw_arena_destroy(scratch);
	return status;
}
