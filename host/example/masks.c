/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "example/masks.h"

#include <math.h>
#include <string.h>

#include "scene/scene.h"

static bool is_side(const char *spec, int *axis, double *sign) {
	static const char axes[] = "xyz", signs[] = "-+";
	const char *a = spec[0] ? strchr(axes, spec[0]) : NULL;
	const char *s = a && spec[1] ? strchr(signs, spec[1]) : NULL;
	if (!s || spec[2] != '\0') {
		return false;
	}
	*axis = (int)(a - axes);
	*sign = s == signs ? -1 : 1;
	return true;
}

/* The plane goes through the origin, since characters are centred on it. Points nearer to it than 1e-5 of the diagonal are
 * on it. */
static void fill_side(const snw_scene *scene, uint32_t mesh, int axis, double sign, double *values) {
	const snw_mesh *m = &scene->meshes[mesh];
	const double on_plane = 1e-5 * snw_scene_diagonal(scene, mesh);
	for (uint32_t i = 0; i < m->point_count; i++) {
		const double along = sign * m->points_rest[3 * (size_t)i + (size_t)axis];
		values[i] = fabs(along) <= on_plane ? 0.5 : along > 0;
	}
}

static void add_joint_weights(const snw_scene *scene, const snw_mesh *mesh, uint32_t joint, bool *counted, double *values) {
	for (uint32_t slot = 0; slot < scene->slot_count; slot++) {
		if (counted[slot] || !snw_skeleton_is_below(&scene->skeleton, scene->slot_joints[slot], joint)) {
			continue;
		}
		counted[slot] = true;
		for (uint32_t i = 0; i < mesh->point_count; i++) {
			for (uint32_t k = mesh->influence_offsets[i]; k < mesh->influence_offsets[i + 1]; k++) {
				values[i] += mesh->influence_slots[k] == slot ? mesh->influence_weights[k] : 0;
			}
		}
	}
}

static snw_status fill_joints(const snw_scene *scene, uint32_t mesh, const char *names, double *values, snw_arena *arena,
							  snw_error *error) {
	const snw_mesh *m = &scene->meshes[mesh];
	if (!m->influence_offsets) {
		return snw_fail(error, SNW_ERROR_MISSING, "mask joints:%s: mesh %s has no skin weights; use x+, x- or a field", names,
						m->name);
	}
	bool *counted = SNW_NEW_ARRAY(arena, bool, scene->slot_count);
	char *rest = snw_arena_text(arena, names), *name;
	while ((name = strsep(&rest, ",")) != NULL) {
		uint32_t joint;
		const snw_status status = snw_noun_find(scene, SNW_NOUN_JOINT, name, &joint, error);
		if (snw_failed(status)) {
			return status;
		}
		add_joint_weights(scene, m, joint, counted, values);
	}
	for (uint32_t i = 0; i < m->point_count; i++) {
		values[i] = fmin(values[i], 1);
	}
	return SNW_OK;
}

static snw_status make_values(const snw_scene *scene, uint32_t mesh, const char *spec, double **values, snw_arena *arena,
							  snw_error *error) {
	int axis;
	double sign;
	*values = SNW_NEW_ARRAY(arena, double, scene->meshes[mesh].point_count);
	if (is_side(spec, &axis, &sign)) {
		fill_side(scene, mesh, axis, sign, *values);
		return SNW_OK;
	}
	return strncmp(spec, "joints:", 7) == 0
			   ? fill_joints(scene, mesh, spec + 7, *values, arena, error)
			   : snw_fail(error, SNW_ERROR_ARGUMENT, "mask %s: expected x+, x-, y+, y-, z+, z-, joints:A,B or field:NAME",
						  spec);
}

/* SNW_NONE if the text names no field. */
static snw_status find_field(const snw_scene *scene, uint32_t mesh, const char *spec, const char **name, uint32_t *found,
							 snw_arena *arena, snw_error *error) {
	const bool named = strncmp(spec, "field:", 6) == 0;
	*name = named ? spec + 6 : snw_arena_format(arena, "mask %s", spec);
	*found = snw_scene_find_field(scene, mesh, *name);
	return named && *found == SNW_NONE ? snw_fail(error, SNW_ERROR_MISSING, "mask %s: the mesh has no such field", spec)
									   : SNW_OK;
}

snw_status snw_mask_values(const snw_scene *scene, uint32_t mesh, const char *spec, snw_arena *arena, const double **values,
						   snw_error *error) {
	const char *name;
	uint32_t found;
	double *made = NULL;
	snw_status status = find_field(scene, mesh, spec, &name, &found, arena, error);
	if (snw_failed(status) || found == SNW_NONE) {
		status = snw_failed(status) ? status : make_values(scene, mesh, spec, &made, arena, error);
		*values = made;
		return status;
	}
	const snw_field *field = &scene->fields[found];
	if (field->domain != SNW_DOMAIN_POINTS || field->components != 1) {
		return snw_fail(error, SNW_ERROR_CONFLICT,
						"mask %s: this field does not have one number for each point; choose another", spec);
	}
	*values = field->values;
	return SNW_OK;
}

snw_status snw_mask_store(snw_project *project, const snw_scene *scene, uint32_t mesh, const char *spec, snw_arena *arena,
						  int64_t *field, snw_error *error) {
	const char *name;
	uint32_t found;
	double *values = NULL;
	snw_status status = find_field(scene, mesh, spec, &name, &found, arena, error);
	if (!snw_failed(status) && found != SNW_NONE) {
		*field = scene->fields[found].id;
		return SNW_OK;
	}
	status = snw_failed(status) ? status : make_values(scene, mesh, spec, &values, arena, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_field mask = {.name = name,
							.domain = SNW_DOMAIN_POINTS,
							.mesh = mesh,
							.components = 1,
							.count = scene->meshes[mesh].point_count,
							.values = values};
	return snw_project_put_field(project, &mask, scene->meshes[mesh].id, field, error);
}
