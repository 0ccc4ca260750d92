/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long a dab takes: from the ray of the mouse to updated points, normals and index, and the list of points to send to
 * the graphics card; without drawing.
 *
 * The time of the code is separated from the noise of the machine in two ways. Every stroke is repeated several times: the
 * mesh is restored between strokes, so each repeat does exactly the same work (which is checked), and the shortest time of a
 * dab is the closest to that of the code. And between the repeats a piece of plain arithmetic that calls nothing of Sinew,
 * about as long as a dab, is timed: the variation of its times is due to the machine.
 */
#ifndef SINEW_HOST_BENCHMARK_DABS_H
#define SINEW_HOST_BENCHMARK_DABS_H

#include "base/arena.h"
#include "base/error.h"
#include "task/task.h"

typedef struct snw_bench_sculpt_options {
	uint32_t point_count; /* about; 0: 100,000 */
	double covered;       /* the share of all points that a dab reaches; 0: 0.1 */
	double seconds;       /* about, for each row and repeat, at least 200 dabs; 0: 0.2 */
	uint32_t repeats;     /* repeats of each stroke, up to 20; 0: 5 */
} snw_bench_sculpt_options;

/* Statistics of a row's times. */
typedef struct snw_bench_times {
	double median_seconds, p95_seconds, p99_seconds, longest_seconds;
} snw_bench_times;

typedef struct snw_bench_sculpt_row {
	const char *brush;
	bool volume;    /* distances through space; otherwise along the surface */
	bool symmetric; /* both sides: twice as many points */
	uint32_t threads;
	uint32_t points, reached; /* of the mesh; by a dab, the median */
	uint32_t dabs, repeats;   /* different dabs, and repeats of each */
	snw_bench_times all;      /* of all dabs of all repeats */
	snw_bench_times best;     /* of the shortest repeat of each dab */
	/* The time that all threads together were running, 99th percentile, over all dabs. And for the whole row: how often a
	 * thread was preempted, and the number of page faults. */
	double p99_busy_seconds;
	uint32_t preemptions, page_faults;
} snw_bench_sculpt_row;

/* The plain arithmetic: always the same work, on one thread, about 2 ms. */
typedef struct snw_bench_reference {
	uint32_t pieces;
	snw_bench_times times;
} snw_bench_reference;

typedef struct snw_bench_sculpt_table {
	uint32_t row_count;
	snw_bench_sculpt_row *rows;
	snw_bench_reference reference;
} snw_bench_sculpt_table;

/* Each brush along the surface and through space, on the current number of threads, then on one; with symmetry along the
 * surface. The mesh is closed, of quads, symmetric about x = 0; each stroke has ten dabs at places that are the same in
 * every run. All strokes of a row are done once, then all again, so that a short disturbance does not affect every repeat of
 * a dab. The time to begin a stroke counts for its first dab. A first row, "begin a sculpt", times that: `dabs` is the
 * number of sculpts. The rows are in `arena`. SNW_CANCELLED if the task is stopped; SNW_ERROR_CONFLICT if a repeat gives
 * another result, which is a bug. Sets the number of threads while it runs, and restores it. */
snw_status snw_bench_sculpt(const snw_bench_sculpt_options *options, const snw_task *task, snw_arena *arena,
							snw_bench_sculpt_table *answer, snw_error *error);

#endif
