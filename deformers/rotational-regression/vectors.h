/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers side by side, and rotations of them, in vectors of the width of the instruction set that the file is compiled for.
 * This runs at each redraw, so numbers that do not depend on where the character is are floats.
 */
#ifndef SINEW_DEFORMERS_ROTATIONAL_REGRESSION_VECTORS
#define SINEW_DEFORMERS_ROTATIONAL_REGRESSION_VECTORS

#include <math.h>

#include "rotational-regression/lanes.h"

#if defined(__AVX512F__)
#define IS_WIDE
enum { WIDTH = 16 };
#else
enum { WIDTH = 8 };
#endif

typedef float lanes __attribute__((vector_size(4 * WIDTH), may_alias, aligned(4)));
typedef float four __attribute__((vector_size(16), may_alias, aligned(4)));
typedef float eight __attribute__((vector_size(32), may_alias, aligned(4)));
typedef double row __attribute__((vector_size(32), may_alias, aligned(8)));
typedef long long truths __attribute__((vector_size(32)));

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* In each four lanes of the result, lanes i, j, k and l of the same four of a, which are 0 to 3, and of b, which are 4 to 7. */
#define LANE(block, i) ((i) < 4 ? (i) + 4 * (block) : (i)-4 + WIDTH + 4 * (block))
#define FOUR_LANES(block, i, j, k, l) LANE(block, i), LANE(block, j), LANE(block, k), LANE(block, l)
#ifdef IS_WIDE
#define SHUFFLE(a, b, i, j, k, l)                                                                                              \
	__builtin_shufflevector(a, b, FOUR_LANES(0, i, j, k, l), FOUR_LANES(1, i, j, k, l), FOUR_LANES(2, i, j, k, l),             \
							FOUR_LANES(3, i, j, k, l))
#else
#define SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, FOUR_LANES(0, i, j, k, l), FOUR_LANES(1, i, j, k, l))
#endif

/* Number k of items i, i + 4, … ↔ item k of lanes i, i + 4, … */
ALWAYS_INLINE void transpose_lanes(lanes v[4]) {
	const lanes a = SHUFFLE(v[0], v[1], 0, 4, 1, 5), b = SHUFFLE(v[0], v[1], 2, 6, 3, 7);
	const lanes c = SHUFFLE(v[2], v[3], 0, 4, 1, 5), d = SHUFFLE(v[2], v[3], 2, 6, 3, 7);
	v[0] = SHUFFLE(a, c, 0, 1, 4, 5);
	v[1] = SHUFFLE(a, c, 2, 3, 6, 7);
	v[2] = SHUFFLE(b, d, 0, 1, 4, 5);
	v[3] = SHUFFLE(b, d, 2, 3, 6, 7);
}

ALWAYS_INLINE void split_lanes(lanes v, four parts[WIDTH / 4]) {
	parts[0] = __builtin_shufflevector(v, v, 0, 1, 2, 3);
	parts[1] = __builtin_shufflevector(v, v, 4, 5, 6, 7);
#ifdef IS_WIDE
	parts[2] = __builtin_shufflevector(v, v, 8, 9, 10, 11);
	parts[3] = __builtin_shufflevector(v, v, 12, 13, 14, 15);
#endif
}

ALWAYS_INLINE eight join_fours(const float *low, const float *high) {
	return __builtin_shufflevector(*(const four *)low, *(const four *)high, 0, 1, 2, 3, 4, 5, 6, 7);
}

/* dest [4]: four floats of each item, a lane for each item. */
ALWAYS_INLINE void gather_lanes(const float *const from[WIDTH], lanes dest[4]) {
#pragma GCC unroll 4
	for (int i = 0; i < 4; i++) {
#ifdef IS_WIDE
		const eight low = join_fours(from[i], from[i + 4]), high = join_fours(from[i + 8], from[i + 12]);
		dest[i] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#else
		dest[i] = join_fours(from[i], from[i + 4]);
#endif
	}
	transpose_lanes(dest);
}

ALWAYS_INLINE void transpose_rows(row v[4]) {
	const row a = __builtin_shufflevector(v[0], v[1], 0, 4, 2, 6), b = __builtin_shufflevector(v[0], v[1], 1, 5, 3, 7);
	const row c = __builtin_shufflevector(v[2], v[3], 0, 4, 2, 6), d = __builtin_shufflevector(v[2], v[3], 1, 5, 3, 7);
	v[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
	v[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
	v[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
	v[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

/* The unit quaternions of rotation vectors, by coordinate. Half the angle is reduced to at most a quarter turn; from there
 * Taylor's series are exact to a float. */
ALWAYS_INLINE void find_exponentials(const lanes v[3], lanes quaternions[4]) {
	const float pi_high = 3.140625F, pi_low = 9.67653589793e-4F; /* the first has few digits, so its multiples are exact */
	const float rounds = 12582912;                               /* added and taken away again, leaves a whole number */
	const lanes squares = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
	lanes angles;
#pragma GCC unroll 16
	for (int i = 0; i < WIDTH; i++) {
		angles[i] = sqrtf(squares[i]);
	}
	angles += 1e-12F;
	const lanes inverse = 1 / angles;
	const lanes full_turns = (angles * 0.159154943F + rounds) - rounds;
	const lanes odd = full_turns - 2 * ((full_turns * 0.5F - 0.25F + rounds) - rounds), sign = 1 - 2 * odd;
	const lanes r = (angles * 0.5F - full_turns * pi_high) - full_turns * pi_low, s = r * r;
	const lanes sine = r * (1 - s * (1 / 6.F - s * (1 / 120.F - s * (1 / 5040.F - s * (1 / 362880.F - s * (1 / 39916800.F))))));
	const lanes cosine =
		1 - s * (1 / 2.F - s * (1 / 24.F - s * (1 / 720.F - s * (1 / 40320.F - s * (1 / 3628800.F - s * (1 / 479001600.F))))));
	const lanes scale = sign * sine * inverse;
	for (int c = 0; c < 3; c++) {
		quaternions[c] = v[c] * scale;
	}
	quaternions[3] = sign * cosine;
}

/* The rotation of a unit quaternion less the identity, row-major. */
ALWAYS_INLINE void matrices_less_identity(const lanes q[4], lanes matrix[9]) {
	const lanes x = 2 * q[0], y = 2 * q[1], z = 2 * q[2];
	const lanes xx = x * q[0], yy = y * q[1], zz = z * q[2], xy = x * q[1], xz = x * q[2], yz = y * q[2];
	const lanes xw = x * q[3], yw = y * q[3], zw = z * q[3];
	matrix[0] = -(yy + zz);
	matrix[1] = xy - zw;
	matrix[2] = xz + yw;
	matrix[3] = xy + zw;
	matrix[4] = -(xx + zz);
	matrix[5] = yz - xw;
	matrix[6] = xz - yw;
	matrix[7] = yz + xw;
	matrix[8] = -(xx + yy);
}

#endif
