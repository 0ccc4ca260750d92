/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small dense problems by LAPACK, without memory of its own. LAPACKE transposes what lies row by row into memory that it
 * allocates, and prints to standard output where there is none; these never fail for want of memory.
 */
#ifndef SNW_BASE_LAPACK_H
#define SNW_BASE_LAPACK_H

#include <stdbool.h>
#include <stddef.h>

/* Solves A x = b for `count` right sides, which lie one after another in `sides`, each of n numbers, and become the solutions.
 * A is symmetric and whole, and is overwritten. False if it is not positive definite. */
bool snw_solve_positive(size_t n, size_t count, double *a, double *sides);

/* A = U S Vᵀ of 3×3, all row by row; A is overwritten. False if it does not converge. */
bool snw_svd3(double a[9], double u[9], double values[3], double vt[9]);

enum { SNW_EIGEN_MOST = 4 };

/* The eigenvalues, from the smallest to the largest, and the unit eigenvectors of a symmetric matrix of at most SNW_EIGEN_MOST
 * rows, of which the upper triangle is read. Row k of `a` becomes eigenvector k. False if it does not converge. */
bool snw_eigen_symmetric(size_t n, double *a, double *values);

#endif
