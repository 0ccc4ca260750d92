/* SPDX-License-Identifier: MIT
 *
 * Linear systems: small and dense, large and sparse, and regression.
 */
#ifndef SINEW_KIT_NUMERICS_SYSTEMS_H
#define SINEW_KIT_NUMERICS_SYSTEMS_H

#include <stddef.h>
#include <stdint.h>

#include "sinew/host.h"
#include "sinew/pool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- products ------------------------------------------------------------------------------------------------------------ */

/* The scalar product of vectors of any length. Nothing allocates; any thread. */

static inline double snk_dot(size_t count, const double *a, const double *b) {
	double sum = 0;
	for (size_t i = 0; i < count; i++) {
		sum += a[i] * b[i];
	}
	return sum;
}

/* ---- small systems ------------------------------------------------------------------------------------------------------- */

/* Small dense systems of positive definite matrices, such as normal equations, on the caller's memory. For large and sparse
 * ones see the host's solvers below. Nothing allocates; any thread. */

/* The least that a factor has on its diagonal. */
#define SNK_CHOLESKY_LEAST 1e-150

/* In place: the lower triangle of a matrix [n][n] becomes L with L Lᵀ = matrix. The upper triangle is neither read nor written.
 * The diagonal is SNK_CHOLESKY_LEAST where rounding, or a matrix that is not positive definite, would take it below. */
void snk_cholesky_factor(uint32_t n, double *matrix);

/* In place: L Lᵀ x = right, with right [n][width]. */
void snk_cholesky_solve(uint32_t n, const double *factor, uint32_t width, double *right);

/* In place: Lᵀ x = right alone. */
void snk_cholesky_solve_transposed(uint32_t n, const double *factor, uint32_t width, double *right);

/* ---- the host's solvers -------------------------------------------------------------------------------------------------- */

/* Linear systems through the host's solver service: factored once, solved as often as wanted. */

/* A factored matrix. Any number of threads may solve with it at once. It lives until it is released, at most as long as its
 * host. */
typedef struct snk_factor {
	const snw_host *host;
	const snw_solver_service *solver;
	snw_factor *factor;
} snk_factor;

/* LU of a dense matrix [n][n], row-major. `reciprocal_condition` (may be NULL) gets an estimate in the 1-norm. Errors:
 * SNW_ERROR_MISSING where the host has no solver, SNW_ERROR_SINGULAR, SNW_ERROR_MEMORY. Any thread. */
snw_status snk_factor_dense(const snw_host *host, uint32_t n, const double *matrix, double *reciprocal_condition,
							snk_factor *factor);

/* Cholesky of a sparse symmetric positive definite matrix: the lower triangle in compressed columns, rows [column_offsets[n]]
 * ascending in each column. Errors as above; SNW_ERROR_DATA for columns or rows out of order; SNW_ERROR_LIMIT for a factor with
 * too many entries for the host. Any thread. */
snw_status snk_factor_sparse(const snw_host *host, uint32_t n, const uint32_t *column_offsets, const uint32_t *rows,
							 const double *values, snk_factor *factor);

/* The same with all that the service takes: blocks and a limit of memory. SNW_ERROR_LIMIT over that limit too. Any thread. */
snw_status snk_factor_blocks(const snw_host *host, const snw_sparse_call *call, snk_factor *factor);

/* Of a sparse matrix with other values at the same places, as they were given: the bits of a new factor in less time. No other
 * thread may use the factor meanwhile. Errors: SNW_ERROR_MISSING where the host cannot, SNW_ERROR_SINGULAR,
 * SNW_ERROR_MEMORY. */
snw_status snk_factor_refactor(const snk_factor *factor, const double *values);

/* In place: right_sides [count][n], one right-hand side after another. Errors: SNW_ERROR_MEMORY. Any thread. */
snw_status snk_factor_solve(const snk_factor *factor, uint32_t count, double *right_sides);

/* Zeroes the factor, which may have been zero before. Any thread, but no two for one factor. */
void snk_factor_release(snk_factor *factor);

/* ---- conjugate gradients ------------------------------------------------------------------------------------------------- */

/* A sparse symmetric positive definite system without a factor, for those whose factor takes too much memory: conjugate
 * gradients (M. Hestenes, E. Stiefel, 1952), preconditioned with the Cholesky factors of the blocks on the diagonal. If all
 * other entries are 0, the first step is exact. */

typedef struct snk_descent {
	double tolerance;    /* ends when the preconditioned residual has fallen to this part of the right-hand side's */
	uint32_t most_steps; /* ends after this many */
	uint32_t steps;      /* gets how many there were */
} snk_descent;

/* The system as for the solver service, with blocks. `right` [n]; `x` [n]: where to start, then the solution. SNW_NOT_CONVERGED
 * after the most steps, with x as near as they came; SNW_CANCELLED where the task's progress said so; SNW_ERROR_SINGULAR where
 * a block is not positive definite; SNW_ERROR_MEMORY. The same bits on every run. From the thread of the fit. */
snw_status snk_conjugate_gradients(const snw_host *host, const snw_sparse_call *system, const double *right, double *x,
								   snk_descent *descent);

/* ---- ridge regression ---------------------------------------------------------------------------------------------------- */

/* Ridge regression (A. Hoerl, R. Kennard, Ridge regression: biased estimation for nonorthogonal problems, 1970): the B that
 * makes Σ |y − Bᵀ φ|² + ridge |B|² least over samples of features φ and numbers y. The samples are summed once; then any of the
 * features are regressed on as often as wanted, such as to choose them (sinew/kit/fit/fit.h). A constant is a
 * feature that is 1. */

/* The sums over samples. */
typedef struct snk_ridge {
	uint32_t feature_count, number_count;
	double *gram;  /* [feature_count][feature_count]: Σ φ φᵀ */
	double *right; /* [feature_count][number_count]: Σ φ yᵀ */
	double square; /* Σ |y|² */
} snk_ridge;

/* Over no sample yet, in the pool: check its `failed`. */
snk_ridge snk_ridge_open(snw_pool *pool, uint32_t feature_count, uint32_t number_count);

/* features [feature_count], numbers [number_count]. One thread at a time. */
void snk_ridge_add(snk_ridge *sums, const double *features, const double *numbers);

/* solution [count][number_count] is B of the features `columns` [count], NULL for the first `count`. Returns what it leaves of
 * `square`, with what the ridge costs. `scratch` [count][count]. Nothing allocates; any thread. */
double snk_ridge_solve(const snk_ridge *sums, double ridge, uint32_t count, const uint32_t *columns, double *scratch,
					   double *solution);

#ifdef __cplusplus
}
#endif

#endif
