/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The iterations of a dense decomposition.
 */
#include "motion/dense/dense.h"

#include <math.h>
#include <string.h>

#include "motion/dense/dense_state.h"
#include "sinew/kit/status.h"

/* The fit stalls if so many iterations reduce the squared error by less than this part of it. */
enum { STALL_AFTER = 40, TRIAL = 20, MOST_ITERATIONS = 600 };
static const double stalled = 0.01;

/* An extrapolation may make the squared error larger by this part: the next iterations often make up for it. */
static const double tolerated = 1e-4;

typedef struct best_fit {
	double squares;
	double *weights;
	double *values;
} best_fit;

static void put_start(const snk_influences *start, dense_fit *d) {
	memset(d->weights, 0, (size_t)start->point_count * d->joints * sizeof *d->weights);
	for (uint32_t i = 0; i < start->point_count; i++) {
		for (uint32_t k = start->offsets[i]; k < start->offsets[i + 1]; k++) {
			d->weights[(size_t)i * d->joints + start->joints[k]] = start->weights[k];
		}
	}
}

static void keep_best(const dense_fit *d, best_fit *best) {
	if (d->squares_sum < best->squares) {
		best->squares = d->squares_sum;
		memcpy(best->weights, d->weights, (size_t)d->motion->point_count * d->joints * sizeof *d->weights);
		memcpy(best->values, d->values, dense_value_count(d) * sizeof *best->values);
	}
}

/* A fit in progress. */
typedef struct progress {
	dense_fit *d;
	snk_dense_fit *fit;
	extrapolation e;
	double *begin, *end; /* the transforms of an iteration */
	best_fit best;
	uint32_t most, all; /* iterations from a start, and of all starts */
} progress;

/* The weights of an iteration, from its transforms. */
static snw_status begin_iteration(progress *p) {
	dense_fit *d = p->d;
	memcpy(p->begin, d->values, dense_value_count(d) * sizeof *p->begin);
	const snw_status status = dense_fit_weights(d);
	if (!snk_failed(status)) {
		keep_best(d, &p->best);
		p->fit->iterations++;
		p->fit->stopped = !snk_steps_go_on(&d->options->steps, (double)p->fit->iterations / p->all);
	}
	return status;
}

/* Weights of the transforms, then transforms of the weights: each iteration begins and ends with transforms. */
static snw_status iterate(progress *p, uint32_t most) {
	dense_fit *d = p->d;
	double last = HUGE_VAL, before = HUGE_VAL;
	extrapolation_forget(&p->e);
	snw_status status = dense_fit_transforms(d);
	for (uint32_t i = 0; !snk_failed(status) && i < most; i++) {
		status = begin_iteration(p);
		if (snk_failed(status) || p->fit->stopped) {
			break;
		}
		if (i % STALL_AFTER == 0) {
			if (d->options->iterations == 0 && !(p->best.squares < (1 - stalled) * before)) {
				break;
			}
			before = p->best.squares;
		}
		if (p->e.count > 0 && d->squares_sum > (1 + tolerated) * last) {
			memcpy(d->values, p->end, dense_value_count(d) * sizeof *p->end);
			extrapolation_forget(&p->e);
			last = HUGE_VAL;
			continue;
		}
		if (!(d->squares_sum < HUGE_VAL)) {
			break; /* nothing can be fitted to such weights */
		}
		last = d->squares_sum;
		status = dense_fit_transforms(d);
		memcpy(p->end, d->values, dense_value_count(d) * sizeof *p->end);
		extrapolation_add(&p->e, p->begin, p->end, (double *)d->values);
	}
	return status;
}

