/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long a corrective takes to push a sculpt back through what lies below it: every point edited, from a cold start, with the
 * calls of the black box and the failures counted.
 */
#ifndef SINEW_HOST_BENCHMARK_INVERSION_H
#define SINEW_HOST_BENCHMARK_INVERSION_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/task.h"
#include "plugin/registry.h"

typedef struct snw_bench_invert_options {
	const char *method;   /* a corrective with a parameter "solver" */
	const char *over;     /* a deformer that binds, also put below, over the linear blend: a black box; NULL for none */
	const char *solver;   /* only rows by this one; NULL for all */
	uint32_t point_count; /* about; 0: 100,000 */
	uint32_t rounds;      /* the shortest counts; 0: 3 */
} snw_bench_invert_options;

typedef struct snw_bench_invert_row {
	const char *below;  /* "linear-blend", "dual-quaternion", …, "linear-blend, near-singular" */
	const char *solver; /* the method's choice */
	bool black_box;     /* what lies below was not to be known as affine */
	uint32_t points, threads;
	uint64_t calls;         /* of what lies below, for all points or for those still moving */
	double seconds;         /* of the method's whole fit, the shortest */
	double seconds_inverse; /* of the inversion in it, as the method reports them, the shortest; 0 where it reports none */
	double seconds_closed;  /* of the matrices and their inverses in that, where it goes by these; else 0 */
	double points_a_second; /* by these, by the inversion, or by the fit: the first that there is */
	uint32_t failures;      /* points further than 1e-6 of the mesh's size from their sculpt, evaluated at its own pose */
	double largest_miss;    /* of the mesh's size */
	const char *refused;    /* why it was not run, in words; NULL */
} snw_bench_invert_row;

/* The solvers auto, newton and powell over each box, without the help of `below.affine`; closed over the affine ones, with it;
 * and auto near a singular pose (a twist of π but for 4e-5, condition 5e4). In `arena`. */
snw_status snw_bench_invert(const snw_registry *registry, const snw_bench_invert_options *options, const snw_task *task,
							snw_arena *arena, snw_bench_invert_row **rows, uint32_t *count, snw_error *error);

#endif
