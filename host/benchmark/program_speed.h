/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The speed of skin programs on this machine: points a second, compared with memcpy in the same run.
 */
#ifndef SINEW_HOST_BENCHMARK_PROGRAM_SPEED_H
#define SINEW_HOST_BENCHMARK_PROGRAM_SPEED_H

#include "base/arena.h"
#include "base/error.h"
#include "task/task.h"

typedef struct snw_bench_options {
	uint32_t point_count; /* 0: 100,000 */
	uint32_t slot_count;  /* 0: 60 */
	double seconds;       /* about, for each row; 0: 0.2 */
} snw_bench_options;

typedef struct snw_bench_row {
	const char *evaluator; /* "plain", "fast" or "memcpy" */
	const char *blend;     /* the kind: snw_blend in words */
	const char *kernels;   /* the instruction set of "fast": "baseline", "avx2", "avx512"; else "" */
	const char *order;     /* "shared": points share sets of slots as in characters; "random": hardly any do */
	uint32_t points;
	uint32_t influences; /* of each point */
	const char *normals; /* "none", "blended" (fast), "faces" (exact) or "tangents" (two more rows for each point) */
	uint32_t shapes;     /* sparse displacements, each of one point in twenty; one in ten is active */
	uint32_t threads;
	double seconds; /* the shortest of several evaluations of all points */
	double points_a_second;
	double bytes_a_second; /* read and written, from the data of each point; 0 with shapes or faces */
	double ratio;          /* the speed relative to the row that it is compared with; 0: none */
} snw_bench_row;

/* The rows, in this order. Linear blends of 4 influences, with shared and then with random sets: the plain SSE kernel of
 * game runtimes, and the float evaluator with each instruction set. A scalar kernel of dual quaternions, and the float
 * evaluator. Each blend at 1, 2, 4, 8 and 12 influences: without normals on one thread and on all, and on one with blended
 * normals and with those of faces; affine ones also with tangents, compared with faces. Linear over random sets. 63,600 points
 * with 100 shapes. Ten times as many points, compared with a memcpy of as many bytes. Rows that are compared alternate. The
 * rows are in `arena`. SNW_CANCELLED if the task is stopped. Sets the number of threads while it runs, and restores it; nothing
 * else should run meanwhile. */
snw_status snw_bench_skin(const snw_bench_options *options, const snw_task *task, snw_arena *arena, snw_bench_row **rows,
						  uint32_t *count, snw_error *error);

#endif
