/* SPDX-License-Identifier: MIT
 *
 * Small dense systems of positive definite matrices, such as normal equations, on the caller's memory. For large and sparse
 * ones see sinew/kit/numerics/solver.h. Nothing allocates; any thread.
 */
#ifndef SINEW_KIT_NUMERICS_CHOLESKY_H
#define SINEW_KIT_NUMERICS_CHOLESKY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The least that a factor has on its diagonal. */
#define SNK_CHOLESKY_LEAST 1e-150

/* In place: the lower triangle of a matrix [n][n] becomes L with L Lᵀ = matrix. The upper triangle is neither read nor written.
 * The diagonal is SNK_CHOLESKY_LEAST where rounding, or a matrix that is not positive definite, would take it below. */
void snk_cholesky_factor(uint32_t n, double *matrix);

/* In place: L Lᵀ x = right, with right [n][width]. */
void snk_cholesky_solve(uint32_t n, const double *factor, uint32_t width, double *right);

/* In place: Lᵀ x = right alone. */
void snk_cholesky_solve_transposed(uint32_t n, const double *factor, uint32_t width, double *right);

#ifdef __cplusplus
}
#endif

#endif
