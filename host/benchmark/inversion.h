/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long a corrective takes to invert a sculpt through the layers below: every point edited, from a cold start, with the
 * number of calls of the black box and of failures.
 */
#ifndef SINEW_HOST_BENCHMARK_INVERSION_H
#define SINEW_HOST_BENCHMARK_INVERSION_H

#include <stdbool.h>

#include "base/arena.h"
#include "plugin/registry.h"
#include "task/task.h"

typedef struct snw_bench_invert_options {
	const char *method;   /* a corrective with a parameter "solver" */
	const char *over;     /* a deformer that binds, to be placed over the linear blend: a black box; NULL for none */
	const char *solver;   /* only rows with this one; NULL for all */
	uint32_t point_count; /* about; 0: 100,000 */
	uint32_t rounds;      /* the shortest counts; 0: 3 */
} snw_bench_invert_options;

typedef struct snw_bench_invert_row {
	const char *below;  /* the method that poses the points, by its short name; ", near-singular" may follow */
	const char *solver; /* the method's choice */
	bool black_box;     /* the affine matrices of the layers below were hidden */
	uint32_t points, threads;
	uint64_t calls;         /* of the layers below, for all points or those not yet solved */
	double seconds;         /* of the method's whole fit, the shortest */
	double seconds_inverse; /* the shortest inversion, as reported by the method; 0 if it reports none */
	double seconds_closed;  /* the part of it for matrices and their inverses, if the method uses them; else 0 */
	double points_a_second; /* by seconds_closed, seconds_inverse or seconds: the first that is known */
	uint32_t failures;      /* points farther than 1e-6 of the mesh's size from their sculpt, evaluated at its pose */
	double largest_miss;    /* of the mesh's size */
	const char *refused;    /* why it was not run; NULL */
} snw_bench_invert_row;

/* The solvers auto, newton and powell over each stack without the matrices of `below`; closed over the affine ones, with it;
 * and auto near a singular pose (4e-5 less than a twist of π, condition 5e4). In `arena`. */
snw_status snw_bench_invert(const snw_registry *registry, const snw_bench_invert_options *options, const snw_task *task,
							snw_arena *arena, snw_bench_invert_row **rows, uint32_t *count, snw_error *error);

#endif
