/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measures a stack, or one method, at the examples or a target. It uses the reference evaluator, so that the errors are the
 * method's and not those of a fast evaluator.
 */
#include "measure/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit/fit.h"
#include "fit/samples.h"
#include "fit/stale.h"
#include "mesh/mesh.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "stack/stack.h"
#include "task/task.h"

/* ---- sums ---------------------------------------------------------------------------------------------------------------- */

/* The formulas of docs/measures.md. Sums run over points in order, so they are the same for any number of threads. */

enum { SLOT_GRAIN = 512 };

static double distance_between(const double *a, const double *b) {
	const double difference[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
	return snw_length3(difference);
}

void snw_measure_distances(uint32_t point_count, const double *a, const double *b, double *distances) {
	for (uint32_t i = 0; i < point_count; i++) {
		distances[i] = distance_between(a + 3 * (size_t)i, b + 3 * (size_t)i);
	}
}

/* Whether a point is measured, and how many are. */
static bool series_counts(const snw_series *series, uint32_t point) {
	return !series->region || series->region[point] >= 0.5;
}

static uint32_t series_point_count(const snw_series *series) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < series->mesh->point_count; i++) {
		count += series_counts(series, i);
	}
	return count;
}

void snw_measure_add(const snw_series *series, uint32_t frame, const double *expected, const double *actual,
					 snw_measure_sums *sums) {
	for (uint32_t i = 0; i < series->mesh->point_count; i++) {
		if (!series_counts(series, i)) {
			continue;
		}
		const double distance = distance_between(expected + 3 * (size_t)i, actual + 3 * (size_t)i);
		sums->squares += distance * distance;
		/* A distance that is not a number counts as the largest. */
		if (distance > sums->max_distance || (isnan(distance) && !isnan(sums->max_distance))) {
			sums->max_distance = distance;
			sums->max_point = i;
			sums->max_frame = frame;
		}
	}
}

void snw_measure_spare_unedited(const snw_series *series, uint32_t frame, const double *actual, double *expected,
								snw_measure_sums *sums) {
	const snw_example *example = series->frames[frame].example;
	uint32_t next = 0;
	for (uint32_t i = 0; example && example->edited && i < series->mesh->point_count; i++) {
		if (next < example->edited_count && example->edited[next] == i) {
			next++;
			continue;
		}
		if (series_counts(series, i)) {
			const double distance = distance_between(expected + 3 * (size_t)i, actual + 3 * (size_t)i);
			sums->spill_squares += distance * distance;
			sums->spill_most = fmax(sums->spill_most, distance);
			sums->spill_count++;
		}
		memcpy(expected + 3 * (size_t)i, actual + 3 * (size_t)i, 3 * sizeof *expected);
	}
}

static void point_at(const snw_series *series, uint32_t frame, uint32_t point, double dest[3]) {
	const snw_measured_frame *measured = &series->frames[frame];
	for (size_t c = 0; c < 3; c++) {
		const size_t i = 3 * (size_t)point + c;
		dest[c] = measured->points != NULL ? measured->points[i] : (double)measured->points_single[i];
	}
}

double snw_series_spread(const snw_series *series) {
	double sum = 0;
	for (uint32_t i = 0; i < series->mesh->point_count; i++) {
		if (!series_counts(series, i)) {
			continue;
		}
		double first[3], mean[3], point[3];
		point_at(series, 0, i, first);
		memcpy(mean, first, sizeof mean);
		for (uint32_t f = 1; f < series->frame_count; f++) {
			point_at(series, f, i, point);
			for (int c = 0; c < 3; c++) {
				mean[c] += (point[c] - first[c]) / series->frame_count; /* exactly 0 for a point that never moves */
			}
		}
		for (uint32_t f = 0; f < series->frame_count; f++) {
			point_at(series, f, i, point);
			for (int c = 0; c < 3; c++) {
				sum += (point[c] - mean[c]) * (point[c] - mean[c]);
			}
		}
	}
	return sum;
}

typedef struct series_point {
	const snw_series *series;
	uint32_t point, farthest; /* a frame */
} series_point;

