/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small algebra over lanes, for the kernels alone.
 */
#ifndef SINEW_DEFORMERS_MATH_LANE_ALGEBRA_H
#define SINEW_DEFORMERS_MATH_LANE_ALGEBRA_H

#include <math.h>
#include <string.h>

#include "math/lane_kernels.h"

#define LANE_INLINE static inline __attribute__((always_inline))

LANE_INLINE snw_lanes lane_sqrt(snw_lanes x) {
	snw_lanes root;
	for (int i = 0; i < SNW_LANES; i++) {
		root[i] = sqrt(x[i]);
	}
	return root;
}

LANE_INLINE snw_lanes lane_max(snw_lanes a, snw_lanes b) {
	snw_lanes most;
	for (int i = 0; i < SNW_LANES; i++) {
		most[i] = a[i] > b[i] ? a[i] : b[i];
	}
	return most;
}

LANE_INLINE void lane_point(const snw_float_lanes *source, snw_lanes dest[3]) {
	for (int c = 0; c < 3; c++) {
		dest[c] = __builtin_convertvector(source[c], snw_lanes);
	}
}

LANE_INLINE snw_lanes lane_dot3(const snw_lanes *a, const snw_lanes *b) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Quaternions x, y, z, w; dest none of the inputs. */
LANE_INLINE void lane_multiply(const snw_lanes a[4], const snw_lanes b[4], snw_lanes dest[4]) {
	dest[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
	dest[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
	dest[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
	dest[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/* a · conjugate(b) */
LANE_INLINE void lane_multiply_conjugate(const snw_lanes a[4], const snw_lanes b[4], snw_lanes dest[4]) {
	dest[0] = -a[3] * b[0] + a[0] * b[3] - a[1] * b[2] + a[2] * b[1];
	dest[1] = -a[3] * b[1] + a[0] * b[2] + a[1] * b[3] - a[2] * b[0];
	dest[2] = -a[3] * b[2] - a[0] * b[1] + a[1] * b[0] + a[2] * b[3];
	dest[3] = a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* q · v with v a pure quaternion of plain numbers. */
LANE_INLINE void lane_multiply_point(const snw_lanes q[4], const double v[3], snw_lanes dest[4]) {
	dest[0] = q[3] * v[0] + q[1] * v[2] - q[2] * v[1];
	dest[1] = q[3] * v[1] - q[0] * v[2] + q[2] * v[0];
	dest[2] = q[3] * v[2] + q[0] * v[1] - q[1] * v[0];
	dest[3] = -q[0] * v[0] - q[1] * v[1] - q[2] * v[2];
}

/* block += aᵀ b over `rows` rows; a and b are [rows][size]. */
LANE_INLINE void lane_add_gram(uint32_t rows, uint32_t size, const snw_lanes *a, const snw_lanes *b, snw_lanes *block) {
	for (uint32_t i = 0; i < size; i++) {
		for (uint32_t j = 0; j < size; j++) {
			snw_lanes sum = a[i] * b[j];
			for (uint32_t r = 1; r < rows; r++) {
				sum += a[r * size + i] * b[r * size + j];
			}
			block[i * size + j] += sum;
		}
	}
}

#endif
