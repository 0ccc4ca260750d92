/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measures a stack, or one method, at the examples or a target. It uses the reference evaluator, so that the errors are the
 * method's and not those of a fast evaluator.
 */
#include "measure/measure.h"

#include <math.h>
#include <string.h>

#include "measure/measured_frames.h"
#include "task/subtask.h"

static snw_status cancelled(snw_error *error) {
	return snw_fail(error, SNW_CANCELLED, "measuring was cancelled");
}

/* Evaluates every frame of the series and sums the differences. */
static snw_status sum_frames(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, const snw_series *series,
							 const snw_task *task, snw_arena *arena, snw_measure_sums *sums, snw_error *error) {
	const size_t numbers = 3 * (size_t)series->mesh->point_count;
	double *expected = SNW_NEW_ARRAY(arena, double, numbers), *actual = SNW_NEW_ARRAY(arena, double, numbers);
	snw_normal_comparison *normals = snw_normal_comparison_create(series->mesh);
	snw_status status = SNW_OK;
	for (uint32_t f = 0; f < series->frame_count && !snw_failed(status); f++) {
		if (!snw_task_progress(task, 0.2 + 0.6 * f / series->frame_count, "measuring")) {
			status = cancelled(error);
			break;
		}
		status = snw_stack_drive(stack, series->frames[f].pose, evaluation, error);
		if (!snw_failed(status)) {
			status = snw_stack_reference(stack, evaluation, mesh, NULL, actual, error);
		}
		if (!snw_failed(status)) {
			snw_series_points(series, f, expected);
			snw_measure_add(series, f, expected, actual, sums);
			snw_normal_angles_add_stack(normals, expected, actual, stack, evaluation, mesh, series->region, &sums->normals);
		}
	}
	snw_normal_comparison_destroy(normals);
	return snw_failed(status) ? status : SNW_OK;
}

static snw_status sum_stack(const snw_scene *scene, const snw_registry *registry, const snw_measure_request *request,
							const snw_series *series, const snw_task *task, snw_arena *arena, snw_measure_sums *sums,
							snw_error *error) {
	const snw_stack_options options = {.method = request->method, .below_layer = scene->layer_count};
	snw_subtask building = {task, 0, 0.2};
	const snw_task building_task = snw_task_of_subtask(&building);
	snw_stack *stack = NULL;
	snw_status status = snw_stack_build(scene, registry, &options, &building_task, &stack, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	status = sum_frames(stack, evaluation, request->mesh, series, task, arena, sums, error);
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
	return status;
}

static snw_status measure_in(const snw_scene *scene, const snw_registry *registry, const snw_measure_request *request,
							 const snw_task *task, snw_arena *arena, snw_measure *measure, snw_error *error) {
	snw_series series;
	snw_measure_sums sums = {0};
	snw_status status = request->target == SNW_NONE ? snw_series_of_examples(scene, request->mesh, arena, &series, error)
													: snw_series_of_target(scene, request->target, arena, &series, error);
	series.region = request->region;
	const bool is_source = request->method != NULL && strcmp(request->method, "source") == 0;
	if (!snw_failed(status) && !is_source) {
		status = sum_stack(scene, registry, request, &series, task, arena, &sums, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	if (!snw_task_progress(task, 0.8, "finding the best rigid prediction")) {
		return cancelled(error);
	}
	double *rigid = SNW_NEW_ARRAY(arena, double, series.frame_count), rigid_sum = 0;
	snw_series_rigid(&series, rigid);
	for (uint32_t f = 0; f < series.frame_count; f++) {
		rigid_sum += rigid[f];
	}
	*measure = snw_measure_finish(&series, series.frame_count, &sums, snw_series_spread(&series), rigid_sum);
	if (is_source && series.mesh->face_count > 0) {
		measure->normals_degrees = measure->normals_max_degrees = 0;
	}
	return SNW_OK;
}

snw_status snw_measure_run(const snw_scene *scene, const snw_registry *registry, const snw_measure_request *request,
						   const snw_task *task, snw_measure *measure, snw_error *error) {
	if (request->target == SNW_NONE ? request->mesh >= scene->mesh_count : request->target >= scene->target_count) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "no such mesh or target to measure");
	}
	snw_measure_request local_request = *request;
	if (request->target != SNW_NONE) {
		local_request.mesh = scene->targets[request->target].mesh;
	}
	snw_arena *arena = snw_arena_create();
	const snw_status status = measure_in(scene, registry, &local_request, task, arena, measure, error);
	snw_arena_destroy(arena);
	return status;
}