typedef struct rigid_search {
	const snw_series *series;
	uint32_t *best; /* [point_count]: the slot */
} rigid_search;

static double rigid_square(const snw_series *series, uint32_t frame, uint32_t point, uint32_t slot) {
	double predicted[3], expected[3];
	snw_mat34_point(series->frames[frame].pose->palette + 12 * (size_t)slot, series->mesh->points_rest + 3 * (size_t)point,
					predicted);
	point_at(series, frame, point, expected);
	const double distance = distance_between(predicted, expected);
	return distance * distance;
}

/* The frame in which a point is farthest from its place at rest: most slots are far off there. */
static uint32_t farthest_frame(const snw_series *series, uint32_t point) {
	uint32_t farthest = 0;
	double most = -1, current[3];
	for (uint32_t f = 0; f < series->frame_count; f++) {
		point_at(series, f, point, current);
		const double distance = distance_between(series->mesh->points_rest + 3 * (size_t)point, current);
		if (distance > most) {
			most = distance;
			farthest = f;
		}
	}
	return farthest;
}

/* The sum of a slot's squares. One that is more than `least` need not be exact; one that is no number is infinite. */
static double sum_slot(const series_point *of, uint32_t slot, double least) {
	if (rigid_square(of->series, of->farthest, of->point, slot) > least) {
		return INFINITY;
	}
	double sum = 0;
	for (uint32_t f = 0; f < of->series->frame_count && sum <= least; f++) {
		sum += rigid_square(of->series, f, of->point, slot);
	}
	return isnan(sum) ? (double)INFINITY : sum;
}

/* The slot of least squares, the first of equals. Neighbours mostly have the same one, so that of the point before is tried
 * first and rules out most others by a single frame. */
static void find_best_slots(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const rigid_search *search = argument;
	const snw_series *series = search->series;
	uint32_t best = 0;
	for (uint32_t i = begin; i < end; i++) {
		const series_point of = {series, i, farthest_frame(series, i)};
		double least = sum_slot(&of, best, INFINITY);
		for (uint32_t s = 0; s < series->frames[0].pose->slot_count; s++) {
			const double sum = sum_slot(&of, s, least);
			if (sum < least || (sum == least && s < best)) {
				least = sum;
				best = s;
			}
		}
		search->best[i] = best;
	}
}

void snw_series_rigid(const snw_series *series, double *squares) {
	const bool has_skin = series->frames[0].pose->slot_count > 0;
	snw_arena *arena = snw_arena_create();
	const rigid_search search = {series, SNW_NEW_ARRAY(arena, uint32_t, series->mesh->point_count)};
	if (has_skin) {
		snw_parallel_for(series->mesh->point_count, SLOT_GRAIN, find_best_slots, (void *)&search);
	}
	for (uint32_t f = 0; f < series->frame_count; f++) {
		squares[f] = has_skin ? 0 : (double)NAN;
		for (uint32_t i = 0; i < series->mesh->point_count && has_skin; i++) {
			squares[f] += series_counts(series, i) ? rigid_square(series, f, i, search.best[i]) : 0;
		}
	}
	snw_arena_destroy(arena);
}

snw_measure snw_measure_finish(const snw_series *series, uint32_t count, const snw_measure_sums *sums, double spread,
							   double rigid) {
	const uint32_t point_count = series_point_count(series);
	const double numbers = 3.0 * point_count * count, half = series->diagonal / 2;
	return (snw_measure){
		.frame_count = count,
		.point_count = point_count,
		.erms = 1000 * sqrt(sums->squares / numbers) / half,
		.distortion_percent = count > 1 && spread > 0 ? 100 * sqrt(sums->squares / spread) : (double)NAN,
		.enveloping_error = rigid > 0 ? sqrt(sums->squares / rigid) : (double)NAN,
		.max_percent = 100 * sums->max_distance / series->diagonal,
		.max_point = sums->max_point,
		.max_frame = sums->max_frame,
		.spill_mm = sums->spill_count > 0 ? 1000 * sqrt(sums->spill_squares / (double)sums->spill_count) : (double)NAN,
		.spill_max_mm = sums->spill_count > 0 ? 1000 * sums->spill_most : (double)NAN,
		.normals_degrees = snw_normal_angles_mean(&sums->normals),
		.normals_max_degrees = snw_normal_angles_most(&sums->normals),
		.squares = {.errors = sums->squares / (half * half),
					.spread = spread / (half * half),
					.rigid = rigid / (half * half),
					.angles = sums->normals.squares,
					.angle_count = sums->normals.count},
	};
}

