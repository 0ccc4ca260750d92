/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lies row by row is the transposed matrix to LAPACK. A symmetric one is the same, with its triangles exchanged.
 */
#include "base/lapack.h"

#include <lapacke.h>

bool snw_solve_positive(size_t n, size_t count, double *a, double *sides) {
	const lapack_int rows = (lapack_int)n;
	return LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'U', rows, (lapack_int)count, a, rows, sides, rows) == 0;
}

bool snw_svd3(double a[9], double u[9], double values[3], double vt[9]) {
	double work[64];
	/* Aᵀ = V S Uᵀ */
	return LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'A', 3, 3, a, 3, values, vt, 3, u, 3, work, sizeof work / sizeof *work) ==
		   0;
}

bool snw_eigen_symmetric(size_t n, double *a, double *values) {
	double work[8 * SNW_EIGEN_MOST];
	const lapack_int rows = (lapack_int)n;
	return LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'L', rows, a, rows, values, work, sizeof work / sizeof *work) == 0;
}
