/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/score.h"

#include <math.h>
#include <string.h>

#include "export/export.h"
#include "sinew/kit/clock.h"
#include "task/parallel.h"

/* ---- what it costs to run ------------------------------------------------------------------------------------------------ */

enum { POSES = 4, ROUNDS = 15 };
static const double ENOUGH_SECONDS = 1.5; /* of one stack at one pose; slow stacks get fewer rounds */

/* ---- counts -------------------------------------------------------------------------------------------------------------- */

/* Operations of a blend: for each influence, and for each point. A linear blend sums weighted 3×4 matrices, then applies the
 * sum; an affine one applies each matrix to its own vector; dual quaternions are summed, normalised and applied. */
typedef struct blend_operations {
	uint32_t influence, point, influence_floats;
} blend_operations;

static const blend_operations operations_of[] = {
	[SNW_BLEND_NONE] = {0, 0, 0},
	[SNW_BLEND_LINEAR] = {24, 18, 2},
	[SNW_BLEND_AFFINE] = {24, 0, 5},
	[SNW_BLEND_DUAL_QUATERNION] = {16, 70, 2},
};

static void count_program(const snw_program *program, snw_compare_cost *cost) {
	enum { DISPLACED_REST = 6, DISPLACED_POSED = 24, COMBINED = 6 };
	const blend_operations *blend = &operations_of[program->blend];
	const uint64_t influences = program->influence_offsets ? program->influence_offsets[program->point_count] : 0;
	const uint64_t rest = program->rest.count > 0 ? program->rest.offsets[program->rest.count] : 0;
	const uint64_t posed = program->posed.count > 0 ? program->posed.offsets[program->posed.count] : 0;
	const uint64_t slots = program->slot_count;
	const uint64_t dense = program->combined ? 4 * slots * program->combined_count : 0;
	const uint64_t sparse = program->combined_slots ? 4 * (uint64_t)program->combined_slots->offsets[slots] : 0;
	cost->influences += influences;
	cost->displaced += rest + posed;
	cost->combined += dense + sparse;
	cost->operations += influences * blend->influence + (uint64_t)program->point_count * blend->point + rest * DISPLACED_REST +
						posed * DISPLACED_POSED + (dense + sparse) * COMBINED;
	cost->bytes += 4 * (3 * (uint64_t)program->point_count + influences * blend->influence_floats + 4 * (rest + posed) + dense +
						sparse + sparse / 4);
}

static void count(const snw_stack *stack, uint32_t mesh, snw_compare_cost *cost) {
	cost->is_counted = true;
	for (uint32_t s = 0; s < snw_stack_segment_count(stack, mesh); s++) {
		const snw_segment_info info = snw_stack_segment(stack, mesh, s);
		cost->is_counted = cost->is_counted && info.is_program;
		if (info.program) {
			count_program(info.program, cost);
		}
	}
}

/* ---- seconds ------------------------------------------------------------------------------------------------------------- */

typedef struct timed_stack {
	const snw_stack *stack;
	snw_evaluation *evaluation;
	double shortest, all; /* seconds, at the current pose */
} timed_stack;

static snw_status run_once(timed_stack *timed, const snw_pose_view *pose, uint32_t mesh, float *points, snw_error *error) {
	const double before = snk_clock_seconds();
	snw_status status = snw_stack_drive(timed->stack, pose, timed->evaluation, error);
	status = snw_failed(status) ? status : snw_stack_run(timed->stack, timed->evaluation, mesh, points, error);
	const double seconds = snk_clock_seconds() - before;
	timed->shortest = fmin(timed->shortest, seconds);
	timed->all += seconds;
	return status;
}

