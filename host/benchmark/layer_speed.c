/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "benchmark/benchmark.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "pose/pose.h"
#include "sample/limbs.h"
#include "sinew/kit/clock.h"
#include "stack/stack.h"
#include "task/task.h"

enum { LEAST_ROUNDS = 3, MOST_ROUNDS = 4000 };

/* A stack that is run repeatedly at one pose. */
typedef struct subject {
	snw_stack *stack;
	snw_evaluation *evaluation;
	float *points;
} subject;

static void close_subject(subject *s) {
	snw_evaluation_destroy(s->evaluation);
	snw_stack_destroy(s->stack);
}

static snw_status open_subject(const snw_scene *scene, const snw_registry *registry, const char *method, snw_arena *arena,
							   subject *s, snw_error *error) {
	const snw_stack_options options = {.method = method};
	*s = (subject){.points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)scene->meshes[0].point_count)};
	snw_status status = snw_stack_build(scene, registry, &options, NULL, &s->stack, error);
	if (!snw_failed(status)) {
		const snw_pose *pose = &scene->poses[snw_scene_find_pose(scene, "bent")];
		s->evaluation = snw_evaluation_create(s->stack);
		status = snw_stack_drive(s->stack, snw_pose_view_make(scene, pose, arena), s->evaluation, error);
	}
	return status;
}

/* The seconds of each run. */
typedef struct timed_runs {
	double seconds[MOST_ROUNDS];
	uint32_t count;
} timed_runs;

static snw_status time_run(const subject *s, timed_runs *runs, snw_error *error) {
	const double before = snk_clock_seconds();
	const snw_status status = snw_stack_run(s->stack, s->evaluation, 0, s->points, error);
	runs->seconds[runs->count++] = snk_clock_seconds() - before;
	return status;
}

static double time_copy(uint32_t point_count, double seconds, snw_arena *arena) {
	const size_t bytes = 3 * (size_t)point_count * sizeof(double);
	unsigned char *from = SNW_NEW_ARRAY(arena, unsigned char, bytes), *to = SNW_NEW_ARRAY(arena, unsigned char, bytes);
	const double begin = snk_clock_seconds();
	double shortest = (double)INFINITY;
	for (int round = 0; round < LEAST_ROUNDS || snk_clock_seconds() - begin < seconds; round++) {
		const double before = snk_clock_seconds();
		memcpy(to, from, bytes);
		/* Keeps the compiler from removing the copy. */
		__asm__ volatile("" : : "r"(to) : "memory");
		shortest = fmin(shortest, snk_clock_seconds() - before);
	}
	return shortest;
}

/* Sorts the runs of each. What a layer takes is the difference of two shortest runs, or of two medians. */
static void fill_row(timed_runs runs[3], snw_bench_layer_row *row) {
	double shortest[3], median[3];
	for (int i = 0; i < 3; i++) {
		snw_sort_numbers(runs[i].seconds, runs[i].count);
		shortest[i] = runs[i].seconds[0];
		median[i] = runs[i].seconds[runs[i].count / 2];
	}
	row->rounds = runs[0].count;
	row->seconds = fmax(shortest[1] - shortest[0], 1e-9);
	row->isolated_seconds = fmax(shortest[2] - shortest[0], 1e-9);
	row->median_seconds = fmax(median[1] - median[0], 1e-9);
	row->isolated_median_seconds = fmax(median[2] - median[0], 1e-9);
	row->points_a_second = row->points / row->seconds;
}

/* Fills a row, on the current number of threads. `row` has its method and points. */
static snw_status time_row(const subject *without, const subject *with, const subject *apart, double seconds, snw_arena *arena,
						   snw_bench_layer_row *row, snw_error *error) {
	timed_runs *runs = SNW_NEW_ARRAY(arena, timed_runs, 3);
	const double begin = snk_clock_seconds();
	snw_status status = SNW_OK;
	/* One run of each in turn, so that what else the machine does meets all alike. */
	for (int round = 0;
		 !snw_failed(status) && round < MOST_ROUNDS && (round < LEAST_ROUNDS || snk_clock_seconds() - begin < 3 * seconds);
		 round++) {
		status = time_run(without, &runs[0], error);
		status = snw_failed(status) ? status : time_run(with, &runs[1], error);
		status = snw_failed(status) ? status : time_run(apart, &runs[2], error);
	}
	row->threads = snw_parallel_thread_count();
	if (!snw_failed(status)) {
		fill_row(runs, row);
		row->copy_seconds = row->passes * time_copy(row->points, seconds, arena);
	}
	return status;
}

static snw_status time_method(const snw_scene *scene, const snw_registry *registry, const snw_registry *isolated,
							  const char *method, double seconds, snw_arena *arena, snw_bench_layer_row rows[2],
							  snw_error *error) {
	const uint32_t threads = snw_parallel_thread_count();
	subject without = {0}, with = {0}, apart = {0};
	snw_status status = open_subject(scene, registry, NULL, arena, &without, error);
	status = snw_failed(status) ? status : open_subject(scene, registry, method, arena, &with, error);
	status = snw_failed(status) ? status : open_subject(scene, isolated, method, arena, &apart, error);
	for (int r = 0; !snw_failed(status) && r < 2; r++) {
		snw_parallel_threads(r == 0 ? 1 : threads);
		rows[r] = (snw_bench_layer_row){
			.method = method, .points = scene->meshes[0].point_count, .passes = snw_stack_rings(with.stack, 0)};
		status = time_row(&without, &with, &apart, seconds, arena, &rows[r], error);
	}
	snw_parallel_threads(threads);
	close_subject(&apart);
	close_subject(&with);
	close_subject(&without);
	return status;
}

/* A method that binds, and moves points by their neighbours. */
static bool is_timed(const snw_deformer *deformer) {
	const snw_descriptor *d = deformer ? deformer->descriptor : NULL;
	return d && (d->traits & SNW_BINDS) && !(d->traits & SNW_REPLACES_BLEND) && d->rings > 0 && d->rings != SNW_NONE;
}

snw_status snw_bench_layers(const snw_registry *registry, const snw_registry *isolated, uint32_t point_count, double seconds,
							const snw_task *task, snw_arena *arena, snw_bench_layer_row **rows, uint32_t *count,
							snw_error *error) {
	const uint32_t plugins = snw_registry_count(registry);
	snw_scene *scene = snw_limb_make(point_count);
	snw_status status = SNW_OK;
	*rows = SNW_NEW_ARRAY(arena, snw_bench_layer_row, 2 * (size_t)plugins);
	*count = 0;
	for (uint32_t i = 0; !snw_failed(status) && i < plugins; i++) {
		const snw_deformer *deformer = snw_registry_get(registry, i)->deformer;
		if (!is_timed(deformer)) {
			continue;
		}
		if (!snw_task_progress(task, (double)i / plugins, "timing layers")) {
			status = snw_fail(error, SNW_CANCELLED, "the benchmark was cancelled");
			break;
		}
		status =
			time_method(scene, registry, isolated, deformer->descriptor->short_name, seconds, arena, *rows + *count, error);
		*count += 2;
	}
	if (!snw_failed(status) && *count == 0) {
		status = snw_fail(error, SNW_ERROR_MISSING,
						  "no plug-in that binds and moves points by their neighbours is on the search path");
	}
	snw_scene_destroy(scene);
	return status;
}
