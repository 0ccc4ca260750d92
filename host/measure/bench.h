/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How fast skin programs run here: points a second, beside what memcpy moves in the same run.
 */
#ifndef SINEW_HOST_MEASURE_BENCH_H
#define SINEW_HOST_MEASURE_BENCH_H

#include "base/arena.h"
#include "base/error.h"
#include "base/task.h"

typedef struct snw_bench_options {
	uint32_t point_count; /* 0: 100,000 */
	uint32_t slot_count;  /* 0: 60 */
	double seconds;       /* for each row, about; 0: 0.2 */
} snw_bench_options;

typedef struct snw_bench_row {
	const char *evaluator;  /* "truth", "fast" or "memcpy" */
	const char *blend;      /* "linear", "affine", "dual-quaternion"; "" for memcpy */
	const char *kernels;    /* the instruction set of "fast": "baseline", "avx2", "avx512"; else "" */
	uint32_t influences;    /* of each point; 0 for memcpy */
	uint32_t threads;       /* 1 for truth and memcpy */
	double seconds;         /* the shortest of several evaluations of all points */
	double points_a_second; /* memcpy: of points with as many bytes as a linear one of 4 influences */
	double bytes_a_second;  /* read and written, by what the packed form holds for each point; 0 for truth */
} snw_bench_row;

/* Truth, then fast on one thread and on as many as there are now, for each blend at 1, 4 and 8 influences, and memcpy between
 * buffers of the size of the linear program of 4. The rows are in `arena`. The programs are made up: a tube whose influences
 * lie side by side, as they do in characters. SNW_CANCELLED where the task says stop. Sets the number of threads while it runs
 * and puts it back; nothing else should run meanwhile. */
snw_status snw_bench_skin(const snw_bench_options *options, const snw_task *task, snw_arena *arena, snw_bench_row **rows,
						  uint32_t *count, snw_error *error);

#endif
