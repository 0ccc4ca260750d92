/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The regression at each point.
 *
 * With φ_k the functions of joint k at its centres and K_k their values among the centres, the numbers B_k of a point minimize
 *
 *     Σ_s |Σ_k B_k φ_k(s) − offset(s)|² + ridge S Σ_k tr(B_k K_k B_kᵀ)
 *
 * over S samples.
 */
#include <string.h>

#include "eigenskin/fit.h"
#include "sinew/kit/numerics/cholesky.h"
#include "sinew/kit/status.h"

enum { MOST_COLUMNS = MOST_NEAR * MOST_CENTRES, GRAIN = 16 };

static int is_learned(const regression *r, uint32_t sample) {
	return !r->folds || r->folds[sample] != r->fold;
}

static uint32_t list_columns(const mesh_fit *f, const near_joints *near, uint32_t columns[MOST_COLUMNS]) {
	uint32_t count = 0;
	for (uint32_t k = 0; k < near->count; k++) {
		for (uint32_t c = 0; c < f->drivers[near->joints[k]].count; c++) {
			columns[count++] = f->firsts[near->joints[k]] + c;
		}
	}
	return count;
}

static void SNW_CALL sum_rows(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const regression *r = argument;
	const size_t n = r->f->feature_count;
	for (uint32_t s = 0; s < r->f->sample_count; s++) {
		const double *values = r->f->features + s * n;
		for (size_t a = begin; a < end && is_learned(r, s); a++) {
			for (size_t b = 0; b < n; b++) {
				r->gram[a * n + b] += values[a] * values[b];
			}
		}
	}
}

static void add_penalty(const regression *r, uint32_t joint, double ridge) {
	const mesh_fit *f = r->f;
	const driver *from = &f->drivers[joint];
	for (uint32_t a = 0; a < from->count; a++) {
		double values[MOST_CENTRES];
		driver_functions(from, f->width, from->centres[a], values);
		double *row = r->gram + (size_t)(f->firsts[joint] + a) * f->feature_count + f->firsts[joint];
		for (uint32_t b = 0; b < from->count; b++) {
			row[b] += ridge * (values[b] + (a == b ? JITTER : 0));
		}
	}
}

static void solve_point(const regression *r, uint32_t point) {
	const mesh_fit *f = r->f;
	const near_joints *near = &f->near[point];
	uint32_t columns[MOST_COLUMNS];
	double gram[MOST_COLUMNS * MOST_COLUMNS], right[MOST_COLUMNS][3] = {{0}};
	const uint32_t n = list_columns(f, near, columns);
	for (uint32_t a = 0; a < n; a++) {
		for (uint32_t b = 0; b <= a; b++) {
			gram[a * n + b] = r->gram[(size_t)columns[a] * f->feature_count + columns[b]];
		}
	}
	for (uint32_t s = 0; s < f->sample_count; s++) {
		const float *offset = f->offsets + 3 * ((size_t)point * f->sample_count + s);
		for (uint32_t a = 0; a < n && is_learned(r, s); a++) {
			for (int c = 0; c < 3; c++) {
				right[a][c] += f->features[(size_t)s * f->feature_count + columns[a]] * (double)offset[c];
			}
		}
	}
	snk_cholesky_factor(n, gram);
	snk_cholesky_solve(n, gram, 3, right[0]);
	for (uint32_t k = 0, a = 0; k < near->count; k++) {
		const uint32_t count = f->drivers[near->joints[k]].count;
		memcpy(r->numbers[point][k], right[a], count * sizeof *right);
		a += count;
	}
}

static void SNW_CALL solve_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	for (uint32_t i = begin; i < end; i++) {
		solve_point(argument, i);
	}
}

snw_status regress(regression *r, const snk_stretch *stretch) {
	const mesh_fit *f = r->f;
	snw_pool pool = snw_pool_open(f->host);
	uint32_t learned = 0;
	r->gram = SNW_POOL_ARRAY(&pool, double, (size_t)f->feature_count * f->feature_count);
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (uint32_t s = 0; s < f->sample_count; s++) {
		learned += is_learned(r, s) ? 1 : 0;
	}
	if (!snk_failed(status)) {
		snk_ranges_run(f->host, f->feature_count, GRAIN, sum_rows, r);
		for (uint32_t j = 0; j < f->joint_count; j++) {
			add_penalty(r, j, f->ridge * learned);
		}
		status = snk_ranges_run_reported(f->host, f->mesh->point_count, GRAIN, solve_points, r, stretch);
	}
	snw_pool_release(&pool);
	return status;
}
