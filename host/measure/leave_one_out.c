/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Leave-one-out cross-validation: the result of a method at a pose whose example was held out (rotational regression,
 * section 7.1).
 */
#include <stdlib.h>

#include "fit/baked_layers.h"
#include "fit/fit.h"
#include "measure/measure.h"
#include "measure/measured_frames.h"
#include "pose/pose.h"
#include "task/subtask.h"

typedef struct validation {
	const snw_scene *scene;
	const snw_registry *registry;
	const snw_layer *layer;
	const snw_task *task;
	snw_error *error;
} validation;

/* The layer's method over `fitted` at the example's pose, [point_count][3]. */
static snw_status evaluate(const validation *state, const snw_scene *fitted, uint32_t left_out, double *points) {
	const snw_example *example = &state->scene->examples[left_out];
	const double count = state->scene->example_count;
	snw_subtask part = {state->task, (left_out + 0.9) / count, (left_out + 1) / count};
	const snw_task task = snw_task_of_subtask(&part);
	const snw_stack_options options = {.method = state->layer->name, .below_layer = fitted->layer_count};
	snw_stack *stack = NULL;
	snw_status status = snw_stack_build(fitted, state->registry, &options, &task, &stack, state->error);
	if (snw_failed(status)) {
		return status;
	}
	snw_arena *arena = snw_arena_create();
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	const snw_pose_view *pose = snw_pose_view_make(fitted, &state->scene->poses[example->pose], arena);
	status = snw_stack_drive(stack, pose, evaluation, state->error);
	if (!snw_failed(status)) {
		status = snw_stack_reference(stack, evaluation, example->mesh, NULL, points, state->error);
	}
	snw_evaluation_destroy(evaluation);
	snw_arena_destroy(arena);
	snw_stack_destroy(stack);
	return snw_failed(status) ? status : SNW_OK;
}

/* Fits without example `left_out` and evaluates there. */
static snw_status predict(const validation *state, uint32_t left_out, snw_arena *arena, double *points) {
	const double count = state->scene->example_count;
	snw_subtask part = {state->task, left_out / count, (left_out + 0.9) / count};
	const snw_task task = snw_task_of_subtask(&part);
	const snw_fit_request request = {
		.method = state->layer->deformer,
		.layer = state->layer->name,
		.setting_count = state->layer->setting_count,
		.settings = state->layer->settings,
		.left_out_example = left_out,
	};
	snw_fit_outcome outcome = {.arena = arena};
	snw_status status = snw_fit_run(state->scene, state->registry, &request, &task, &outcome, state->error);
	if (snw_failed(status)) {
		return status;
	}
	snw_scene *fitted = NULL;
	status = snw_fit_apply(state->scene, &outcome, &fitted, state->error);
	if (!snw_failed(status)) {
		status = evaluate(state, fitted, left_out, points);
		snw_scene_destroy(fitted);
	}
	return snw_failed(status) ? status : SNW_OK;
}

/* One example against its prediction. As in the paper, the rigid prediction is the best over all examples of the mesh. */
static snw_status validate_one(const validation *state, uint32_t left_out, snw_measure *measure) {
	const uint32_t mesh = state->scene->examples[left_out].mesh;
	snw_arena *arena = snw_arena_create();
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)state->scene->meshes[mesh].point_count);
	snw_series series;
	snw_status status = predict(state, left_out, arena, points);
	if (!snw_failed(status)) {
		status = snw_series_of_examples(state->scene, mesh, arena, &series, state->error);
	}
	if (!snw_failed(status)) {
		uint32_t frame = 0;
		while (series.frames[frame].points != state->scene->examples[left_out].points_posed) {
			frame++;
		}
		double *rigid = SNW_NEW_ARRAY(arena, double, series.frame_count);
		snw_measure_sums sums = {0};
		snw_series_rigid(&series, rigid);
		snw_measure_add(&series, frame, series.frames[frame].points, points, &sums);
		snw_normal_comparison *normals = snw_normal_comparison_create(series.mesh);
		snw_normal_angles_add(normals, series.frames[frame].points, points, NULL, &sums.normals);
		snw_normal_comparison_destroy(normals);
		*measure = snw_measure_finish(&series, 1, &sums, 0, rigid[frame]);
	}
	snw_arena_destroy(arena);
	return status;
}

static snw_status validate_all(const snw_scene *scene, const snw_registry *registry, const char *layer, const snw_task *task,
							   snw_measure *measures, snw_error *error) {
	const uint32_t found = snw_scene_find_layer(scene, layer);
	if (found == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "no layer '%s' to leave examples out of; fit it first", layer);
	}
	if (snw_scene_active_example_count(scene) < 2) {
		return snw_fail(error, SNW_ERROR_MISSING, "leave-one-out needs at least two examples; this project has %u",
						snw_scene_active_example_count(scene));
	}
	const validation state = {scene, registry, &scene->layers[found], task, error};
	snw_measure *results = calloc(scene->example_count, sizeof *results);
	if (results == NULL) {
		return snw_fail(error, SNW_ERROR_MEMORY, "no memory for %u measures", scene->example_count);
	}
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < scene->example_count && !snw_failed(status); i++) {
		status = scene->examples[i].muted ? SNW_OK : validate_one(&state, i, &results[i]);
	}
	for (uint32_t i = 0; i < scene->example_count && !snw_failed(status); i++) {
		measures[i] = results[i];
	}
	free(results);
	return status;
}

snw_status snw_measure_leave_one_out(const snw_scene *scene, const snw_registry *registry, const char *layer,
									 const snw_task *task, snw_measure *measures, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_scene *seen = snw_scene_of_layer(scene, layer, arena); /* by the fit too */
	const snw_status status = validate_all(seen, registry, layer, task, measures, error);
	snw_arena_destroy(arena);
	return status;
}
