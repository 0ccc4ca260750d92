/* SPDX-License-Identifier: MIT
 *
 * Dense linear least squares: the x that makes |A x − b| least, by Householder reflections with column pivoting (P. Businger,
 * G. Golub, Linear least squares solutions by Householder transformations, 1965). Nothing is squared: x keeps the digits that
 * the condition of A leaves, where the normal equations would lose twice as many.
 */
#ifndef SINEW_KIT_NUMERICS_LEAST_SQUARES_H
#define SINEW_KIT_NUMERICS_LEAST_SQUARES_H

#include "sinew/pool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* matrix [rows][columns], row-major; right_sides [count][rows]; solutions [count][columns]. `tolerance`: a column of which less
 * than this part of the longest column is left beside the columns before it counts as dependent, and gets 0; 0 takes 1e-12.
 * `rank` (may be NULL): columns that are independent. SNW_ERROR_MEMORY. Any thread; the same bits on every run. */
snw_status snk_least_squares(const snw_host *host, uint32_t rows, uint32_t columns, const double *matrix, uint32_t count,
							 const double *right_sides, double tolerance, double *solutions, uint32_t *rank);

#ifdef __cplusplus
}
#endif

#endif
