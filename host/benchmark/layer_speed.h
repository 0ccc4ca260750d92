/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long layers that run as black boxes take, compared with a copy of their points in the same run.
 */
#ifndef SINEW_HOST_BENCHMARK_LAYER_SPEED_H
#define SINEW_HOST_BENCHMARK_LAYER_SPEED_H

#include "base/arena.h"
#include "base/error.h"
#include "plugin/registry.h"
#include "task/task.h"

typedef struct snw_bench_layer_row {
	const char *method;
	uint32_t points, threads;
	uint32_t passes;
	/* Of the layer: the time of a stack with it minus that of the stack without it, the shortest of many runs of each. */
	double seconds;
	double copy_seconds; /* of a memcpy of its points for each pass, on one thread */
	double points_a_second;
	double isolated_seconds; /* as `seconds`, in a plug-in process, timed in turn with it */
	/* The same of the medians of all runs, `rounds` of each, which show what else the machine did. */
	double median_seconds, isolated_median_seconds;
	uint32_t rounds;
} snw_bench_layer_row;

/* A synthetic limb of about `point_count` points at its pose, under its blend and then under each method that binds and does
 * not lower, with default settings: on one thread, then on all. The rows are in `arena`. SNW_ERROR_MISSING if there is no
 * such method. `isolated` has the same plug-ins in processes of their own. Sets the number of threads while it runs, and
 * restores it. */
snw_status snw_bench_layers(const snw_registry *registry, const snw_registry *isolated, uint32_t point_count, double seconds,
							const snw_task *task, snw_arena *arena, snw_bench_layer_row **rows, uint32_t *count,
							snw_error *error);

#endif
