/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eigenskin/eigenskin.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/eigen.h"
#include "sinew/kit/numerics/systems.h"
#include "sinew/kit/status.h"

/* ---- the regression ------------------------------------------------------------------------------------------------------ */

/* The regression at each point.
 *
 * With φ_k the functions of joint k at its centres and K_k their values among the centres, the numbers B_k of a point minimize
 *
 *     Σ_s |Σ_k B_k φ_k(s) − offset(s)|² + ridge S Σ_k tr(B_k K_k B_kᵀ)
 *
 * over S samples. */

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

/* ---- eigendisplacements -------------------------------------------------------------------------------------------------- */

/* The eigendisplacements of each joint. With L Lᵀ the mean of φ_k φ_kᵀ and B all points' numbers B_k, the
 * eigenvectors U of Lᵀ B Bᵀ L give the coefficients Uᵀ L⁻¹ φ_k and the displacements Uᵀ Lᵀ B. */

/* Points that a displacement moves by less than this part of the diagonal are left out of it. */
static const double negligible = 3e-6;

/* A displacement that gains less than this part of the best one is rounding error. */
static const double worthless = 1e-12;

/* One eigenproblem. */
typedef struct joint_modes {
	uint32_t kept;
	double lower[MOST_CENTRES * MOST_CENTRES], vectors[MOST_CENTRES * MOST_CENTRES], worth[MOST_CENTRES];
} joint_modes;

/* Where a joint is among those near a point, or MOST_NEAR. */
static uint32_t place_of(const near_joints *near, uint32_t joint) {
	for (uint32_t k = 0; k < near->count; k++) {
		if (near->joints[k] == joint) {
			return k;
		}
	}
	return MOST_NEAR;
}

/* L, of the mean of φ φᵀ. */
static void find_lower(const mesh_fit *f, uint32_t joint, double *lower) {
	const uint32_t n = f->drivers[joint].count;
	for (uint32_t a = 0; a < n; a++) {
		for (uint32_t b = 0; b <= a; b++) {
			double sum = 0;
			for (uint32_t s = 0; s < f->sample_count; s++) {
				const double *values = f->features + (size_t)s * f->feature_count + f->firsts[joint];
				sum += values[a] * values[b];
			}
			lower[a * n + b] = sum / f->sample_count + (a == b ? JITTER : 0);
		}
	}
	snk_cholesky_factor(n, lower);
}

/* Lᵀ B of a point: [n][3]. */
static void weigh(uint32_t n, const double *lower, double (*numbers)[3], double (*weighed)[3]) {
	for (uint32_t a = 0; a < n; a++) {
		memset(weighed[a], 0, sizeof *weighed);
		for (uint32_t b = a; b < n; b++) {
			for (int c = 0; c < 3; c++) {
				weighed[a][c] += lower[b * n + a] * numbers[b][c];
			}
		}
	}
}

static void find_modes(const mesh_fit *f, uint32_t joint, joint_modes *modes) {
	const uint32_t n = f->drivers[joint].count;
	double matrix[MOST_CENTRES * MOST_CENTRES] = {0}, weighed[MOST_CENTRES][3];
	find_lower(f, joint, modes->lower);
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		const uint32_t place = place_of(&f->near[i], joint);
		if (place == MOST_NEAR) {
			continue;
		}
		weigh(n, modes->lower, f->numbers[i][place], weighed);
		for (uint32_t a = 0; a < n; a++) {
			for (uint32_t b = 0; b < n; b++) {
				matrix[a * n + b] += snw_dot3(weighed[a], weighed[b]);
			}
		}
	}
	snk_symmetric_eigen_sorted(n, matrix, modes->vectors, modes->worth);
}

