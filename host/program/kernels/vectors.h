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

/* ---- transposition ------------------------------------------------------------------------------------------------------- */

/* Converts lanes to points: 16 x, y and z become 48 floats in order if the points are consecutive. */

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Two floats that are moved as one. */
typedef double pair __attribute__((may_alias, aligned(4)));
typedef double pairs __attribute__((vector_size(16)));

#if defined(__AVX512F__)

/* Of 16 x, y and z, the 16 floats from `part` · 16 on in x y z order: x and y first, then z is inserted. */
ALWAYS_INLINE __m512 interleaved(int part, __m512 x, __m512 y, __m512 z) {
	int xy[16], xyz[16];
	for (int i = 0; i < 16; i++) {
		const int number = 16 * part + i, lane = number / 3;
		xy[i] = number % 3 == 1 ? 16 + lane : lane;
		xyz[i] = number % 3 == 2 ? 16 + lane : i;
	}
	return _mm512_permutex2var_ps(_mm512_permutex2var_ps(x, _mm512_loadu_si512(xy), y), _mm512_loadu_si512(xyz), z);
}

ALWAYS_INLINE void deliver_run(const float *posed, const float origin[3], float *out) {
	const __m512 x = _mm512_add_ps(_mm512_loadu_ps(posed), _mm512_set1_ps(origin[0]));
	const __m512 y = _mm512_add_ps(_mm512_loadu_ps(posed + 16), _mm512_set1_ps(origin[1]));
	const __m512 z = _mm512_add_ps(_mm512_loadu_ps(posed + 32), _mm512_set1_ps(origin[2]));
	_mm512_storeu_ps(out, interleaved(0, x, y, z));
	_mm512_storeu_ps(out + 16, interleaved(1, x, y, z));
	_mm512_storeu_ps(out + 32, interleaved(2, x, y, z));
}

#else

/* Four points at a time: x x x x, y y y y, z z z z become x y z x, y z x y, z x y z. */
ALWAYS_INLINE void deliver_run(const float *posed, const float origin[3], float *out) {
	for (size_t i = 0; i < SNW_LANES; i += 4) {
		const row4 x = *(const row4 *)(posed + i) + origin[0], y = *(const row4 *)(posed + SNW_LANES + i) + origin[1];
		const row4 z = *(const row4 *)(posed + 2 * SNW_LANES + i) + origin[2];
		const row4 xy = __builtin_shufflevector(x, y, 0, 2, 4, 6), yz = __builtin_shufflevector(y, z, 1, 3, 5, 7);
		const row4 zx = __builtin_shufflevector(z, x, 0, 2, 5, 7);
		*(row4 *)(out + 3 * i) = __builtin_shufflevector(xy, zx, 0, 2, 4, 6);
		*(row4 *)(out + 3 * i + 4) = __builtin_shufflevector(yz, xy, 0, 2, 5, 7);
		*(row4 *)(out + 3 * i + 8) = __builtin_shufflevector(zx, yz, 1, 3, 5, 7);
	}
}

#endif

/* Each point separately. */
ALWAYS_INLINE void deliver_apart(const float *posed, const float origin[3], const uint16_t *locals, float *out) {
	for (size_t i = 0; i < SNW_LANES; i += 4) {
		const row4 x = *(const row4 *)(posed + i) + origin[0], y = *(const row4 *)(posed + SNW_LANES + i) + origin[1];
		const row4 z = *(const row4 *)(posed + 2 * SNW_LANES + i) + origin[2];
		const pairs xy[2] = {(pairs)__builtin_shufflevector(x, y, 0, 4, 1, 5),
							 (pairs)__builtin_shufflevector(x, y, 2, 6, 3, 7)};
#pragma GCC unroll 4
		for (size_t k = 0; k < 4; k++) {
			float *point = out + 3 * (size_t)locals[i + k];
			*(pair *)point = xy[k / 2][k % 2];
			point[2] = z[k];
		}
	}
}

static void deliver(uint32_t group_count, const float *posed, const float origin[3], const uint16_t *runs,
					const uint16_t *locals, float *points_out) {
	for (size_t group = 0; group < group_count; group++) {
		const float *values = posed + 3 * SNW_LANES * group;
		if (runs[group] != SNW_NO_RUN) {
			deliver_run(values, origin, points_out + 3 * (size_t)runs[group]);
		} else {
			deliver_apart(values, origin, locals + SNW_LANES * group, points_out);
		}
	}
}

#if defined(__x86_64__)

static void stream(size_t count, const float *from, float *to) {
	for (; count > 0 && (uintptr_t)to % 64 != 0; count--) {
		*to++ = *from++;
	}
	for (; count >= 16; count -= 16, from += 16, to += 16) {
#if defined(__AVX512F__)
		_mm512_stream_ps(to, _mm512_loadu_ps(from));
#else
		for (int i = 0; i < 16; i += 4) {
			_mm_stream_ps(to + i, _mm_loadu_ps(from + i));
		}
#endif
	}
	memcpy(to, from, count * sizeof *to);
	_mm_sfence();
}

#else

static void stream(size_t count, const float *from, float *to) {
	memcpy(to, from, count * sizeof *to);
}

#endif

/* ---- displacements ------------------------------------------------------------------------------------------------------- */

/* Displacements of many points: whole pieces, read in order. */

static void displace(uint32_t count, const snw_displaced_piece *pieces, const float *vectors, const float *scales,
					 float *numbers) {
	for (size_t n = 0; n < count; n++) {
		const float scale = scales[pieces[n].displacement];
		const float *from = vectors + 3 * SNW_LANES * n;
		float *to = numbers + pieces[n].number;
		if (scale == 0) {
			continue;
		}
		for (size_t i = 0; i < 3 * SNW_LANES; i += VECTOR_FLOATS) {
			store(to + i, load(to + i) + scale * load(from + i));
		}
	}
}

#endif
