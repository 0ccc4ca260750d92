/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contact sheet of the examples: rest, linear blend, sculpt, result, errors.
 */
#include <string.h>

#include "cli/output/picture.h"
#include "cli/output/render.h"
#include "pose/pose.h"

enum { COLUMNS = SNW_EXAMPLE_COLUMNS, MOST_ROWS = 24 };

/* One example: both stacks, posed, and the sculpt. */
typedef struct sheet_row {
	const snw_example *example;
	const snw_pose_view *pose;
	const float **sculpt; /* [mesh_count], NULL if the example is of another mesh */
	double **before, **after;
	double most;
} sheet_row;

static snw_status make_row(const snw_call *call, const snw_scene *scene, const snw_stack *linear, const snw_stack *result,
						   sheet_row *r, snw_error *error) {
	const uint32_t mesh = r->example->mesh;
	r->pose = snw_pose_view_make(scene, &scene->poses[r->example->pose], call->arena);
	r->sculpt = SNW_NEW_ARRAY(call->arena, const float *, scene->mesh_count);
	r->sculpt[mesh] = snw_picture_floats(call, r->example->points_posed, 3 * (size_t)scene->meshes[mesh].point_count);
	snw_ground_truth *truth = SNW_NEW_ARRAY(call->arena, snw_ground_truth, scene->mesh_count);
	truth[mesh] = (snw_ground_truth){.sculpt = r->example->points_posed, .example = r->example};
	double **points, most_after;
	snw_status status = snw_picture_points(call, scene, linear, r->pose, &points, error);
	if (!snw_failed(status)) {
		r->before = snw_picture_distances(call, scene, points, truth, &r->most);
		status = snw_picture_points(call, scene, result, r->pose, &points, error);
	}
	if (!snw_failed(status)) {
		r->after = snw_picture_distances(call, scene, points, truth, &most_after);
		r->most = most_after > r->most ? most_after : r->most;
	}
	return status;
}

/* One camera for all views but the rest, so that only the skin differs. All leave room for the scale bar. */
static snw_status frame_views(const snw_call *call, snw_view views[COLUMNS], uint32_t width, uint32_t height,
							  snw_error *error) {
	snw_view_run_black_boxes(&views[0], call->arena);
	snw_view_run_black_boxes(&views[3], call->arena);
	for (int i = 1; i < COLUMNS; i++) {
		const bool is_result = views[i].stack == views[3].stack && views[i].pose == views[3].pose;
		views[i].points = is_result && !views[i].points ? views[3].points : views[i].points;
	}
	snw_view framed[2] = {views[0], views[3]};
	snw_camera cameras[2];
	snw_status status = SNW_OK;
	for (int i = 0; i < 2 && !snw_failed(status); i++) {
		framed[i].flags |= SNW_VIEW_SCALE_BAR;
		status = snw_render_aim(call, &framed[i], 1, width, height, &cameras[i], error);
	}
	for (int i = 0; i < COLUMNS && !snw_failed(status); i++) {
		views[i].camera = cameras[i > 0];
	}
	return status;
}

static void fill_sheet_views(const snw_call *call, const snw_view *base, const snw_stack *linear, const snw_stack *result,
							 const snw_pose_view *rest, const sheet_row *r, double most, snw_view views[COLUMNS]) {
	for (int i = 0; i < COLUMNS; i++) {
		views[i] = *base;
		views[i].pose = i == 0 ? rest : r->pose;
		views[i].stack = i == 1 || i == 4 ? linear : result;
	}
	views[0].caption = "rest";
	views[1].caption = snw_arena_format(call->arena, "linear blend: %s", r->example->name);
	views[2].caption = "sculpt";
	views[2].points = r->sculpt;
	views[3].caption = "result";
	views[4].caption = "error before";
	views[4].heat = (const double *const *)r->before;
	views[5].caption = "error after";
	views[5].heat = (const double *const *)r->after;
	for (int i = 4; i < COLUMNS; i++) {
		views[i].heat_maximum = most > 0 ? most : 1;
		views[i].heat_label = "error (mm)";
		views[i].flags |= SNW_VIEW_SCALE_BAR;
	}
}

/* The examples given by --example, or all. */
static snw_status choose(const snw_call *call, const snw_scene *scene, sheet_row *rows, uint32_t *count, snw_error *error) {
	const char *name;
	*count = 0;
	for (int i = 0; (name = snw_call_option_at(call, "--example", i)); i++) {
		const uint32_t found = snw_scene_find_example(scene, name);
		if (found == SNW_NONE || *count == MOST_ROWS) {
			return snw_fail(error, SNW_ERROR_MISSING, "--example %s: %s", name,
							found == SNW_NONE ? "no such example; 'example list' lists them"
											  : "too many examples for one sheet");
		}
		rows[(*count)++].example = &scene->examples[found];
	}
	for (uint32_t i = 0; !snw_call_option(call, "--example") && i < scene->example_count && *count < MOST_ROWS; i++) {
		rows[(*count)++].example = &scene->examples[i];
	}
	return SNW_OK;
}

snw_status snw_picture_example_views(const snw_call *call, const snw_view *base, const snw_stack *linear,
									 const snw_stack *result, uint32_t width, uint32_t height, snw_view **made, uint32_t *count,
									 snw_error *error) {
	const snw_scene *scene = base->scene;
	sheet_row rows[MOST_ROWS] = {0};
	snw_status status = choose(call, scene, rows, count, error);
	double most = 0;
	for (uint32_t i = 0; !snw_failed(status) && i < *count; i++) {
		status = make_row(call, scene, linear, result, &rows[i], error);
		most = rows[i].most > most ? rows[i].most : most;
	}
	if (snw_failed(status)) {
		return status;
	}
	const snw_pose_view *rest = snw_pose_view_make(scene, snw_pose_rest(scene, call->arena), call->arena);
	snw_view *views = SNW_NEW_ARRAY(call->arena, snw_view, (size_t)*count * COLUMNS);
	for (uint32_t i = 0; i < *count && !snw_failed(status); i++) {
		fill_sheet_views(call, base, linear, result, rest, &rows[i], most, views + (size_t)i * COLUMNS);
		status = frame_views(call, views + (size_t)i * COLUMNS, width, height, error);
	}
	*made = views;
	return status;
}

snw_status snw_picture_sheet(const snw_call *call, const snw_opened *opened, const snw_view *base, uint32_t width,
							 uint32_t height, const char *path, snw_error *error) {
	snw_stack *linear = NULL, *result = NULL;
	if (opened->scene->example_count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"--sheet: the project has no examples; add one with 'example add', or show frames side by side with "
						"--clip NAME --frame F");
	}
	const char *baseline = snw_registry_trait_name(opened->registry, SNW_BASELINE);
	snw_status status =
		baseline ? snw_opened_stack(call, opened, baseline, &linear, error)
				 : snw_fail(error, SNW_ERROR_MISSING, "--sheet: no plug-in shows the character with its original skin");
	if (!snw_failed(status)) {
		status = snw_opened_stack(call, opened, snw_call_option(call, "--method"), &result, error);
	}
	snw_view *views = NULL;
	uint32_t count = 0;
	if (!snw_failed(status)) {
		status = snw_picture_example_views(call, base, linear, result, width, height, &views, &count, error);
	}
	status = snw_failed(status) ? status : snw_picture_write(views, COLUMNS, count, width, height, path, call, error);
	snw_stack_destroy(linear);
	snw_stack_destroy(result);
	return status;
}
