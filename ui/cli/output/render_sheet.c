/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contact sheet of the examples: rest, linear blend, sculpt, result, errors.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/output.h"
#include "measure/measure.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "scene/scene.h"

/* ---- render sheet -------------------------------------------------------------------------------------------------------- */

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

/* ---- render times -------------------------------------------------------------------------------------------------------- */

/* The poses of sinew render, and their ground truth. */

static int count_options(const snw_call *call, const char *name) {
	int count = 0;
	while (snw_call_option_at(call, name, count)) {
		count++;
	}
	return count;
}

static uint32_t find_clip_by_id(const snw_scene *scene, int64_t id) {
	for (uint32_t i = 0; i < scene->clip_count; i++) {
		if (scene->clips[i].id == id) {
			return i;
		}
	}
	return SNW_NONE;
}

static bool is_stored(const snw_scene *scene, const char *name) {
	for (uint32_t i = 0; i < scene->pose_count; i++) {
		if (strcmp(scene->poses[i].name, name) == 0) {
			return true;
		}
	}
	return strcmp(name, "rest") == 0;
}

static snw_status add_rendered_pose(const snw_call *call, const snw_scene *scene, const char *text, snw_pictured_pose *pictured,
									snw_error *error) {
	snw_pose *pose;
	const snw_status status = snw_pose_resolve(scene, text, call->arena, &pose, error);
	if (!snw_failed(status)) {
		const uint32_t clip = is_stored(scene, text) ? SNW_NONE : find_clip_by_id(scene, pose->clip);
		const uint32_t stored = clip == SNW_NONE && pose->name ? snw_scene_find_pose(scene, pose->name) : SNW_NONE;
		*pictured = (snw_pictured_pose){.pose = pose, .moment = {stored, clip, pose->seconds}, .label = text};
	}
	return status;
}

static snw_status find_poses(const snw_call *call, const snw_scene *scene, snw_pictured_pose **poses, uint32_t *count,
							 snw_error *error) {
	const int named = count_options(call, "--pose");
	snw_status status = SNW_OK;
	*count = named > 0 ? (uint32_t)named : 1;
	*poses = SNW_NEW_ARRAY(call->arena, snw_pictured_pose, *count);
	for (uint32_t i = 0; i < *count && !snw_failed(status); i++) {
		status = add_rendered_pose(call, scene, named > 0 ? snw_call_option_at(call, "--pose", (int)i) : "rest", &(*poses)[i],
								   error);
	}
	return status;
}

static snw_status find_frames(const snw_call *call, const snw_scene *scene, const char *name, snw_pictured_pose **poses,
							  uint32_t *count, snw_error *error) {
	const int named = count_options(call, "--frame");
	uint32_t clip;
	const snw_status found = snw_noun_find(scene, SNW_NOUN_CLIP, name, &clip, error);
	if (snw_failed(found)) {
		return found;
	}
	double *seconds;
	uint32_t keys;
	snw_clip_times(scene, clip, call->arena, &seconds, &keys);
	snw_status status = SNW_OK;
	*count = named > 0 ? (uint32_t)named : 1;
	*poses = SNW_NEW_ARRAY(call->arena, snw_pictured_pose, *count);
	for (uint32_t i = 0; i < *count && !snw_failed(status); i++) {
		double number;
		status = snw_call_number_at(call, "--frame", (int)i, 0, keys > 0 ? keys - 1 : 0, 0, &number, error);
		if (!snw_failed(status)) {
			const uint32_t frame = (uint32_t)number;
			const double time = keys > 0 ? seconds[frame] : 0;
			(*poses)[i] = (snw_pictured_pose){.pose = snw_pose_sample(scene, clip, time, call->arena),
											  .moment = {SNW_NONE, clip, time},
											  .label = snw_arena_format(call->arena, "%s: frame %u", name, frame)};
		}
	}
	return status;
}

snw_status snw_render_poses(const snw_call *call, const snw_scene *scene, snw_pictured_pose **poses, uint32_t *count,
							snw_error *error) {
	const char *clip = snw_call_option(call, "--clip");
	if (clip && snw_call_option(call, "--pose")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--pose and --clip exclude each other; give one");
	}
	if (!clip && snw_call_option(call, "--frame")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--frame: the clip is missing; name it with --clip NAME");
	}
	return clip ? find_frames(call, scene, clip, poses, count, error) : find_poses(call, scene, poses, count, error);
}