snw_status snw_compare_cost_find(const snw_stack *stack, const snw_stack *baseline, uint32_t mesh, const snw_series *series,
								 snw_compare_cost *cost, snw_error *error) {
	timed_stack timed[2] = {{.stack = baseline, .evaluation = snw_evaluation_create(baseline)},
							{.stack = stack, .evaluation = snw_evaluation_create(stack)}};
	snw_arena *arena = snw_arena_create();
	float *points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)series->mesh->point_count);
	const uint32_t poses = series->frame_count < POSES ? series->frame_count : POSES;
	double sums[2] = {0};
	snw_status status = SNW_OK;
	const uint32_t threads = snw_parallel_thread_count();
	*cost = (snw_compare_cost){0};
	count(stack, mesh, cost);
	snw_parallel_threads(1); /* several would wait for what else the machine does */
	for (uint32_t p = 0; p < poses && !snw_failed(status); p++) {
		const snw_pose_view *pose = series->frames[(uint64_t)p * series->frame_count / poses].pose;
		timed[0].shortest = timed[1].shortest = INFINITY;
		timed[0].all = timed[1].all = 0;
		for (int round = 0; round < ROUNDS && !snw_failed(status) && timed[1].all * poses < ENOUGH_SECONDS; round++) {
			for (int t = 0; t < 2 && !snw_failed(status); t++) {
				status = run_once(&timed[t], pose, mesh, points, error);
			}
		}
		sums[0] += timed[0].shortest;
		sums[1] += timed[1].shortest;
	}
	snw_parallel_threads(threads);
	cost->seconds = sums[1] / poses;
	cost->ratio = sums[1] / sums[0];
	snw_evaluation_destroy(timed[0].evaluation);
	snw_evaluation_destroy(timed[1].evaluation);
	snw_arena_destroy(arena);
	return snw_failed(status) ? status : SNW_OK;
}

/* ---- what an export loses ------------------------------------------------------------------------------------------------ */

/* The notices of an export, and its progress passed on. */
typedef struct listener {
	const snw_task *task;
	snw_arena *arena;
	const char *words; /* NULL for none */
} listener;

static bool pass_progress(void *context, double fraction, const char *activity) {
	return snw_task_progress(((const listener *)context)->task, fraction, activity);
}

static void keep_notice(void *context, snw_log_level level, const char *line) {
	listener *l = context;
	(void)level;
	if (!l->words || !strstr(l->words, line)) {
		l->words = snw_arena_format(l->arena, "%s%s%s", l->words ? l->words : "", l->words ? "; " : "", line);
	}
}

snw_status snw_compare_loss_find(const snw_scene *scene, const snw_stack *stack, uint32_t clip, const snw_task *task,
								 snw_arena *arena, snw_compare_loss *loss, snw_error *error) {
	listener l = {.task = task, .arena = arena};
	const snw_task listening = {.context = &l, .progress = pass_progress, .notice = keep_notice};
	const snw_export_request request = {.mesh = SNW_NONE, .clip = clip, .influences = 4};
	snw_export_report report = {0};
	snw_error reason = {0};
	const snw_status status = snw_export_losses(scene, stack, &request, &listening, &report, &reason);
	if (status == SNW_CANCELLED) {
		return snw_fail(error, status, "the comparison was cancelled");
	}
	*loss = (snw_compare_loss){
		.is_known = !snw_failed(status),
		.erms = report.playback_erms,
		.max_percent = report.playback_max_percent,
		.normals_degrees = report.playback_normals_degrees,
		.source_erms = report.source_erms,
		.morph_count = report.morph_count,
		.proxy_count = report.proxy_count,
		.words = snw_failed(status) ? snw_arena_text(arena, reason.text) : l.words,
	};
	return SNW_OK;
}

/* ---- scores -------------------------------------------------------------------------------------------------------------- */

snw_scored_series snw_scored_series_make(const snw_series *series) {
	snw_scored_series scored = {.series = *series, .spread = snw_series_spread(series)};
	snw_arena *arena = snw_arena_create();
	double *rigid = SNW_NEW_ARRAY(arena, double, series->frame_count);
	snw_series_rigid(series, rigid);
	for (uint32_t f = 0; f < series->frame_count; f++) {
		scored.rigid += rigid[f];
	}
	snw_arena_destroy(arena);
	return scored;
}

