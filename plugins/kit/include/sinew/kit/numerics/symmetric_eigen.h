/* SPDX-License-Identifier: MIT
 *
 * Eigenvectors of symmetric matrices of up to a few hundred rows.
 */
#ifndef SINEW_KIT_NUMERICS_SYMMETRIC_EIGEN_H
#define SINEW_KIT_NUMERICS_SYMMETRIC_EIGEN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Eigenvectors of a symmetric matrix [n][n] without negative eigenvalues, as rows of `eigenvectors` [n][n], in no particular
 * order. The rows of `matrix` become the same vectors times their eigenvalues: rows are rotated in pairs until all are
 * orthogonal (M. Hestenes, Inversion of matrices by biorthogonalization and related results, 1958). Nothing allocates; any
 * thread. */
void snk_symmetric_eigen(uint32_t n, double *matrix, double *eigenvectors);

/* The same with the largest eigenvalue first, and equal ones in the order in which they are found: eigenvalues [n]. */
void snk_symmetric_eigen_sorted(uint32_t n, double *matrix, double *eigenvectors, double *eigenvalues);

#ifdef __cplusplus
}
#endif

#endif
