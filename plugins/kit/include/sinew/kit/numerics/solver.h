/* SPDX-License-Identifier: MIT
 *
 * Linear systems through the host's solver service: factored once, solved as often as wanted. For least squares see
 * sinew/kit/numerics/least_squares.h.
 */
#ifndef SINEW_KIT_NUMERICS_SOLVER_H
#define SINEW_KIT_NUMERICS_SOLVER_H

#include "sinew/host.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
