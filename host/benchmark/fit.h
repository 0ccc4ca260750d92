/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long a method takes to make a skin from a mesh animation, and its error: one fit at a time, in this process.
 */
#ifndef SINEW_HOST_BENCHMARK_FIT_H
#define SINEW_HOST_BENCHMARK_FIT_H

#include "plugin/registry.h"
#include "scene/scene.h"
#include "task/task.h"

/* A number that a method reported (snw_task_service). */
typedef struct snw_bench_part {
	const char *name;
	double value;
	const char *unit; /* "s"; "" for a count */
} snw_bench_part;
enum { SNW_BENCH_PARTS = 32 };

typedef struct snw_bench_fit_row {
	const char *settings; /* "joints=100 transforms=rigid" */
	uint32_t points, frames;
	double seconds;            /* of the fit; the shortest repeat */
	double processor_seconds;  /* CPU time of all threads, which other work on the machine does not lengthen */
	double erms;               /* as in measure/measure.h, against the first sequence */
	double distortion_percent; /* NaN if not defined */
	double max_percent;
	uint32_t part_count; /* measurements of the shortest fit: at most SNW_BENCH_PARTS */
	snw_bench_part *parts;
} snw_bench_fit_row;

/* A synthetic, smooth sheet without a rig, of about this many points, that waves for this many frames. */
snw_scene *snw_bench_sheet(uint32_t points, uint32_t frames);

/* Fits `method` to the scene, `repeats` times, and measures it. `settings` are words "key=value" separated by spaces; if a
 * key is repeated, the last counts. The row is in `arena`. SNW_CANCELLED if the task is stopped. */
snw_status snw_bench_fit(const snw_scene *scene, const snw_registry *registry, const char *method, const char *settings,
						 uint32_t repeats, const snw_task *task, snw_arena *arena, snw_bench_fit_row *row, snw_error *error);

#endif
