/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dense problems by LAPACK, without memory of its own. LAPACKE transposes what lies row by row into memory that it allocates,
 * and prints to standard output where there is none; this never fails for want of memory.
 */
#ifndef SNW_BASE_LAPACK_H
#define SNW_BASE_LAPACK_H

#include <stdbool.h>
#include <stddef.h>

/* Solves A x = b for `count` right sides, which lie one after another in `sides`, each of n numbers, and become the solutions.
 * A is symmetric and whole, and is overwritten. False if it is not positive definite. */
bool snw_solve_positive(size_t n, size_t count, double *a, double *sides);

/* The eigenvectors of a symmetric A take its place, a row each, and `values` are theirs, ascending. `space` is [3 n]. False if
 * they are not found. */
bool snw_symmetric_eigen(size_t n, double *a, double *values, double *space);

#endif
