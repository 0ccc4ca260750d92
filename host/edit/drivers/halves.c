/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "edit/drivers/halves.h"

#include <math.h>
#include <string.h>

/* Over this share of the mesh's diagonal, to either side of the middle, a half passes into the other. */
static const double HALVES_PASS = 0.05;
/* A field whose values differ by more is no half. The rest may have changed a little since it was made. */
static const double SAME_VALUE = 0.05;

static const char *name_of(bool is_left) {
	return is_left ? "left half" : "right half";
}

static double width_of(const snw_scene *scene, uint32_t mesh) {
	return fmax(HALVES_PASS * snw_scene_diagonal(scene, mesh), 1e-300);
}

static double value_at(const snw_mesh *mesh, const snw_half *half, double width, uint32_t point) {
	const double away = mesh->points_rest[3 * (size_t)point + half->plane.axis] - half->plane.offset;
	const double t = (1 + fmin(fmax(away / width, -1), 1)) / 2, left = t * t * (3 - 2 * t);
	return half->is_left ? left : 1 - left;
}

/* "left half", "left half-2". */
static bool has_name(const snw_field *field, bool is_left) {
	const size_t length = strlen(name_of(is_left));
	return strncmp(field->name, name_of(is_left), length) == 0 && (field->name[length] == '\0' || field->name[length] == '-');
}

static bool is_half(const snw_scene *scene, const snw_field *field, const snw_half *half) {
	const double width = width_of(scene, half->mesh);
	bool is = field->mesh == half->mesh && field->domain == SNW_DOMAIN_POINTS && field->components == 1 &&
			  has_name(field, half->is_left);
	for (uint32_t i = 0; i < field->count && is; i++) {
		is = fabs(field->values[i] - value_at(&scene->meshes[half->mesh], half, width, i)) < SAME_VALUE;
	}
	return is;
}

uint32_t snw_half_find(const snw_scene *scene, const snw_half *half) {
	uint32_t f = 0;
	while (f < scene->field_count && !is_half(scene, &scene->fields[f], half)) {
		f++;
	}
	return f < scene->field_count ? f : SNW_NONE;
}

bool snw_mask_is_half(const snw_scene *scene, uint32_t mask, const snw_mirror_plane *plane, bool *is_left) {
	if (mask == SNW_NONE) {
		return false;
	}
	snw_half half = {.mesh = scene->fields[mask].mesh, .plane = *plane, .is_left = true};
	*is_left = is_half(scene, &scene->fields[mask], &half);
	half.is_left = false;
	return *is_left || is_half(scene, &scene->fields[mask], &half);
}

snw_field snw_half_make(const snw_scene *scene, const snw_half *half, snw_arena *arena) {
	const snw_mesh *mesh = &scene->meshes[half->mesh];
	const double width = width_of(scene, half->mesh);
	double *values = SNW_NEW_ARRAY(arena, double, mesh->point_count);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		values[i] = value_at(mesh, half, width, i);
	}
	const char *name = name_of(half->is_left);
	for (uint32_t number = 2; snw_scene_find_field(scene, half->mesh, name) != SNW_NONE; number++) {
		name = snw_arena_format(arena, "%s-%u", name_of(half->is_left), number);
	}
	return (snw_field){.name = name,
					   .domain = SNW_DOMAIN_POINTS,
					   .mesh = half->mesh,
					   .components = 1,
					   .count = mesh->point_count,
					   .values = values};
}