double snw_scored_series_rigid_erms(const snw_scored_series *scored) {
	const snw_measure_sums sums = {.squares = scored->rigid};
	return snw_measure_finish(&scored->series, scored->series.frame_count, &sums, 0, 0).erms;
}

snw_tally snw_tally_begin(const snw_scored_series *scored, snw_arena *arena) {
	return (snw_tally){.scored = scored, .point_squares = SNW_NEW_ARRAY(arena, double, scored->series.mesh->point_count)};
}

static void add_frame(snw_tally *tally, uint32_t frame, const double *expected, const double *actual, double *distances) {
	const uint32_t points = tally->scored->series.mesh->point_count;
	snw_measure_add(&tally->scored->series, frame, expected, actual, &tally->sums);
	snw_measure_distances(points, expected, actual, distances);
	for (uint32_t i = 0; i < points; i++) {
		tally->point_squares[i] += distances[i] * distances[i];
	}
	tally->frame_count++;
}

snw_status snw_tally_frames(snw_tally *tally, const snw_stack *stack, uint32_t mesh, uint32_t begin, uint32_t end,
							const snw_task *task, snw_error *error) {
	const snw_series *series = &tally->scored->series;
	const size_t points = series->mesh->point_count;
	snw_arena *arena = snw_arena_create();
	double *expected = SNW_NEW_ARRAY(arena, double, 3 * points), *actual = SNW_NEW_ARRAY(arena, double, 3 * points);
	double *distances = SNW_NEW_ARRAY(arena, double, points);
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	snw_normal_comparison *normals = snw_normal_comparison_create(series->mesh);
	snw_status status = SNW_OK;
	for (uint32_t f = begin; f < end && !snw_failed(status); f++) {
		if (!snw_task_progress(task, (double)(f - begin) / (end - begin), "measuring")) {
			status = snw_fail(error, SNW_CANCELLED, "the comparison was cancelled");
			break;
		}
		status = snw_stack_drive(stack, series->frames[f].pose, evaluation, error);
		status = snw_failed(status) ? status : snw_stack_reference(stack, evaluation, mesh, NULL, actual, error);
		if (!snw_failed(status)) {
			snw_series_points(series, f, expected);
			snw_measure_spare_unedited(series, f, actual, expected, &tally->sums);
			add_frame(tally, f, expected, actual, distances);
			snw_normal_angles_add_stack(normals, expected, actual, stack, evaluation, mesh, NULL, &tally->sums.normals);
		}
	}
	snw_normal_comparison_destroy(normals);
	snw_evaluation_destroy(evaluation);
	snw_arena_destroy(arena);
	return snw_failed(status) ? status : SNW_OK;
}

/* The mean of the points' errors and their standard deviation. */
static void spread_over_points(const snw_tally *tally, double *mean, double *spread) {
	const uint32_t points = tally->scored->series.mesh->point_count;
	double squares = 0;
	*mean = 0;
	for (uint32_t i = 0; i < points; i++) {
		*mean += sqrt(tally->point_squares[i] / tally->frame_count) / points;
		squares += tally->point_squares[i] / tally->frame_count / points;
	}
	*spread = sqrt(fmax(0, squares - *mean * *mean));
}

snw_compare_score snw_tally_score(const snw_tally *tally) {
	const snw_scored_series *scored = tally->scored;
	const snw_series *series = &scored->series;
	snw_compare_score score = {
		.is_known = true,
		.measure = snw_measure_finish(series, tally->frame_count, &tally->sums, scored->spread, scored->rigid),
	};
	const double rigid = sqrt(scored->rigid / series->frame_count / series->mesh->point_count);
	double mean, spread;
	spread_over_points(tally, &mean, &spread);
	score.point_mean_percent = rigid > 0 ? 100 * mean / rigid : (double)NAN;
	score.point_spread_percent = rigid > 0 ? 100 * spread / rigid : (double)NAN;
	return score;
}
