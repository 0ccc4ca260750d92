/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How fast skin programs run here: points a second, beside what memcpy moves in the same run.
 */
#ifndef SINEW_HOST_BENCHMARK_PROGRAM_SPEED_H
#define SINEW_HOST_BENCHMARK_PROGRAM_SPEED_H

#include "base/arena.h"
#include "base/error.h"
#include "base/task.h"

typedef struct snw_bench_options {
	uint32_t point_count; /* 0: 100,000 */
	uint32_t slot_count;  /* 0: 60 */
	double seconds;       /* for each row, about; 0: 0.2 */
} snw_bench_options;

typedef struct snw_bench_row {
	const char *evaluator; /* "plain", "fast" or "memcpy" */
	const char *blend;     /* "linear", "affine", "dual-quaternion" */
	const char *kernels;   /* the instruction set of "fast": "baseline", "avx2", "avx512"; else "" */
	const char *order;     /* "shared": points share sets of slots as a character's do; "random": hardly any do */
	uint32_t points;
	uint32_t influences; /* of each point */
	const char *normals; /* "none", "blended" (fast) or "faces" (exact) */
	uint32_t shapes;     /* sparse displacements, each of one point in twenty, one in ten acting */
	uint32_t threads;
	double seconds; /* the shortest of several evaluations of all points */
	double points_a_second;
	double bytes_a_second; /* read and written, by what is held for each point; 0 with shapes or faces */
	double ratio;          /* how often it runs while the row that it is compared with runs once; 0: compared with none */
} snw_bench_row;

/* In this order: for linear blends of 4 influences, points that share their sets and then random ones, the plain SSE kernel of
 * game runtimes and the float evaluator with each instruction set; a scalar kernel of dual quaternions and the float
 * evaluator; each blend at 1, 2, 4, 8 and 12 influences without normals on one thread and on as many as there are now, and on one
 * with blended ones and with those of faces; linear over random sets; 63,600 points with 100 shapes; and ten times as many points beside a memcpy that moves as many bytes. What is compared
 * takes turns. The rows are in `arena`. SNW_CANCELLED where the task says stop. Sets the number of threads while it runs and
 * puts it back; nothing else should run meanwhile. */
snw_status snw_bench_skin(const snw_bench_options *options, const snw_task *task, snw_arena *arena, snw_bench_row **rows,
						  uint32_t *count, snw_error *error);

#endif