/* ---- ground truth -------------------------------------------------------------------------------------------------------- */

bool snw_render_ground_truth(const snw_scene *scene, const snw_moment *moment, snw_ground_truth *truth) {
	bool is_known = false;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		truth[m] = snw_ground_truth_at(scene, moment, m);
		is_known = is_known || truth[m].sculpt || truth[m].frame;
	}
	return is_known;
}

/* ---- picture ------------------------------------------------------------------------------------------------------------- */

enum { MOST_PIXELS = 1 << 28 };

snw_status snw_picture_points(const snw_call *call, const snw_scene *scene, const snw_stack *stack, const snw_pose_view *pose,
							  double ***points, snw_error *error) {
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	double **all = SNW_NEW_ARRAY(call->arena, double *, scene->mesh_count);
	snw_status status = snw_stack_drive(stack, pose, evaluation, error);
	for (uint32_t m = 0; !snw_failed(status) && m < scene->mesh_count; m++) {
		all[m] = SNW_NEW_ARRAY(call->arena, double, 3 * (size_t)scene->meshes[m].point_count);
		status = snw_stack_reference(stack, evaluation, m, NULL, all[m], error);
	}
	snw_evaluation_destroy(evaluation);
	*points = all;
	return status;
}

float *snw_picture_floats(const snw_call *call, const double *values, size_t count) {
	float *floats = SNW_NEW_ARRAY(call->arena, float, count);
	for (size_t i = 0; i < count; i++) {
		floats[i] = (float)values[i];
	}
	return floats;
}

double **snw_picture_distances(const snw_call *call, const snw_scene *scene, double *const *points,
							   const snw_ground_truth *truth, double *most) {
	double **distances = SNW_NEW_ARRAY(call->arena, double *, scene->mesh_count);
	*most = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const uint32_t count = scene->meshes[m].point_count;
		distances[m] = SNW_NEW_ARRAY(call->arena, double, count);
		if (truth[m].sculpt || truth[m].frame) {
			const float *floats = snw_picture_floats(call, points[m], 3 * (size_t)count);
			*most = fmax(*most, snw_ground_truth_distances(&truth[m], floats, count, distances[m]));
		}
	}
	/* What is exact but for rounding is to look so: the scale does not end below a hundred-thousandth of the character. */
	*most = fmax(*most, 1000 * 1e-5 * snw_scene_diagonal(scene, SNW_NONE));
	return distances;
}

snw_status snw_picture_write(const snw_view *views, uint32_t columns, uint32_t rows, uint32_t width, uint32_t height,
							 const char *path, const snw_call *call, snw_error *error) {
	snw_renderer *renderer = NULL;
	const uint64_t count = (uint64_t)width * columns * height * rows;
	if (count > MOST_PIXELS) {
		return snw_fail(error, SNW_ERROR_LIMIT,
						"%s would have %" PRIu64 " million pixels, more than %d: give a smaller --size, or draw fewer views",
						path, count >> 20, MOST_PIXELS >> 20);
	}
	snw_status status = snw_renderer_create(&renderer, error);
	if (snw_failed(status)) {
		return status;
	}
	unsigned char *pixels = snw_arena_array(call->arena, (size_t)width * columns, (size_t)height * rows * 4);
	status = snw_renderer_sheet(renderer, views, columns, rows, width, height, pixels, &call->task, error);
	if (!snw_failed(status)) {
		status = snw_png_write(path, pixels, width * columns, height * rows, error);
	}
	if (!snw_failed(status)) {
		snw_say(call, "%s: %u × %u, drawn by %s", path, width * columns, height * rows, snw_renderer_device(renderer));
		snw_answer_text(call->answer, "file", path);
		snw_answer_number(call->answer, "width", width * columns);
		snw_answer_number(call->answer, "height", height * rows);
		snw_answer_text(call->answer, "device", snw_renderer_device(renderer));
	}
	snw_renderer_destroy(renderer);
	return status;
}
