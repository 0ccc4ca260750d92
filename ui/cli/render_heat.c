/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Heat maps of sinew render: the error, the joints' influences, or a field that the project keeps.
 */
#include <math.h>
#include <string.h>

#include "cli/picture.h"
#include "cli/render.h"
#include "render/heat.h"

static snw_status show_error(const snw_call *call, const snw_scene *scene, const snw_moment *moment, snw_view *view,
							 snw_error *error) {
	const double **wanted = SNW_NEW_ARRAY(call->arena, const double *, scene->mesh_count);
	if (!snw_render_wanted(call, scene, moment, wanted)) {
		return snw_fail(error, SNW_ERROR_MISSING, "--heat error: no example or target says what %s should look like",
						moment->label);
	}
	double **points;
	const snw_status status = snw_picture_points(call, scene, view->stack, view->pose, &points, error);
	if (status == SNW_OK) {
		view->heat = (const double *const *)snw_picture_distances(call, scene, points, wanted, &view->heat_maximum);
		view->heat_label = "error (mm)";
	}
	return status;
}

/* A place on the ramp for each slot of the skin, neighbours' far apart, and between them what a point's weights mix (squared,
 * so that each slot's middle stands out). */
static double *mix_influences(const snw_call *call, const snw_program *program) {
	double *values = SNW_NEW_ARRAY(call->arena, double, program->point_count);
	for (uint32_t i = 0; i < program->point_count; i++) {
		double sum = 0;
		for (uint32_t k = program->influence_offsets[i]; k < program->influence_offsets[i + 1]; k++) {
			const double w = program->influence_weights[k], place = 0.5 + 0.6180339887498949 * program->influence_slots[k];
			values[i] += w * w * (place - floor(place));
			sum += w * w;
		}
		values[i] = sum > 0 ? values[i] / sum : 0;
	}
	return values;
}

static snw_status show_influences(const snw_call *call, const snw_scene *scene, snw_view *view, snw_error *error) {
	const double **heat = SNW_NEW_ARRAY(call->arena, const double *, scene->mesh_count);
	bool found = false;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_program *program = NULL;
		for (uint32_t s = 0; s < snw_stack_segment_count(view->stack, m); s++) {
			const snw_segment_info info = snw_stack_segment(view->stack, m, s);
			program = info.is_program && info.program->influence_offsets ? info.program : program;
		}
		heat[m] = program ? mix_influences(call, program) : NULL;
		found = found || program;
	}
	view->heat = heat;
	view->heat_minimum = 0;
	view->heat_maximum = 1;
	view->heat_label = "influences";
	return found
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_MISSING, "--heat influences: no mesh has a skin; fit one, or import a rigged file");
}

static snw_status show_field(const snw_call *call, const snw_scene *scene, const char *name, snw_view *view, snw_error *error) {
	const double **heat = SNW_NEW_ARRAY(call->arena, const double *, scene->mesh_count);
	bool found = false;
	view->heat_minimum = INFINITY;
	view->heat_maximum = -INFINITY;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const uint32_t index = snw_scene_find_field(scene, m, name);
		const snw_field *field = index == SNW_NONE ? NULL : &scene->fields[index];
		if (field && field->domain == SNW_DOMAIN_POINTS && field->components == 1) {
			heat[m] = field->values;
			found = true;
			snw_heat_range_add(field->values, field->count, &view->heat_minimum, &view->heat_maximum);
		}
	}
	view->heat = heat;
	view->heat_label = name;
	return found ? SNW_OK
				 : snw_fail(error, SNW_ERROR_MISSING,
							"--heat %s: no mesh has such a field of one number a point; there are always 'error' and "
							"'influences'",
							name);
}

snw_status snw_render_heat(const snw_call *call, const snw_scene *scene, const snw_moment *const *moments, snw_view *views,
						   uint32_t count, snw_error *error) {
	const char *name = snw_call_option(call, "--heat");
	const bool is_error = name && strcmp(name, "error") == 0;
	snw_status status = SNW_OK;
	double most = 0;
	for (uint32_t i = 0; name && i < count && status == SNW_OK; i++) {
		if (views[i].stack) {
			status = is_error                          ? show_error(call, scene, moments[i], &views[i], error)
					 : strcmp(name, "influences") == 0 ? show_influences(call, scene, &views[i], error)
													   : show_field(call, scene, name, &views[i], error);
			views[i].flags |= SNW_VIEW_SCALE_BAR;
			most = fmax(most, views[i].heat_maximum);
		}
	}
	for (uint32_t i = 0; is_error && i < count; i++) {
		views[i].heat_maximum = most;
	}
	return status;
}
