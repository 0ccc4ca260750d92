/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The heat maps of sinew render: the error, the joints' influences, or a field of the project.
 */
#include <math.h>
#include <string.h>

#include "cli/output/picture.h"
#include "cli/output/render.h"
#include "render/overlay/legend.h"
#include "stack/influence_colors.h"

enum { WORDS = 80 };

static snw_status show_error(const snw_call *call, const snw_scene *scene, const snw_pictured_pose *pictured, snw_view *view,
							 snw_error *error) {
	snw_ground_truth *truth = SNW_NEW_ARRAY(call->arena, snw_ground_truth, scene->mesh_count);
	if (!snw_render_ground_truth(scene, &pictured->moment, truth)) {
		return snw_fail(error, SNW_ERROR_MISSING, "--heat error: no ground truth for %s; add an example or a target",
						pictured->label);
	}
	double **points;
	const snw_status status = snw_picture_points(call, scene, view->stack, view->pose, &points, error);
	if (!snw_failed(status)) {
		view->heat = (const double *const *)snw_picture_distances(call, scene, points, truth, &view->heat_maximum);
		view->heat_label = "error (mm)";
	}
	return status;
}

/* Colours chosen for one stack are used for later ones with the same joints, so that views can be compared. */
static snw_status show_influences(const snw_call *call, const snw_scene *scene, snw_influence_colors *colors, snw_view *view,
								  snw_error *error) {
	const double **mixes = SNW_NEW_ARRAY(call->arena, const double *, scene->mesh_count);
	if (!snw_influence_colors_fit(colors, scene, view->stack) &&
		!snw_influence_colors_choose(scene, view->stack, call->arena, colors)) {
		return snw_fail(error, SNW_ERROR_MISSING, "--heat influences: no mesh has a skin; fit one, or import a rigged file");
	}
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		double *mix = SNW_NEW_ARRAY(call->arena, double, 3 * (size_t)scene->meshes[m].point_count);
		mixes[m] = snw_influence_colors_mix(colors, scene, view->stack, m, mix) ? mix : NULL;
	}
	view->heat = mixes;
	view->heat_is_color = true;
	char *words = SNW_NEW_ARRAY(call->arena, char, WORDS);
	snw_influence_colors_text(colors, words, WORDS);
	view->heat_label = words;
	return SNW_OK;
}

static snw_status show_field(const snw_call *call, const snw_scene *scene, const char *name, snw_view *view, snw_error *error) {
	snw_shown_field *shown = SNW_NEW(call->arena, snw_shown_field);
	double **numbers = SNW_NEW_ARRAY(call->arena, double *, scene->mesh_count);
	shown->heat = SNW_NEW_ARRAY(call->arena, const double *, scene->mesh_count);
	shown->numbers = numbers;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		numbers[m] = SNW_NEW_ARRAY(call->arena, double, 3 * (size_t)scene->meshes[m].point_count);
	}
	return snw_view_show_field(view, name, shown) ? SNW_OK
												  : snw_fail(error, SNW_ERROR_MISSING,
															 "--heat %s: no such field over points or faces; 'sinew info' "
															 "lists the fields, and 'error' and 'influences' always exist",
															 name);
}

snw_status snw_render_heat(const snw_call *call, const snw_scene *scene, const snw_pictured_pose *const *poses, snw_view *views,
						   uint32_t count, snw_error *error) {
	const char *name = snw_call_option(call, "--heat");
	const bool is_error = name && strcmp(name, "error") == 0;
	snw_status status = SNW_OK;
	snw_influence_colors colors = {0};
	double most = 0;
	for (uint32_t i = 0; name && i < count && !snw_failed(status); i++) {
		if (views[i].stack) {
			status = is_error                          ? show_error(call, scene, poses[i], &views[i], error)
					 : strcmp(name, "influences") == 0 ? show_influences(call, scene, &colors, &views[i], error)
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