static void add_squares(const snw_measure_squares *squares, snw_measure_squares *sums) {
	sums->errors += squares->errors;
	sums->spread += squares->spread;
	sums->rigid += squares->rigid;
	sums->angles += squares->angles;
	sums->angle_count += squares->angle_count;
}

snw_measure snw_measure_together(uint32_t count, const snw_measure *measures, uint32_t *farthest) {
	snw_measure all = {.frame_count = measures[0].frame_count,
					   .spill_mm = (double)NAN,
					   .spill_max_mm = (double)NAN,
					   .normals_max_degrees = (double)NAN};
	*farthest = 0;
	for (uint32_t i = 0; i < count; i++) {
		all.point_count += measures[i].point_count;
		all.normals_max_degrees = fmax(all.normals_max_degrees, measures[i].normals_max_degrees);
		*farthest = measures[i].max_percent > measures[*farthest].max_percent ? i : *farthest;
		add_squares(&measures[i].squares, &all.squares);
	}
	const snw_measure_squares *sums = &all.squares;
	all.erms = 1000 * sqrt(sums->errors / (3.0 * all.point_count * all.frame_count));
	all.distortion_percent = all.frame_count > 1 && sums->spread > 0 ? 100 * sqrt(sums->errors / sums->spread) : (double)NAN;
	all.enveloping_error = sums->rigid > 0 ? sqrt(sums->errors / sums->rigid) : (double)NAN;
	all.normals_degrees = sums->angle_count > 0 ? sqrt(sums->angles / (double)sums->angle_count) : (double)NAN;
	all.max_percent = measures[*farthest].max_percent;
	all.max_point = measures[*farthest].max_point;
	all.max_frame = measures[*farthest].max_frame;
	return count == 1 ? measures[0] : all;
}

/* ---- angles of normals --------------------------------------------------------------------------------------------------- */

struct snw_normal_comparison {
	uint32_t point_count;
	snw_arena *arena;
	snw_normal_plan *plan;
	float *points;                    /* [point_count][3] */
	float *expected, *actual, *given; /* normals, [point_count][3] */
};

double snw_normal_angles_mean(const snw_normal_angles *angles) {
	return angles->count > 0 ? sqrt(angles->squares / (double)angles->count) : (double)NAN;
}

double snw_normal_angles_most(const snw_normal_angles *angles) {
	return angles->count > 0 ? angles->most : (double)NAN;
}

snw_normal_comparison *snw_normal_comparison_create(const snw_mesh *mesh) {
	snw_arena *arena = snw_arena_create();
	snw_normal_comparison *comparison = SNW_NEW(arena, snw_normal_comparison);
	const size_t numbers = 3 * (size_t)mesh->point_count;
	*comparison = (snw_normal_comparison){
		.point_count = mesh->point_count,
		.arena = arena,
		.plan = snw_normal_plan_create(mesh),
		.points = SNW_NEW_ARRAY(arena, float, numbers),
		.expected = SNW_NEW_ARRAY(arena, float, numbers),
		.actual = SNW_NEW_ARRAY(arena, float, numbers),
		.given = SNW_NEW_ARRAY(arena, float, numbers),
	};
	return comparison;
}

void snw_normal_comparison_destroy(snw_normal_comparison *comparison) {
	if (comparison) {
		snw_normal_plan_destroy(comparison->plan);
		snw_arena_destroy(comparison->arena);
	}
}

