/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/overlay/show_field.h"

#include <math.h>
#include <string.h>

#include "render/overlay/heat_colors.h"
#include "scene/scene.h"

static const snw_field *field_of(const snw_scene *scene, uint32_t mesh, const char *name) {
	const uint32_t found = snw_scene_find_field(scene, mesh, name);
	const int32_t domain = found != SNW_NONE ? scene->fields[found].domain : SNW_DOMAIN_FRAMES;
	return domain == SNW_DOMAIN_POINTS || domain == SNW_DOMAIN_FACES ? &scene->fields[found] : NULL;
}

static double shown_number(const snw_field *field, uint32_t element) {
	return (snw_field_is_length(field) ? 1000 : 1) * snw_field_number(field, element);
}

/* A point has the mean of the faces around it; one without faces, which is never drawn, has none. */
static void spread_faces(const snw_mesh *mesh, const snw_field *field, uint32_t width, double *numbers) {
	snw_arena *scratch = snw_arena_create();
	uint32_t *faces = SNW_NEW_ARRAY(scratch, uint32_t, mesh->point_count);
	memset(numbers, 0, (size_t)width * mesh->point_count * sizeof *numbers);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
			const uint32_t point = mesh->face_points[c];
			faces[point]++;
			for (uint32_t k = 0; k < width; k++) {
				numbers[(size_t)width * point + k] += width > 1 ? field->values[(size_t)width * f + k] : shown_number(field, f);
			}
		}
	}
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		for (uint32_t k = 0; k < width; k++) {
			double *number = &numbers[(size_t)width * p + k];
			*number = faces[p] > 0 ? *number / faces[p] : (double)NAN;
		}
	}
	snw_arena_destroy(scratch);
}

/* The value shown at a point: its number, or the length of several; or its colour. */
static const double *find_numbers(const snw_mesh *mesh, const snw_field *field, double *numbers) {
	const bool is_color = snw_field_is_color(field);
	if (field->domain == SNW_DOMAIN_FACES) {
		spread_faces(mesh, field, is_color ? 3 : 1, numbers);
		return numbers;
	}
	const bool is_stored = is_color || (field->components == 1 && !snw_field_is_length(field));
	for (uint32_t i = 0; i < field->count && !is_stored; i++) {
		numbers[i] = shown_number(field, i);
	}
	return is_stored ? field->values : numbers;
}

bool snw_view_show_field(snw_view *view, const char *name, snw_shown_field *shown) {
	const snw_field *first = NULL;
	view->heat_minimum = (double)INFINITY;
	view->heat_maximum = -(double)INFINITY;
	for (uint32_t m = 0; m < view->scene->mesh_count; m++) {
		const snw_field *field = field_of(view->scene, m, name);
		first = first ? first : field;
		shown->heat[m] = NULL;
		if (!field || field->components != first->components || snw_field_is_color(field) != snw_field_is_color(first)) {
			continue;
		}
		const snw_mesh *mesh = &view->scene->meshes[m];
		shown->heat[m] = find_numbers(mesh, field, shown->numbers[m]);
		if (!snw_field_is_color(field)) {
			snw_heat_range_add(shown->heat[m], mesh->point_count, &view->heat_minimum, &view->heat_maximum);
		}
	}
	if (!first) {
		return false;
	}
	if (!(view->heat_maximum > view->heat_minimum)) {
		view->heat_minimum = isfinite(view->heat_minimum) ? view->heat_minimum : 0;
		view->heat_maximum = view->heat_minimum + 1;
	}
	snw_field_title(first, shown->label, sizeof shown->label);
	view->heat = shown->heat;
	view->heat_is_color = snw_field_is_color(first);
	view->heat_label = shown->label;
	return true;
}
