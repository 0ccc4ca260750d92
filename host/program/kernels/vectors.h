/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Vectors of the width of the instruction set that the file is compiled for.
 */
#ifndef SINEW_HOST_PROGRAM_KERNELS_VECTORS_H
#define SINEW_HOST_PROGRAM_KERNELS_VECTORS_H

#include <stddef.h>
#include <string.h>

#include "program/kernels/kernels.h"

#if defined(__AVX512F__)
enum { VECTOR_FLOATS = 16 };
#elif defined(__AVX2__)
enum { VECTOR_FLOATS = 8 };
#else
enum { VECTOR_FLOATS = 4 };
#endif

typedef float vector __attribute__((vector_size(4 * VECTOR_FLOATS), may_alias));
typedef int32_t vector_mask __attribute__((vector_size(4 * VECTOR_FLOATS), may_alias));
typedef float column __attribute__((vector_size(16), may_alias));
typedef float row4 __attribute__((vector_size(16), may_alias, aligned(4)));
typedef float row8 __attribute__((vector_size(32), may_alias, aligned(4)));

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* In the loops of the common cases the influence count is a constant, so that they have no branch for each influence. They
 * get a copy of the block that has no other pointers to it, so that writes cannot alias it. */
#define FOR_INFLUENCE_COUNT(loop, block)                                                                                       \
	const snw_kernel_block local_block = *(block);                                                                             \
	if (local_block.wide) {                                                                                                    \
		loop(&local_block, local_block.influence_count, true);                                                                 \
		return;                                                                                                                \
	}                                                                                                                          \
	switch (local_block.influence_count) {                                                                                     \
	case 1:                                                                                                                    \
		loop(&local_block, 1, false);                                                                                          \
		break;                                                                                                                 \
	case 2:                                                                                                                    \
		loop(&local_block, 2, false);                                                                                          \
		break;                                                                                                                 \
	case 3:                                                                                                                    \
		loop(&local_block, 3, false);                                                                                          \
		break;                                                                                                                 \
	case 4:                                                                                                                    \
		loop(&local_block, 4, false);                                                                                          \
		break;                                                                                                                 \
	default:                                                                                                                   \
		loop(&local_block, local_block.influence_count, false);                                                                \
		break;                                                                                                                 \
	}

ALWAYS_INLINE size_t entry_at(const void *entries, size_t i, bool wide) {
	return wide ? ((const uint32_t *)entries)[i] : ((const uint16_t *)entries)[i];
}

ALWAYS_INLINE vector load(const float *numbers) {
	return *(const vector *)numbers;
}

ALWAYS_INLINE void store(float *numbers, vector v) {
	*(vector *)numbers = v;
}

/* Prefetches `count` floats from `numbers` on, which are read 8 groups of SNW_LANES points later. Past the end of an array
 * this does nothing. */
ALWAYS_INLINE void prefetch(const float *numbers, size_t group, size_t count) {
	enum { AHEAD = 8, LINE_FLOATS = 16 };
#pragma GCC unroll 8
	for (size_t i = 0; i < count; i += LINE_FLOATS) {
		__builtin_prefetch(numbers + (group + AHEAD) * count + i);
	}
}

/* A dual quaternion applied to a point: q is the weighted sum, all eight scaled by any length. If it has no length, the
 * point moves by `stay`. */
ALWAYS_INLINE void apply_dual_quaternion(const vector q[8], const float stay[3], vector p[3]) {
	const vector tx = q[1] * p[2] - q[2] * p[1] + q[3] * p[0];
	const vector ty = q[2] * p[0] - q[0] * p[2] + q[3] * p[1];
	const vector tz = q[0] * p[1] - q[1] * p[0] + q[3] * p[2];
	/* Twice the terms that rotate and translate the point, still multiplied by the squared length of the real part. */
	const vector mx = q[1] * tz - q[2] * ty + q[3] * q[4] - q[7] * q[0] + (q[1] * q[6] - q[2] * q[5]);
	const vector my = q[2] * tx - q[0] * tz + q[3] * q[5] - q[7] * q[1] + (q[2] * q[4] - q[0] * q[6]);
	const vector mz = q[0] * ty - q[1] * tx + q[3] * q[6] - q[7] * q[2] + (q[0] * q[5] - q[1] * q[4]);
	const vector square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], one = square * 0 + 1;
	const vector_mask is_none = square <= 0;
	const vector stays = (vector)(is_none & (vector_mask)one);
	const vector scale = (2 - 2 * stays) / (square + stays);
	p[0] += scale * mx + stays * stay[0];
	p[1] += scale * my + stays * stay[1];
	p[2] += scale * mz + stays * stay[2];
}

#endif