static void normals_of(snw_normal_comparison *comparison, const double *points, float *normals) {
	for (size_t i = 0; i < 3 * (size_t)comparison->point_count; i++) {
		comparison->points[i] = (float)points[i];
	}
	snw_normals_of_points(comparison->plan, comparison->points, normals);
}

/* In degrees; negative if one of the two has no length. By the tangent: a cosine has no digits left for a small angle. */
static double angle_between(const float a[3], const float b[3]) {
	const double from[3] = {(double)a[0], (double)a[1], (double)a[2]}, to[3] = {(double)b[0], (double)b[1], (double)b[2]};
	double across[3];
	if (!(snw_dot3(from, from) > 0) || !(snw_dot3(to, to) > 0)) {
		return -1;
	}
	snw_cross3(from, to, across);
	return 180 / M_PI * atan2(snw_length3(across), snw_dot3(from, to));
}

static void add_angles(const snw_normal_comparison *comparison, const float *normals, const double *region,
					   snw_normal_angles *angles) {
	for (size_t i = 0; i < comparison->point_count; i++) {
		const double angle = region && region[i] < 0.5 ? -1 : angle_between(comparison->expected + 3 * i, normals + 3 * i);
		if (angle >= 0) {
			angles->squares += angle * angle;
			angles->most = fmax(angles->most, angle);
			angles->count++;
		}
	}
}

void snw_normal_angles_add_normals(snw_normal_comparison *comparison, const double *expected, const float *normals,
								   const double *region, snw_normal_angles *angles) {
	normals_of(comparison, expected, comparison->expected);
	add_angles(comparison, normals, region, angles);
}

void snw_normal_angles_add(snw_normal_comparison *comparison, const double *expected, const double *actual,
						   const double *region, snw_normal_angles *angles) {
	normals_of(comparison, actual, comparison->actual);
	snw_normal_angles_add_normals(comparison, expected, comparison->actual, region, angles);
}

void snw_normal_angles_add_stack(snw_normal_comparison *comparison, const double *expected, const double *actual,
								 const snw_stack *stack, const snw_evaluation *evaluation, uint32_t mesh, const double *region,
								 snw_normal_angles *angles) {
	if (snw_stack_normals(stack, evaluation, mesh, comparison->given)) {
		snw_normal_angles_add_normals(comparison, expected, comparison->given, region, angles);
	} else {
		snw_normal_angles_add(comparison, expected, actual, region, angles);
	}
}

/* ---- measures ------------------------------------------------------------------------------------------------------------ */

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
			snw_measure_spare_unedited(series, f, actual, expected, sums);
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
	const snw_stack *stack = NULL;
	snw_status status = snw_stack_borrow(scene, registry, &options, &building_task, &stack, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	status = sum_frames(stack, evaluation, request->mesh, series, task, arena, sums, error);
	snw_evaluation_destroy(evaluation);
	snw_stack_give_back(stack);
	return status;
}

/* The scene with the unedited points of the mesh's examples where the layers below put them. */
static snw_status place_unedited(const snw_scene *scene, const snw_registry *registry, uint32_t mesh, snw_arena *arena,
								 const snw_scene **placed, snw_error *error) {
	snw_scene *copy = snw_arena_copy(arena, scene, sizeof *scene);
	snw_example *examples = SNW_NEW_ARRAY(arena, snw_example, scene->example_count);
	for (uint32_t i = 0; i < scene->example_count; i++) {
		examples[i] = scene->examples[i];
		examples[i].edited = examples[i].mesh == mesh && !examples[i].muted ? examples[i].edited : NULL;
	}
	copy->arena = arena;
	copy->examples = examples;
	*placed = copy;
	return snw_examples_place_unedited(copy, registry, error);
}

