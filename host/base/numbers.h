/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arrays of numbers: checked and sorted. Boxes. Hashes. Numbers in text.
 */
#ifndef SINEW_HOST_BASE_NUMBERS_H
#define SINEW_HOST_BASE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sinew/sinew.h"

/* The index of the first number that is not finite, or `count`. */
size_t snw_first_not_finite(const double *numbers, size_t count);
bool snw_all_finite(const double *numbers, size_t count);

/* Ascending. The numbers may be NULL if there are none. */
void snw_sort_numbers(double *numbers, size_t count);

/* The decimal number that `text` begins with, in any locale; returns its end. NULL if there is none. */
const char *snw_read_number(const char *text, double *number);

/* ---- boxes --------------------------------------------------------------------------------------------------------------- */

/* Axis-aligned bounding boxes. A box starts empty: lower > upper. */

typedef struct snw_box {
	double lower[3], upper[3];
} snw_box;

snw_box snw_box_empty(void);
bool snw_box_is_empty(const snw_box *box);
void snw_box_add(snw_box *box, const double point[3]);                     /* ignores points that are not finite */
void snw_box_add_points(snw_box *box, const double *points, size_t count); /* [count][3] */
void snw_box_add_floats(snw_box *box, const float *points, size_t count);  /* [count][3], the same for many points */
void snw_box_add_box(snw_box *box, const snw_box *added);                  /* an empty one adds nothing */
snw_box snw_box_widened(const snw_box *box, double margin);                /* on every side; an empty one stays empty */
double snw_box_diagonal(const snw_box *box);                               /* 0 for an empty box */
double snw_points_diagonal(const double *points, size_t count);            /* [count][3]: of the box around them */
/* One of the eight corners, 0 to 7. */
void snw_box_corner(const snw_box *box, int corner, double point[3]);

/* ---- hashes -------------------------------------------------------------------------------------------------------------- */

/* A 64-bit hash of a series of values, to detect changed data. It is not cryptographic. The same on every machine. */

typedef struct snw_hash {
	uint64_t state; /* zero-initialised before the first value */
} snw_hash;

void snw_hash_bytes(snw_hash *hash, const void *bytes, size_t count);
void snw_hash_u64(snw_hash *hash, uint64_t value);
void snw_hash_text(snw_hash *hash, const char *text); /* NULL differs from "" */
/* An array, including its length; NULL differs from an empty array. */
void snw_hash_f64s(snw_hash *hash, const double *values, size_t count);
void snw_hash_u32s(snw_hash *hash, const uint32_t *values, size_t count);

/* Never 0. */
uint64_t snw_hash_value(const snw_hash *hash);

/* ---- random numbers ------------------------------------------------------------------------------------------------------ */

/* Numbers that look random and are the same in every run, by the splitmix64 generator. Every state, also 0, begins a good
 * sequence. */

/* The next number of the sequence with this state: all 64 bits count. */
static inline uint64_t snw_random_next(uint64_t *state) {
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* ---- LAPACK -------------------------------------------------------------------------------------------------------------- */

/* Dense problems by LAPACK, without memory of its own. LAPACKE transposes what lies row by row into memory that it
 * allocates, and prints to standard output where there is none; this never fails for want of memory. */

/* Solves A x = b for `count` right sides, which lie one after another in `sides`, each of n numbers, and become the solutions.
 * A is symmetric and whole, and is overwritten. False if it is not positive definite. */
bool snw_solve_positive(size_t n, size_t count, double *a, double *sides);

/* The eigenvectors of a symmetric A take its place, a row each, and `values` are theirs, ascending. `space` is [3 n]. False if
 * they are not found. */
bool snw_symmetric_eigen(size_t n, double *a, double *values, double *space);

/* ---- layout limits ------------------------------------------------------------------------------------------------------- */

/* How much a model may ask for in its layout. Whoever allocates for a layout asks here first: the numbers are a plug-in's,
 * often read from a file. */

#define SNW_MOST_SCRATCH ((size_t)1 << 32) /* bytes for each thread, and for each pass */

/* SNW_ERROR_LIMIT beyond the limits, SNW_ERROR_INTERNAL for coefficients without a drive. The error's text goes on after the
 * name of a layer or a model: "has more than 67108864 coefficients". */
snw_status snw_layout_check(const snw_deformer *deformer, const snw_model_layout *layout, snw_error *error);

#endif
