/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Converts lanes to points: 16 x, y and z become 48 floats in order if the points are consecutive.
 */
#ifndef SINEW_HOST_PROGRAM_KERNELS_TRANSPOSE_H
#define SINEW_HOST_PROGRAM_KERNELS_TRANSPOSE_H

#include "program/kernels/vectors.h"

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

#endif
