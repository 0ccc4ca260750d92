/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Solves for the rows of all points with given λ and δ: by a factor, or by conjugate gradients if the factor would take too
 * much memory, if a few digits are enough, or if the points do not depend on each other.
 */
#include <string.h>

#include "animation-space/fit.h"
#include "sinew/kit/numerics/conjugate_gradients.h"
#include "sinew/kit/numerics/solver.h"
#include "sinew/kit/status.h"

enum { MOST_STEPS = 20000 };
static const double exact = 1e-10;

static snw_status solve_by_factor(const mesh_fit *f, linear_system *system, double *x) {
	snk_factor factor;
	system->matrix.most_bytes = (uint64_t)(f->values[MEMORY].numbers[0] * 1024 * 1024);
	snw_status status = snk_factor_blocks(f->host, &system->matrix, &factor);
	if (!snk_failed(status)) {
		memcpy(x, system->right, system->matrix.n * sizeof *x);
		status = snk_factor_solve(&factor, 1, x);
		snk_factor_release(&factor);
	}
	return status;
}

static snw_status solve_system(const mesh_fit *f, linear_system *system, strengths by, double tolerance, double *x) {
	if (tolerance == 0 && by.smoothness > 0) {
		const snw_status status = solve_by_factor(f, system, x);
		if (status != SNW_ERROR_LIMIT) {
			return status;
		}
	}
	snk_descent descent = {.tolerance = tolerance > 0 ? tolerance : exact, .most_steps = MOST_STEPS};
	return snk_conjugate_gradients(f->host, &system->matrix, system->right, x, &descent);
}

/* q = start + x */
static void add_solution(const mesh_fit *f, const double *x, double *q) {
	const influence_sets *sets = &f->sets;
	memcpy(q, f->start, (size_t)4 * sets->offsets[f->mesh->point_count] * sizeof *q);
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		const uint32_t first = sets->offsets[i], count = sets->offsets[i + 1] - first, pivot = first + sets->pivots[i];
		const double *numbers = x + sets->unknowns[i], *weight = numbers + (size_t)3 * count;
		for (uint32_t k = first; sets->unknowns[i + 1] > sets->unknowns[i] && k < first + count; k++) {
			for (size_t c = 0; c < 3; c++) {
				q[(size_t)4 * k + c] += numbers[(size_t)3 * (k - first) + c];
			}
			if (k != pivot) {
				q[(size_t)4 * k + 3] += *weight;
				q[(size_t)4 * pivot + 3] -= *weight;
				weight++;
			}
		}
	}
}

snw_status solve(const mesh_fit *f, const moments *sums, strengths by, double tolerance, double *q) {
	snw_pool pool = snw_pool_open(f->host);
	linear_system system = {.matrix = {.n = 0}};
	snw_status status = SNW_OK;
	double *x = SNW_POOL_ARRAY(&pool, double, f->sets.unknowns[f->mesh->point_count]);
	if (!x) {
		status = SNW_ERROR_MEMORY;
	} else if (f->sets.unknowns[f->mesh->point_count] > 0) {
		status = assemble(&pool, f, sums, by, &system);
		status = snk_failed(status) ? status : solve_system(f, &system, by, tolerance, x);
	}
	if (!snk_failed(status)) {
		add_solution(f, x, q);
	}
	snw_pool_release(&pool);
	return status;
}
