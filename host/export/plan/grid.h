/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The grid of compressed coordinates: multiples of a power of two, so that floats hold them exactly. The plan rounds points to
 * it before it measures playback; the file holds the same numbers.
 */
#ifndef SINEW_HOST_EXPORT_PLAN_GRID_H
#define SINEW_HOST_EXPORT_PLAN_GRID_H

#include <math.h>

enum { SNW_GRID_BITS = 16, SNW_GRID_NORMAL_BITS = 12, SNW_GRID_LEAST = -100 };

/* The exponent of the step for numbers up to `largest`: at most 2^(bits − 1) steps. The same for the rounded numbers. */
static inline int snw_grid_exponent(double largest, int bits) {
	int exponent = SNW_GRID_LEAST;
	if (largest > 0) {
		const double fraction = frexp(largest, &exponent);
		exponent -= fraction == 0.5; /* a power of two */
		exponent -= bits - 1;
	}
	return exponent < SNW_GRID_LEAST ? SNW_GRID_LEAST : exponent;
}

static inline double snw_grid_round(double value, int exponent) {
	return ldexp(round(ldexp(value, -exponent)), exponent);
}

#endif
