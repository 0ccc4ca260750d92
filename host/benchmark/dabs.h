/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long a dab takes: from the mouse's ray to points, normals and index brought up to date and the list of what to send to the
 * graphics card, before drawing.
 *
 * What the code needs and what the machine adds are told apart in two ways. Every stroke is played several times: the mesh is put
 * back between strokes, so a play is the same work to the last bit, which is checked, and the least of a dab's times is nearer to
 * what the code needs. And between the plays a piece of plain arithmetic that calls nothing of Sinew is timed, as long as a dab:
 * what its times are apart, the machine adds.
 */
#ifndef SINEW_HOST_BENCHMARK_DABS_H
#define SINEW_HOST_BENCHMARK_DABS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/task.h"

typedef struct snw_bench_sculpt_options {
	uint32_t point_count; /* about; 0: 100,000 */
	double covered;       /* the part of all points that a dab reaches; 0: 0.1 */
	double seconds;       /* for each row and play, about, and at least 200 dabs; 0: 0.2 */
	uint32_t plays;       /* of each stroke, up to 20; 0: 5 */
} snw_bench_sculpt_options;

/* Of a row's times. */
typedef struct snw_bench_times {
	double median_seconds, p95_seconds, p99_seconds, longest_seconds;
} snw_bench_times;

typedef struct snw_bench_sculpt_row {
	const char *brush;
	bool volume;    /* else along the surface */
	bool symmetric; /* both sides: twice as many points */
	uint32_t threads;
	uint32_t points, reached; /* of the mesh; by a dab, the median */
	uint32_t dabs, plays;     /* different dabs, and how often each was played */
	snw_bench_times came;     /* of all dabs of all plays, as they came */
	snw_bench_times best;     /* of each dab's shortest play */
	/* Of a dab as it came, what all threads were running together, 99 in 100; and of the row, how often a thread had to give way
	 * to another program, and how often memory was met for the first time. */
	double p99_busy_seconds;
	uint32_t preemptions, page_faults;
} snw_bench_sculpt_row;

/* The plain arithmetic: always the same, on one thread, about 2 ms long. */
typedef struct snw_bench_reference {
	uint32_t pieces;
	snw_bench_times times;
} snw_bench_reference;

typedef struct snw_bench_sculpt_table {
	uint32_t row_count;
	snw_bench_sculpt_row *rows;
	snw_bench_reference reference;
} snw_bench_sculpt_table;

/* Each brush along the surface and through the air, on as many threads as there are now, then on one; with symmetry along the
 * surface. A closed mesh of bent quads, symmetric about x = 0; strokes of ten dabs at places that are the same in every run; all
 * strokes of a row are played, then all again, so that whatever stops the machine for a moment does not meet every play of a dab.
 * The time of a stroke's begin counts with its first dab. A first row, "begin a session", times that: `dabs` sessions. The rows
 * are in `arena`. SNW_CANCELLED where the task says stop; SNW_ERROR_CONFLICT where a play differs from the first, by a fault of
 * ours. Sets the number of threads while it runs and puts it back. */
snw_status snw_bench_sculpt(const snw_bench_sculpt_options *options, const snw_task *task, snw_arena *arena,
							snw_bench_sculpt_table *answer, snw_error *error);

#endif