/* Returns how many displacements are kept. */
static uint32_t share_out(const mesh_fit *f, joint_modes *modes) {
	const uint32_t most = (uint32_t)f->input->values[DISPLACEMENTS].numbers[0];
	double first = 0;
	for (uint32_t total = 0; total < most; total++) {
		uint32_t best = SNW_NONE;
		double worth = worthless * first;
		for (uint32_t j = 0; j < f->joint_count; j++) {
			if (modes[j].kept < f->drivers[j].count && modes[j].worth[modes[j].kept] > worth) {
				best = j;
				worth = modes[j].worth[modes[j].kept];
			}
		}
		if (best == SNW_NONE) {
			return total;
		}
		first = fmax(first, worth);
		modes[best].kept++;
	}
	return most;
}

static void write_displacement(const mesh_fit *f, uint32_t joint, const joint_modes *modes, uint32_t mode, reduced *to) {
	const uint32_t n = f->drivers[joint].count, at = to->count++;
	const double *vector = modes->vectors + (size_t)mode * n;
	uint64_t next = to->offsets[at];
	to->joints[at] = joint;
	memcpy(to->rows[at], vector, n * sizeof *vector);
	snk_cholesky_solve_transposed(n, modes->lower, 1, to->rows[at]);
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		const uint32_t place = place_of(&f->near[i], joint);
		double weighed[MOST_CENTRES][3], v[3] = {0};
		if (place < MOST_NEAR) {
			weigh(n, modes->lower, f->numbers[i][place], weighed);
		}
		for (uint32_t a = 0; place < MOST_NEAR && a < n; a++) {
			for (int c = 0; c < 3; c++) {
				v[c] += vector[a] * weighed[a][c];
			}
		}
		if (snw_length3(v) > negligible * f->diagonal) {
			to->points[next] = i;
			memcpy(to->vectors + 3 * next++, v, sizeof v);
		}
	}
	to->offsets[at + 1] = next;
}

static const char *name_of(const char *joint, uint32_t number, snw_pool *pool) {
	const size_t bytes = strlen(joint) + 12;
	char *name = SNW_POOL_ARRAY(pool, char, bytes);
	if (name) {
		snprintf(name, bytes, "%s/%u", joint, number);
	}
	return name;
}

static snw_status write_reduced(const mesh_fit *f, uint32_t total, const joint_modes *modes, snw_pool *pool, reduced *to) {
	uint64_t entries = 0;
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		for (uint32_t k = 0; k < f->near[i].count; k++) {
			entries += modes[f->near[i].joints[k]].kept;
		}
	}
	*to = (reduced){.joints = SNW_POOL_ARRAY(pool, uint32_t, total),
					.rows = snw_pool_acquire(pool, total, sizeof *to->rows),
					.offsets = SNW_POOL_ARRAY(pool, uint64_t, (size_t)total + 1),
					.points = SNW_POOL_ARRAY(pool, uint32_t, entries),
					.vectors = SNW_POOL_ARRAY(pool, double, 3 * entries),
					.names = (const char **)snw_pool_acquire(pool, total, sizeof *to->names)};
	if (pool->failed || entries > UINT32_MAX) {
		return pool->failed ? SNW_ERROR_MEMORY : SNW_ERROR_LIMIT;
	}
	for (uint32_t j = 0; j < f->joint_count; j++) {
		for (uint32_t k = 0; k < modes[j].kept; k++) {
			to->names[to->count] = name_of(f->drivers[j].name, ++f->numbers_given[j], pool);
			write_displacement(f, j, &modes[j], k, to);
		}
	}
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

snw_status reduce(const mesh_fit *f, snw_pool *pool, reduced *to) {
	snw_pool scratch = snw_pool_open(f->host);
	joint_modes *modes = SNW_POOL_ARRAY(&scratch, joint_modes, f->joint_count);
	snw_status status = modes ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t j = 0; modes && j < f->joint_count; j++) {
		if (f->drivers[j].count > 0) {
			find_modes(f, j, &modes[j]);
		}
	}
	status = snk_failed(status) ? status : write_reduced(f, share_out(f, modes), modes, pool, to);
	snw_pool_release(&scratch);
	return status;
}
