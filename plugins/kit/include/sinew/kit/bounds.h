/* SPDX-License-Identifier: MIT
 *
 * How large a mesh is: tolerances and the weights of terms are given as parts of it. Nothing allocates; any thread.
 */
#ifndef SINEW_KIT_BOUNDS_H
#define SINEW_KIT_BOUNDS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The diagonal of the bounding box of points [count][3], in their unit; 0 for no points. */
static inline double snk_bounds_diagonal(const double *points, uint32_t count) {
	double squared = 0;
	for (size_t c = 0; c < 3; c++) {
		double low = INFINITY, high = -INFINITY;
		for (uint32_t i = 0; i < count; i++) {
			low = fmin(low, points[3 * (size_t)i + c]);
			high = fmax(high, points[3 * (size_t)i + c]);
		}
		squared += count > 0 ? (high - low) * (high - low) : 0;
	}
	return sqrt(squared);
}

#ifdef __cplusplus
}
#endif

#endif
