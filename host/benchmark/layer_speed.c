/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "benchmark/layer_speed.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "pose/pose.h"
#include "sample/limb/limb.h"
#include "stack/stack.h"
#include "task/parallel.h"

enum { LEAST_ROUNDS = 3 };

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

/* The shortest run of as many as fit into `seconds`. */
static snw_status time_subject(const subject *s, double seconds, double *shortest, snw_error *error) {
	const double begin = snw_clock_seconds();
	snw_status status = SNW_OK;
	*shortest = INFINITY;
	for (int round = 0; !snw_failed(status) && (round < LEAST_ROUNDS || snw_clock_seconds() - begin < seconds); round++) {
		const double before = snw_clock_seconds();
		status = snw_stack_run(s->stack, s->evaluation, 0, s->points, error);
		*shortest = fmin(*shortest, snw_clock_seconds() - before);
	}
	return status;
}

static double time_copy(uint32_t point_count, double seconds, snw_arena *arena) {
	const size_t bytes = 3 * (size_t)point_count * sizeof(double);
	unsigned char *from = SNW_NEW_ARRAY(arena, unsigned char, bytes), *to = SNW_NEW_ARRAY(arena, unsigned char, bytes);
	const double begin = snw_clock_seconds();
	double shortest = INFINITY;
	for (int round = 0; round < LEAST_ROUNDS || snw_clock_seconds() - begin < seconds; round++) {
		const double before = snw_clock_seconds();
		memcpy(to, from, bytes);
		/* Keeps the compiler from removing the copy. */
		__asm__ volatile("" : : "r"(to) : "memory");
		shortest = fmin(shortest, snw_clock_seconds() - before);
	}
	return shortest;
}

/* Fills a row, on the current number of threads. `row` has its method and points. */
static snw_status time_row(const subject *without, const subject *with, double seconds, snw_arena *arena,
						   snw_bench_layer_row *row, snw_error *error) {
	double below = 0, all = 0;
	snw_status status = time_subject(without, seconds, &below, error);
	status = snw_failed(status) ? status : time_subject(with, seconds, &all, error);
	row->threads = snw_parallel_thread_count();
	row->seconds = fmax(all - below, 1e-9);
	row->points_a_second = row->points / row->seconds;
	row->copy_seconds = row->passes * time_copy(row->points, seconds, arena);
	return status;
}

static snw_status time_method(const snw_scene *scene, const snw_registry *registry, const char *method, double seconds,
							  snw_arena *arena, snw_bench_layer_row rows[2], snw_error *error) {
	const uint32_t threads = snw_parallel_thread_count();
	subject without = {0}, with = {0};
	snw_status status = open_subject(scene, registry, NULL, arena, &without, error);
	status = snw_failed(status) ? status : open_subject(scene, registry, method, arena, &with, error);
	for (int r = 0; !snw_failed(status) && r < 2; r++) {
		snw_parallel_threads(r == 0 ? 1 : threads);
		rows[r] = (snw_bench_layer_row){
			.method = method, .points = scene->meshes[0].point_count, .passes = snw_stack_rings(with.stack, 0)};
		status = time_row(&without, &with, seconds, arena, &rows[r], error);
	}
	snw_parallel_threads(threads);
	close_subject(&with);
	close_subject(&without);
	return status;
}

/* A method that binds, and moves points by their neighbours. */
static bool is_timed(const snw_deformer *deformer) {
	const snw_descriptor *d = deformer ? deformer->descriptor : NULL;
	return d && (d->traits & SNW_BINDS) && !(d->traits & SNW_REPLACES_BLEND) && d->rings > 0 && d->rings != SNW_NONE;
}

snw_status snw_bench_layers(const snw_registry *registry, uint32_t point_count, double seconds, const snw_task *task,
							snw_arena *arena, snw_bench_layer_row **rows, uint32_t *count, snw_error *error) {
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
		status = time_method(scene, registry, deformer->descriptor->short_name, seconds, arena, *rows + *count, error);
		*count += 2;
	}
	if (!snw_failed(status) && *count == 0) {
		status = snw_fail(error, SNW_ERROR_MISSING,
						  "no plug-in that binds and moves points by their neighbours is on the search path");
	}
	snw_scene_destroy(scene);
	return status;
}
