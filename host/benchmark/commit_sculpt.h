/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time from the end of a stroke to the fitted corrective.
 */
#ifndef SINEW_HOST_BENCHMARK_COMMIT_SCULPT_H
#define SINEW_HOST_BENCHMARK_COMMIT_SCULPT_H

#include "base/arena.h"
#include "base/error.h"
#include "plugin/registry.h"
#include "task/task.h"

typedef struct snw_bench_commit_row {
	const char *character;
	uint32_t points, edited; /* of the mesh; of the sculpt, after the last stroke */
	uint32_t strokes;
	/* Medians over the strokes. Fit: inverting the sculpt through the stack, and interpolating. Keep: also storing the
	 * example and the model in the project, as one step, flushed to disk. Show: reading the project again, building the
	 * stack, and running it at the pose. */
	double fit_seconds, commit_seconds, show_seconds;
} snw_bench_commit_row;

enum { SNW_BENCH_COMMIT_ROWS = 3 };

/* The sample arm with every point edited; and a synthetic limb of about `point_count` points with strokes that cover a
 * tenth, then with every point edited. Fitted by `method`. Projects are written into `folder` and removed. The rows are in
 * `arena`. */
snw_status snw_bench_commit(const snw_registry *registry, const char *method, uint32_t point_count, const char *folder,
							const snw_task *task, snw_arena *arena, snw_bench_commit_row rows[SNW_BENCH_COMMIT_ROWS],
							snw_error *error);

#endif
