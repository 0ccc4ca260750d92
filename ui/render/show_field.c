/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/show_field.h"

#include <math.h>

#include "render/heat.h"
#include "scene/field.h"

static const snw_field *field_of(const snw_scene *scene, uint32_t mesh, const char *name) {
	const uint32_t found = snw_scene_find_field(scene, mesh, name);
	return found != SNW_NONE && scene->fields[found].domain == SNW_DOMAIN_POINTS ? &scene->fields[found] : NULL;
}

/* One number a point: its own, or the length of several. */
static const double *numbers_of(const snw_field *field, double *lengths) {
	for (uint32_t i = 0; i < field->count && field->components > 1; i++) {
		lengths[i] = snw_field_number(field, i);
	}
	return field->components > 1 ? lengths : field->values;
}

static void show_numbers(snw_view *view, const snw_field *field, snw_shown_field *shown) {
	shown->heat[field->mesh] = numbers_of(field, shown->lengths[field->mesh]);
	snw_heat_range_add(shown->heat[field->mesh], field->count, &view->heat_minimum, &view->heat_maximum);
}

bool snw_view_show_field(snw_view *view, const char *name, snw_shown_field *shown) {
	const snw_field *first = NULL;
	view->heat_minimum = (double)INFINITY;
	view->heat_maximum = -(double)INFINITY;
	for (uint32_t m = 0; m < view->scene->mesh_count; m++) {
		const snw_field *field = field_of(view->scene, m, name);
		first = first ? first : field;
		shown->heat[m] = NULL;
		if (field && snw_field_is_color(first) && snw_field_is_color(field)) {
			shown->heat[m] = field->values;
		} else if (field && field->components == first->components && !snw_field_is_color(first) &&
				   !snw_field_is_color(field)) {
			show_numbers(view, field, shown);
		}
	}
	if (!first) {
		return false;
	}
	if (!(view->heat_maximum > view->heat_minimum)) {
		view->heat_minimum = isfinite(view->heat_minimum) ? view->heat_minimum : 0;
		view->heat_maximum = view->heat_minimum + 1;
	}
	snw_field_words(first, shown->label, sizeof shown->label);
	view->heat = shown->heat;
	view->heat_is_color = snw_field_is_color(first);
	view->heat_label = shown->label;
	return true;
}
