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

#endif