static snw_status measure_in(const snw_scene *scene, const snw_registry *registry, const snw_measure_request *request,
							 const snw_task *task, snw_arena *arena, snw_measure *measure, snw_error *error) {
	snw_series series = {0};
	snw_measure_sums sums = {0};
	const bool is_source = request->method != NULL && strcmp(request->method, "source") == 0;
	const bool of_examples = request->target == SNW_NONE;
	const snw_scene *truth = scene;
	snw_status status =
		of_examples && !is_source ? place_unedited(scene, registry, request->mesh, arena, &truth, error) : SNW_OK;
	if (!snw_failed(status)) {
		status = of_examples ? snw_series_of_examples(truth, request->mesh, arena, &series, error)
							 : snw_series_of_target(scene, request->target, arena, &series, error);
	}
	series.region = request->region;
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

/* ---- leaving one out ----------------------------------------------------------------------------------------------------- */

/* Leave-one-out cross-validation: the result of a method at a pose whose example, or whose mesh in a set, was held out
 * (rotational regression, section 7.1). */

typedef struct validation {
	const snw_scene *scene;
	const snw_registry *registry;
	const snw_layer *layer;
	const snw_task *task;
	uint32_t set; /* SNW_NONE: the examples */
	snw_error *error;
} validation;

static double count_of(const validation *state) {
	return state->set == SNW_NONE ? state->scene->example_count : state->scene->targets[state->set].frame_count;
}

/* The layer's method over `fitted` at a pose, [point_count][3]. */
static snw_status evaluate_method(const validation *state, const snw_scene *fitted, uint32_t left_out, uint32_t mesh,
								  const snw_pose_view *pose, double *points) {
	const double count = count_of(state);
	snw_subtask part = {state->task, (left_out + 0.9) / count, (left_out + 1) / count};
	const snw_task task = snw_task_of_subtask(&part);
	const snw_stack_options options = {.method = state->layer->name, .below_layer = fitted->layer_count};
	snw_stack *stack = NULL;
	snw_status status = snw_stack_build(fitted, state->registry, &options, &task, &stack, state->error);
	if (snw_failed(status)) {
		return status;
	}
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	status = snw_stack_drive(stack, pose, evaluation, state->error);
	if (!snw_failed(status)) {
		status = snw_stack_reference(stack, evaluation, mesh, NULL, points, state->error);
	}
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
	return snw_failed(status) ? status : SNW_OK;
}

/* Fits without the left-out one. */
static snw_status fit_without(const validation *state, uint32_t left_out, snw_arena *arena, snw_scene **fitted) {
	const double count = count_of(state);
	snw_subtask part = {state->task, left_out / count, (left_out + 0.9) / count};
	const snw_task task = snw_task_of_subtask(&part);
	const snw_fit_request request = {
		.method = state->layer->deformer,
		.layer = state->layer->name,
		.setting_count = state->layer->setting_count,
		.settings = state->layer->settings,
		.left_out_example = state->set == SNW_NONE ? left_out : SNW_NONE,
	};
	snw_scene without = *state->scene;
	if (state->set != SNW_NONE) {
		without = snw_scene_without_frames(state->scene, state->set, (snw_frame_part){left_out, left_out + 1, 1}, arena);
	}
	snw_fit_outcome outcome = {.arena = arena};
	const snw_status status = snw_fit_run(&without, state->registry, &request, &task, &outcome, state->error);
	return snw_failed(status) ? status : snw_fit_apply(&without, &outcome, fitted, state->error);
}

/* Of the examples of the left-out one's mesh, or of the set; and which of its frames is left out. */
static snw_status open_left_out(const validation *state, uint32_t left_out, snw_arena *arena, snw_series *series,
								uint32_t *frame) {
	*frame = left_out;
	if (state->set != SNW_NONE) {
		return snw_series_of_target(state->scene, state->set, arena, series, state->error);
	}
	const snw_example *example = &state->scene->examples[left_out];
	const snw_status status = snw_series_of_examples(state->scene, example->mesh, arena, series, state->error);
	for (*frame = 0; !snw_failed(status) && series->frames[*frame].points != example->points_posed;) {
		(*frame)++;
	}
	return status;
}

/* One against its prediction. As in the paper, the rigid prediction is the best over all of them. */
static void measure_one(const snw_series *series, uint32_t frame, double *points, snw_arena *arena, snw_measure *measure) {
	const size_t numbers = 3 * (size_t)series->mesh->point_count;
	double *rigid = SNW_NEW_ARRAY(arena, double, series->frame_count), *expected = SNW_NEW_ARRAY(arena, double, numbers);
	snw_measure_sums sums = {0};
	snw_series_points(series, frame, expected);
	snw_series_rigid(series, rigid);
	snw_measure_spare_unedited(series, frame, points, expected, &sums);
	snw_measure_add(series, frame, expected, points, &sums);
	snw_normal_comparison *normals = snw_normal_comparison_create(series->mesh);
	snw_normal_angles_add(normals, expected, points, NULL, &sums.normals);
	snw_normal_comparison_destroy(normals);
	*measure = snw_measure_finish(series, 1, &sums, 0, rigid[frame]);
}

static snw_status validate_one(const validation *state, uint32_t left_out, snw_measure *measure) {
	snw_arena *arena = snw_arena_create();
	snw_scene *fitted = NULL;
	snw_series series = {0};
	uint32_t frame = 0;
	snw_status status = open_left_out(state, left_out, arena, &series, &frame);
	status = snw_failed(status) ? status : fit_without(state, left_out, arena, &fitted);
	if (!snw_failed(status)) {
		const uint32_t mesh = (uint32_t)(series.mesh - state->scene->meshes);
		double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)series.mesh->point_count);
		status = evaluate_method(state, fitted, left_out, mesh, series.frames[frame].pose, points);
		if (!snw_failed(status)) {
			measure_one(&series, frame, points, arena, measure);
		}
	}
	snw_scene_destroy(fitted);
	snw_arena_destroy(arena);
	return snw_failed(status) ? status : SNW_OK;
}