/* Runs a few iterations from each start, and continues from the best. */
static snw_status run(progress *p, uint32_t count, const snk_influences *starts) {
	dense_fit *d = p->d;
	const uint32_t quarter = p->most / 4 > 0 ? p->most / 4 : 1, trial = quarter < TRIAL ? quarter : TRIAL;
	snw_status status = SNW_OK;
	p->all = p->most + count * trial;
	for (uint32_t i = 0; !snk_failed(status) && !p->fit->stopped && i < count; i++) {
		put_start(&starts[i], d);
		status = iterate(p, trial);
	}
	status = !snk_failed(status) && !(p->best.squares < HUGE_VAL) ? SNW_ERROR_DATA : status;
	if (!snk_failed(status) && !p->fit->stopped) {
		memcpy(d->weights, p->best.weights, (size_t)d->motion->point_count * d->joints * sizeof *d->weights);
		status = iterate(p, p->most);
	}
	return status;
}

static snw_status pack(dense_fit *d, const best_fit *best, snw_pool *pool, snk_dense_fit *fit) {
	const uint32_t points = d->motion->point_count;
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1);
	uint32_t *joints = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points * d->joints);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t i = 0; i < points; i++) {
		offsets[i + 1] = offsets[i] + d->joints;
		for (uint32_t k = 0; k < d->joints; k++) {
			joints[offsets[i] + k] = k;
		}
	}
	memcpy(d->values, best->values, dense_value_count(d) * sizeof *best->values);
	d->weights = best->weights;
	const snw_status status = dense_choose_basis(d);
	if (snk_failed(status)) {
		return status;
	}
	fit->influences = (snk_influences){points, d->joints, offsets, joints, best->weights};
	fit->squares = fit->transforms.squares = best->squares;
	return SNW_OK;
}

snw_status snk_dense_decompose(const snk_dense_options *options, uint32_t start_count, const snk_influences *starts,
							   snw_pool *pool, snk_dense_fit *fit) {
	const snk_motion *motion = options->motion;
	const uint32_t joints = options->joint_count;
	const size_t weights = (size_t)motion->point_count * joints, n = 4 * (size_t)joints;
	*fit = (snk_dense_fit){.squares = HUGE_VAL};
	if (joints > SNK_DENSE_JOINTS || weights > UINT32_MAX) {
		return SNW_ERROR_LIMIT;
	}
	snw_pool scratch = snw_pool_open(options->host);
	snw_status status = snk_transforms_make(pool, SNK_TRANSFORMS_AFFINE, joints, motion, &fit->transforms);
	dense_fit d = {.options = options,
				   .motion = motion,
				   .kernels = snk_lane_kernels_best(),
				   .joints = joints,
				   .weights = SNW_POOL_ARRAY(&scratch, double, weights),
				   .values = fit->transforms.values,
				   .squares = SNW_POOL_ARRAY(&scratch, double, motion->point_count),
				   .matrix = SNW_POOL_ARRAY(&scratch, double, n *n),
				   .rights = SNW_POOL_ARRAY(&scratch, double, 3 * n * motion->frame_count),
				   .has_failed = SNW_POOL_ARRAY(&scratch, unsigned char, motion->block_count)};
	progress p = {.d = &d,
				  .fit = fit,
				  .begin = SNW_POOL_ARRAY(&scratch, double, dense_value_count(&d)),
				  .end = SNW_POOL_ARRAY(&scratch, double, dense_value_count(&d)),
				  .best = {.squares = HUGE_VAL,
						   .weights = SNW_POOL_ARRAY(pool, double, weights),
						   .values = SNW_POOL_ARRAY(&scratch, double, dense_value_count(&d))},
				  .most = options->iterations > 0 ? options->iterations : MOST_ITERATIONS};
	status = snk_failed(status) ? status : extrapolation_open(dense_value_count(&d), &scratch, &p.e);
	status = !snk_failed(status) && pool->failed ? SNW_ERROR_MEMORY : status;
	status = snk_failed(status) ? status : run(&p, start_count, starts);
	status = snk_failed(status) ? status : pack(&d, &p.best, pool, fit);
	snw_pool_release(&scratch);
	return status;
}
