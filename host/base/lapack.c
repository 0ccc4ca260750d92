/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lies row by row is the transposed matrix to LAPACK. A symmetric one is the same, with its triangles exchanged.
 */
#include "base/lapack.h"

#include <cblas.h>
#include <lapacke.h>

bool snw_solve_positive(size_t n, size_t count, double *a, double *sides) {
	const lapack_int rows = (lapack_int)n;
	return LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'U', rows, (lapack_int)count, a, rows, sides, rows) == 0;
}

/* OpenBLAS sums in another order with another number of threads. */
bool snw_symmetric_eigen(size_t n, double *a, double *values, double *space) {
	openblas_set_num_threads(1);
	const lapack_int rows = (lapack_int)n;
	return LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'U', rows, a, rows, values, space, 3 * rows) == 0;
}
