/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The factors B of a helper by ridge regression, and the joints that drive it: one after another, the one that leaves least
 * comes next. Motions y are measured by yᵀ Q y, the squared distance that they move the helper's points: with Q = L Lᵀ, that is
 * the length of Lᵀ y.
 */
#include <math.h>
#include <string.h>

#include "helper-joints/fit.h"
#include "sinew/kit/fit/choose_forward.h"
#include "sinew/kit/numerics/cholesky.h"
#include "sinew/kit/numerics/ridge.h"
#include "sinew/kit/status.h"

/* A joint is chosen only if it explains this part of what the joints before it leave. */
static const double least_gain = 0.005;

/* Of the largest sum of squares of a feature: without a ridge, features that depend on each other get no factors as large as
 * rounding allows. */
static const double least_ridge = 1e-12;

/* Features are clamped this part of their range beyond the samples. */
static const double margin = 0.25;

typedef struct regression {
	const mesh_fit *f;
	const joint_list *candidates;
	snk_ridge sums; /* of the features of all candidates, and the motions Lᵀ y */
	double ridge;
} regression;

/* The features of some candidates. */
typedef struct column_list {
	uint32_t count;
	uint32_t columns[MOST_FEATURES];
} column_list;

static column_list columns_of(uint32_t count, const uint32_t *chosen) {
	column_list list = {.count = 0};
	for (uint32_t k = 0; k < count; k++) {
		for (uint32_t i = 0; i < JOINT_FEATURES; i++) {
			list.columns[list.count++] = JOINT_FEATURES * chosen[k] + i;
		}
	}
	return list;
}

/* What the regression on these candidates leaves; `solution` [columns][MOTIONS]. */
static double solve(const regression *r, uint32_t count, const uint32_t *chosen, double solution[MOST_FEATURES * MOTIONS]) {
	const column_list list = columns_of(count, chosen);
	double scratch[MOST_FEATURES * MOST_FEATURES];
	return snk_ridge_solve(&r->sums, r->ridge, list.count, list.columns, scratch, solution);
}

static double SNW_CALL residual_with(void *context, uint32_t count, const uint32_t *chosen) {
	double solution[MOST_FEATURES * MOTIONS];
	return solve(context, count, chosen, solution);
}

static uint32_t choose_drivers(regression *r, uint32_t wanted, uint32_t chosen[MOST_DRIVERS]) {
	const snk_forward_choice choice = {.candidate_count = r->candidates->count,
									   .most = wanted,
									   .before = r->sums.square,
									   .least_gain = least_gain,
									   .residual = residual_with,
									   .context = r};
	return snk_choose_forward(&choice, chosen);
}

/* ---- sums over samples --------------------------------------------------------------------------------------------------- */

static const double *features_of(const regression *r, uint32_t sample, uint32_t candidate) {
	return r->f->features + JOINT_FEATURES * ((size_t)sample * r->f->model->joint_count + r->candidates->joints[candidate]);
}

static void add_sample(regression *r, uint32_t sample, const double measured[MOTIONS], double *row) {
	for (uint32_t k = 0; k < r->candidates->count; k++) {
		memcpy(row + (size_t)JOINT_FEATURES * k, features_of(r, sample, k), JOINT_FEATURES * sizeof *row);
	}
	snk_ridge_add(&r->sums, row, measured);
}

/* Lᵀ y. */
static void measure(const double factor[MOTIONS * MOTIONS], const double motion[MOTIONS], double measured[MOTIONS]) {
	for (int m = 0; m < MOTIONS; m++) {
		measured[m] = 0;
		for (int k = m; k < MOTIONS; k++) {
			measured[m] += factor[MOTIONS * k + m] * motion[k];
		}
	}
}

static void write_ranges(const regression *r, uint32_t candidate, double *lowest, double *highest) {
	for (int i = 0; i < JOINT_FEATURES; i++) {
		lowest[i] = highest[i] = 0; /* at rest */
		for (uint32_t s = 0; s < r->f->sample_count; s++) {
			lowest[i] = fmin(lowest[i], features_of(r, s, candidate)[i]);
			highest[i] = fmax(highest[i], features_of(r, s, candidate)[i]);
		}
		const double more = margin * (highest[i] - lowest[i]);
		lowest[i] -= more;
		highest[i] += more;
	}
}

static void write_helper(const regression *r, const double factor[MOTIONS * MOTIONS], uint32_t count, const uint32_t *chosen,
						 helper *one) {
	double solution[MOST_FEATURES * MOTIONS];
	solve(r, count, chosen, solution);
	one->driver_count = count;
	for (uint32_t k = 0; k < count; k++) {
		one->drivers[k] = r->candidates->joints[chosen[k]];
		write_ranges(r, chosen[k], one->lowest + (size_t)JOINT_FEATURES * k, one->highest + (size_t)JOINT_FEATURES * k);
	}
	for (uint32_t a = 0; a < JOINT_FEATURES * count; a++) {
		double *motion = solution + (size_t)MOTIONS * a;
		snk_cholesky_solve_transposed(MOTIONS, factor, 1, motion);
		for (int m = 0; m < MOTIONS; m++) {
			one->factors[m][a] = motion[m];
		}
	}
}

snw_status regress_motions(const mesh_fit *f, const helper_sample *best, const double matrix[MOTIONS * MOTIONS],
						   const joint_list *candidates, helper *one) {
	snw_pool scratch = snw_pool_open(f->host);
	const uint32_t n = JOINT_FEATURES * candidates->count;
	regression r = {.f = f, .candidates = candidates, .sums = snk_ridge_open(&scratch, n, MOTIONS)};
	double *row = SNW_POOL_ARRAY(&scratch, double, n), factor[MOTIONS * MOTIONS], measured[MOTIONS];
	r.ridge = f->input->values[RIDGE].numbers[0] * f->sample_count;
	if (!scratch.failed) {
		memcpy(factor, matrix, sizeof factor);
		snk_cholesky_factor(MOTIONS, factor);
		for (uint32_t s = 0; s < f->sample_count; s++) {
			measure(factor, best[s].motion, measured);
			add_sample(&r, s, measured, row);
		}
		for (size_t a = 0; a < n; a++) {
			r.ridge = fmax(r.ridge, least_ridge * r.sums.gram[a * n + a]);
		}
		uint32_t chosen[MOST_DRIVERS] = {0};
		const uint32_t count = choose_drivers(&r, (uint32_t)f->input->values[DRIVERS].numbers[0], chosen);
		write_helper(&r, factor, count, chosen, one);
	}
	const snw_status status = scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
	snw_pool_release(&scratch);
	return status;
}
