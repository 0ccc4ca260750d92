/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long a dab takes: from the mouse's ray to points, normals and index brought up to date, before drawing.
 */
#ifndef SINEW_HOST_MEASURE_BENCH_SCULPT_H
#define SINEW_HOST_MEASURE_BENCH_SCULPT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/task.h"

typedef struct snw_bench_sculpt_options {
	uint32_t point_count; /* about; 0: 100,000 */
	double covered;       /* the part of all points that a dab reaches; 0: 0.1 */
	double seconds;       /* for each row, about, and at least 200 dabs; 0: 0.2 */
} snw_bench_sculpt_options;

typedef struct snw_bench_sculpt_row {
	const char *brush;
	bool volume;    /* else along the surface */
	bool symmetric; /* both sides: twice as many points */
	uint32_t threads;
	uint32_t points, reached; /* of the mesh; by a dab, the median */
	uint32_t dabs;
	double median_seconds, p95_seconds, p99_seconds, longest_seconds;
	/* What tells our own time from that which others took: of a dab, what all threads were running together, 99 in 100; and of the
	 * row, how often a thread had to give way to another program, and how often memory was met for the first time. */
	double p99_busy_seconds;
	uint32_t preemptions, page_faults;
} snw_bench_sculpt_row;

/* Each brush along the surface and through the air, on as many threads as there are now, then on one; with symmetry along the
 * surface. A closed mesh of bent quads, symmetric about x = 0; strokes of ten dabs at places that are the same in every run;
 * the time of a stroke's begin counts with its first dab. A first row, "begin a session", times that: `dabs` sessions. The rows
 * are in `arena`. SNW_CANCELLED where the task says stop. Sets the number of threads while it runs and puts it back. */
snw_status snw_bench_sculpt(const snw_bench_sculpt_options *options, const snw_task *task, snw_arena *arena,
							snw_bench_sculpt_row **rows, uint32_t *count, snw_error *error);

#endif
