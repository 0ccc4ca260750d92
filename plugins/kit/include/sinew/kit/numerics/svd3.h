/* SPDX-License-Identifier: MIT
 *
 * Singular values of a 3×3 matrix, and what follows from them: its condition, a regularised inverse, its nearest rotation.
 * Matrices are double[9], row-major. Nothing allocates; any thread.
 */
#ifndef SINEW_KIT_NUMERICS_SVD3_H
#define SINEW_KIT_NUMERICS_SVD3_H

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
