/* SPDX-License-Identifier: MIT
 *
 * Eigenvectors, singular values and principal components.
 */
#ifndef SINEW_KIT_NUMERICS_EIGEN_H
#define SINEW_KIT_NUMERICS_EIGEN_H

#include <stdint.h>

#include "sinew/pool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- symmetric matrices -------------------------------------------------------------------------------------------------- */

/* Eigenvectors of symmetric matrices of up to a few hundred rows. */

/* Eigenvectors of a symmetric matrix [n][n] without negative eigenvalues, as rows of `eigenvectors` [n][n], in no particular
 * order. The rows of `matrix` become the same vectors times their eigenvalues: rows are rotated in pairs until all are
 * orthogonal (M. Hestenes, Inversion of matrices by biorthogonalization and related results, 1958). Nothing allocates; any
 * thread. */
void snk_symmetric_eigen(uint32_t n, double *matrix, double *eigenvectors);

/* The same with the largest eigenvalue first, and equal ones in the order in which they are found: eigenvalues [n]. */
void snk_symmetric_eigen_sorted(uint32_t n, double *matrix, double *eigenvectors, double *eigenvalues);

/* ---- 3×3 matrices -------------------------------------------------------------------------------------------------------- */

/* Singular values of a 3×3 matrix, and what follows from them: its condition, a regularised inverse, its nearest rotation.
 * Matrices are double[9], row-major. Nothing allocates; any thread. */

/* matrix = U diag(s) Vᵀ. Columns of u and v are the singular vectors, orthonormal also where s is 0; s falls and is not
 * negative. */
typedef struct snk_svd3 {
	double u[9];
	double s[3];
	double v[9];
} snk_svd3;

/* By Jacobi rotations of the columns (Hestenes 1958): small singular values come out as accurate as large ones. */
void snk_svd3_compute(const double matrix[9], snk_svd3 *svd);

/* s[0] / s[2], at most 1e12. */
double snk_svd3_condition(const snk_svd3 *svd);

/* x with matrix · x = b as nearly as it can be had without getting long: Tikhonov's filter on the singular values, refined
 * once, f = 1 − (λ² / (s² + λ²))², with λ = ratio · s[0]; where that x would be longer than `longest` · ‖b‖ / s[0], λ grows
 * until it is not. The zero matrix gives 0. */
void snk_svd3_solve(const snk_svd3 *svd, double ratio, double longest, const double b[3], double x[3]);

/* The inverse by cofactors, for matrices so far from singular that snk_svd3_solve's filter would change a solution by less than
 * 1e-10 of it and its limit would not act; returns 0, and writes nothing, where this one is not. Ten times as quick. */
int snk_svd3_inverse(const double matrix[9], double ratio, double longest, double inverse[9]);

/* As snk_svd3_condition, for matrices of which snk_svd3_inverse gave the inverse. */
double snk_svd3_condition_of(const double matrix[9]);

/* The rotation nearest to a matrix (determinant +1): of all rotations R the one that makes tr(Rᵀ matrix) largest. */
void snk_nearest_rotation(const double matrix[9], double rotation[9]);

double snk_determinant3(const double matrix[9]);

/* ---- principal components ------------------------------------------------------------------------------------------------ */

/* Principal components (K. Pearson, On lines and planes of closest fit to systems of points in space, 1901): the directions in
 * which observations vary most about their mean, from the eigenvectors of the smaller of X Xᵀ and Xᵀ X. That squares the
 * numbers: components with less than about 1e-6 of the largest deviation are rounding error, and are left out. */

/* An observation is nearly mean + Σ_k weights[k] directions[k]. */
typedef struct snk_principal_components {
	uint32_t count, width;
	double *mean;       /* [width] */
	double *directions; /* [count][width], orthonormal, most deviation first */
	double *deviations; /* [count]: the root of the mean square of the weights of each */
} snk_principal_components;

/* observations [count][width]. At most `most` components, in the pool. It takes the time of an eigenproblem of the smaller of
 * the two numbers, which should be at most a few hundred. The same bits on any number of threads. Errors: SNW_ERROR_MEMORY.
 * Owner thread. */
snw_status snk_principal_components_find(const snw_host *host, uint32_t count, uint32_t width, const double *observations,
										 uint32_t most, snw_pool *pool, snk_principal_components *found);

/* The weights [count of the components] of an observation. Nothing allocates; any thread. */
void snk_principal_weights(const snk_principal_components *components, const double *observation, double *weights);

#ifdef __cplusplus
}
#endif

#endif
