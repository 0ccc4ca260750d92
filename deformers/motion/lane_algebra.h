/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Vector and quaternion algebra over lanes. Private to the kernels.
 */
#ifndef SINEW_DEFORMERS_MOTION_LANE_ALGEBRA_H
#define SINEW_DEFORMERS_MOTION_LANE_ALGEBRA_H

#include <math.h>
#include <string.h>

#include "motion/kernels.h"

#define LANE_INLINE static inline __attribute__((always_inline))

LANE_INLINE snk_lanes lane_sqrt(snk_lanes x) {
	snk_lanes root;
	for (int i = 0; i < SNK_LANES; i++) {
		root[i] = sqrt(x[i]);
	}
	return root;
}

LANE_INLINE snk_lanes lane_max(snk_lanes a, snk_lanes b) {
	snk_lanes most;
	for (int i = 0; i < SNK_LANES; i++) {
		most[i] = a[i] > b[i] ? a[i] : b[i];
	}
	return most;
}

LANE_INLINE void lane_point(const snk_float_lanes *source, snk_lanes dest[3]) {
	for (int c = 0; c < 3; c++) {
		dest[c] = __builtin_convertvector(source[c], snk_lanes);
	}
}

LANE_INLINE snk_lanes lane_dot3(const snk_lanes *a, const snk_lanes *b) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Quaternions x, y, z, w; dest must not be an input. */
LANE_INLINE void lane_multiply(const snk_lanes a[4], const snk_lanes b[4], snk_lanes dest[4]) {
	dest[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
	dest[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
	dest[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
	dest[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/* a · conjugate(b) */
LANE_INLINE void lane_multiply_conjugate(const snk_lanes a[4], const snk_lanes b[4], snk_lanes dest[4]) {
	dest[0] = -a[3] * b[0] + a[0] * b[3] - a[1] * b[2] + a[2] * b[1];
	dest[1] = -a[3] * b[1] + a[0] * b[2] + a[1] * b[3] - a[2] * b[0];
	dest[2] = -a[3] * b[2] - a[0] * b[1] + a[1] * b[0] + a[2] * b[3];
	dest[3] = a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* q · v with v a pure quaternion of plain numbers. */
LANE_INLINE void lane_multiply_point(const snk_lanes q[4], const double v[3], snk_lanes dest[4]) {
	dest[0] = q[3] * v[0] + q[1] * v[2] - q[2] * v[1];
	dest[1] = q[3] * v[1] - q[0] * v[2] + q[2] * v[0];
	dest[2] = q[3] * v[2] + q[0] * v[1] - q[1] * v[0];
	dest[3] = -q[0] * v[0] - q[1] * v[1] - q[2] * v[2];
}

/* The rotation of a quaternion as 3 × 3; `two` is 2 over its squared length. */
LANE_INLINE void lane_rotation(const snk_lanes q[4], snk_lanes two, snk_lanes dest[9]) {
	const snk_lanes x = q[0], y = q[1], z = q[2], w = q[3];
	dest[0] = 1 - two * (y * y + z * z);
	dest[1] = two * (x * y - z * w);
	dest[2] = two * (x * z + y * w);
	dest[3] = two * (x * y + z * w);
	dest[4] = 1 - two * (x * x + z * z);
	dest[5] = two * (y * z - x * w);
	dest[6] = two * (x * z - y * w);
	dest[7] = two * (y * z + x * w);
	dest[8] = 1 - two * (x * x + y * y);
}

/* b ← G⁻¹ b of a symmetric G: 00, 10, 11, 20, 21, 22. */
LANE_INLINE void lane_solve3(const snk_lanes g[6], snk_lanes b[3]) {
	const snk_lanes c0 = g[2] * g[5] - g[4] * g[4], c1 = g[4] * g[3] - g[1] * g[5], c2 = g[1] * g[4] - g[2] * g[3];
	const snk_lanes inverse = 1.0 / (g[0] * c0 + g[1] * c1 + g[3] * c2), x = b[0], y = b[1], z = b[2];
	b[0] = inverse * (c0 * x + c1 * y + c2 * z);
	b[1] = inverse * (c1 * x + (g[0] * g[5] - g[3] * g[3]) * y + (g[3] * g[1] - g[0] * g[4]) * z);
	b[2] = inverse * (c2 * x + (g[3] * g[1] - g[0] * g[4]) * y + (g[0] * g[2] - g[1] * g[1]) * z);
}

/* gap ← A⁻¹ gap, by (AᵀA + ridge · trace)⁻¹ Aᵀ, which is bounded if A is nearly singular. */
LANE_INLINE void lane_divide(const snk_lanes a[9], double ridge, snk_lanes gap[3]) {
	snk_lanes g[6], b[3];
	for (int r = 0, at = 0; r < 3; r++) {
		for (int c = 0; c <= r; c++) {
			g[at++] = a[r] * a[c] + a[3 + r] * a[3 + c] + a[6 + r] * a[6 + c];
		}
		b[r] = a[r] * gap[0] + a[3 + r] * gap[1] + a[6 + r] * gap[2];
	}
	const snk_lanes added = (g[0] + g[2] + g[5]) * ridge + 1e-30;
	g[0] += added;
	g[2] += added;
	g[5] += added;
	lane_solve3(g, b);
	memcpy(gap, b, sizeof b);
}

/* block += aᵀ b over `rows` rows; a and b are [rows][size]. */
LANE_INLINE void lane_add_gram(uint32_t rows, uint32_t size, const snk_lanes *a, const snk_lanes *b, snk_lanes *block) {
	for (uint32_t i = 0; i < size; i++) {
		for (uint32_t j = 0; j < size; j++) {
			snk_lanes sum = a[i] * b[j];
			for (uint32_t r = 1; r < rows; r++) {
				sum += a[r * size + i] * b[r * size + j];
			}
			block[i * size + j] += sum;
		}
	}
}

#endif