static bool is_muted(const validation *state, uint32_t index) {
	return state->set == SNW_NONE && state->scene->examples[index].muted;
}

static snw_status validate_all(const validation *state, snw_measure *measures) {
	const uint32_t count = (uint32_t)count_of(state);
	snw_measure *results = calloc(count, sizeof *results);
	if (results == NULL) {
		return snw_fail(state->error, SNW_ERROR_MEMORY, "no memory for %u measures", count);
	}
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < count && !snw_failed(status); i++) {
		status = is_muted(state, i) ? SNW_OK : validate_one(state, i, &results[i]);
	}
	for (uint32_t i = 0; i < count && !snw_failed(status); i++) {
		measures[i] = results[i];
	}
	free(results);
	return status;
}

static snw_status leave_each_out(const snw_scene *scene, const snw_registry *registry, const char *layer, uint32_t set,
								 const snw_task *task, snw_measure *measures, snw_error *error) {
	const uint32_t found = snw_scene_find_layer(scene, layer);
	if (found == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "no layer '%s' to leave examples out of; fit it first", layer);
	}
	const uint32_t count = set == SNW_NONE ? snw_scene_active_example_count(scene) : scene->targets[set].frame_count;
	if (count < 2) {
		return snw_fail(error, SNW_ERROR_MISSING, "leave-one-out needs at least two %s; this project has %u",
						set == SNW_NONE ? "examples" : "poses of a set", count);
	}
	const validation state = {scene, registry, &scene->layers[found], task, set, error};
	return validate_all(&state, measures);
}

snw_status snw_measure_leave_one_out(const snw_scene *scene, const snw_registry *registry, const char *layer,
									 const snw_task *task, snw_measure *measures, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_scene *seen = snw_scene_of_layer(scene, layer, arena); /* by the fit too */
	const snw_status status = leave_each_out(seen, registry, layer, SNW_NONE, task, measures, error);
	snw_arena_destroy(arena);
	return status;
}

snw_status snw_measure_leave_poses_out(const snw_scene *scene, const snw_registry *registry, const char *layer, uint32_t set,
									   const snw_task *task, snw_measure *measures, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_scene *seen = snw_scene_of_layer(scene, layer, arena);
	const snw_status status = leave_each_out(seen, registry, layer, set, task, measures, error);
	snw_arena_destroy(arena);
	return status;
}
