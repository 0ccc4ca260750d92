/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normals by the blended linear part: its cofactors transform them as they transform the area vector of a small face.
 */
#ifndef SINEW_HOST_PROGRAM_KERNELS_NORMALS_H
#define SINEW_HOST_PROGRAM_KERNELS_NORMALS_H

#include "program/kernels/vectors.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

typedef float lane_numbers[SNW_LANES] __attribute__((aligned(64)));

ALWAYS_INLINE vector square_root(vector v) {
#if defined(__AVX512F__)
	return (vector)_mm512_sqrt_ps((__m512)v);
#elif defined(__AVX2__)
	return (vector)_mm256_sqrt_ps((__m256)v);
#elif defined(__x86_64__)
	return (vector)_mm_sqrt_ps((__m128)v);
#else
	for (int i = 0; i < VECTOR_FLOATS; i++) {
		v[i] = __builtin_sqrtf(v[i]);
	}
	return v;
#endif
}

/* Zero stays zero. */
ALWAYS_INLINE void normalize_lanes(vector n[3]) {
	const vector square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2], one = square * 0 + 1;
	const vector is_none = (vector)((square <= 0) & (vector_mask)one);
	const vector scale = (1 - is_none) / square_root(square + is_none);
	for (int c = 0; c < 3; c++) {
		n[c] *= scale;
	}
}

/* The cofactors of a matrix of columns x, y, z applied to n: n₀ y × z + n₁ z × x + n₂ x × y. */
ALWAYS_INLINE void rotate_by_cofactors(const vector m[9], vector n[3]) {
	const vector *x = m, *y = m + 3, *z = m + 6;
	vector rotated[3];
#pragma GCC unroll 3
	for (int r = 0; r < 3; r++) {
		const int a = (r + 1) % 3, b = (r + 2) % 3;
		rotated[r] =
			n[0] * (y[a] * z[b] - y[b] * z[a]) + n[1] * (z[a] * x[b] - z[b] * x[a]) + n[2] * (x[a] * y[b] - x[b] * y[a]);
	}
	n[0] = rotated[0];
	n[1] = rotated[1];
	n[2] = rotated[2];
}

/* n + 2 r × (r × n + w n) / |q|² for the real part (r, w); n if q has no length. */
ALWAYS_INLINE void rotate_by_quaternion(const vector q[4], vector n[3]) {
	const vector square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], one = square * 0 + 1;
	const vector is_none = (vector)((square <= 0) & (vector_mask)one), scale = (2 - 2 * is_none) / (square + is_none);
	const vector tx = q[1] * n[2] - q[2] * n[1] + q[3] * n[0];
	const vector ty = q[2] * n[0] - q[0] * n[2] + q[3] * n[1];
	const vector tz = q[0] * n[1] - q[1] * n[0] + q[3] * n[2];
	n[0] += scale * (q[1] * tz - q[2] * ty);
	n[1] += scale * (q[2] * tx - q[0] * tz);
	n[2] += scale * (q[0] * ty - q[1] * tx);
}

/* ---- lanes --------------------------------------------------------------------------------------------------------------- */

/* Adds Σ w M to m, number by number, for the lanes from `at` of a group. */
ALWAYS_INLINE void sum_linear_parts(const snw_kernel_block *block, size_t group, uint32_t influence_count, bool wide, size_t at,
									vector m[9]) {
	for (uint32_t k = 0; k < influence_count; k++) {
		const size_t influence = group * influence_count + k;
		const float *values = block->matrices + 16 * entry_at(block->entries, influence, wide);
		const vector w = load(block->weights + influence * block->weight_stride + at);
#pragma GCC unroll 9
		for (int i = 0; i < 9; i++) {
			m[i] += w * values[4 * (i / 3) + i % 3];
		}
	}
}

ALWAYS_INLINE void sum_real_parts(const snw_kernel_block *block, size_t group, uint32_t influence_count, bool wide, size_t at,
								  vector q[4]) {
	for (uint32_t k = 0; k < influence_count; k++) {
		const size_t influence = group * influence_count + k;
		const float *values = block->dual_quaternions + 8 * entry_at(block->entries, influence, wide);
		const vector w = load(block->weights + influence * block->weight_stride + at);
#pragma GCC unroll 4
		for (int i = 0; i < 4; i++) {
			q[i] += w * values[i];
		}
	}
}

/* The identity if stretches are added, which are stored minus the identity. */
ALWAYS_INLINE void start_matrix(float diagonal, vector m[9]) {
	const vector zero = {0};
#pragma GCC unroll 9
	for (int i = 0; i < 9; i++) {
		m[i] = zero + (i % 4 == 0 ? diagonal : 0);
	}
}

ALWAYS_INLINE void rotate_lanes(const snw_kernel_block *block, uint32_t influence_count, bool wide, bool by_quaternion) {
	for (size_t group = 0; group < block->point_count / SNW_LANES; group++) {
		for (size_t at = 0; at < SNW_LANES; at += VECTOR_FLOATS) {
			const size_t first = 3 * SNW_LANES * group + at;
			vector n[3] = {load(block->points + first), load(block->points + first + SNW_LANES),
						   load(block->points + first + 2 * SNW_LANES)};
			if (block->matrices != NULL) {
				vector m[9];
				start_matrix(by_quaternion, m);
				sum_linear_parts(block, group, influence_count, wide, at, m);
				rotate_by_cofactors(m, n);
			}
			if (by_quaternion) {
				vector q[4] = {{0}, {0}, {0}, {0}};
				sum_real_parts(block, group, influence_count, wide, at, q);
				rotate_by_quaternion(q, n);
			}
			normalize_lanes(n);
			for (size_t c = 0; c < 3; c++) {
				store(block->posed + first + c * SNW_LANES, n[c]);
			}
		}
	}
}

ALWAYS_INLINE void rotate_lanes_by_matrices(const snw_kernel_block *block, uint32_t influence_count, bool wide) {
	rotate_lanes(block, influence_count, wide, false);
}

ALWAYS_INLINE void rotate_lanes_by_quaternions(const snw_kernel_block *block, uint32_t influence_count, bool wide) {
	rotate_lanes(block, influence_count, wide, true);
}

static void linear_normals_lanes(const snw_kernel_block *block) {
	FOR_INFLUENCE_COUNT(rotate_lanes_by_matrices, block)
}

static void dual_quaternion_normals_lanes(const snw_kernel_block *block){
	FOR_INFLUENCE_COUNT(rotate_lanes_by_quaternions, block)}

/* ---- mixed: 16 points are blended one by one, then transformed together -------------------------------------------------- */

ALWAYS_INLINE void spread_linear_part(const snw_kernel_block *block, size_t point, uint32_t influence_count, bool wide,
									  size_t lane, lane_numbers m[9]) {
	column sum[3] = {{0}, {0}, {0}};
	for (uint32_t k = 0; k < influence_count; k++) {
		const size_t influence = point * influence_count + k;
		const column *columns = (const column *)(block->matrices + 16 * entry_at(block->entries, influence, wide));
		for (int c = 0; c < 3; c++) {
			sum[c] += block->weights[influence * block->weight_stride] * columns[c];
		}
	}
#pragma GCC unroll 9
	for (int i = 0; i < 9; i++) {
		m[i][lane] += sum[i / 3][i % 3];
	}
}

ALWAYS_INLINE void spread_real_part(const snw_kernel_block *block, size_t point, uint32_t influence_count, bool wide,
									size_t lane, lane_numbers q[4]) {
	column sum = {0};
	for (uint32_t k = 0; k < influence_count; k++) {
		const size_t influence = point * influence_count + k;
		const float *values = block->dual_quaternions + 8 * entry_at(block->entries, influence, wide);
		sum += block->weights[influence * block->weight_stride] * *(const column *)values;
	}
#pragma GCC unroll 4
	for (int i = 0; i < 4; i++) {
		q[i][lane] = sum[i];
	}
}

ALWAYS_INLINE void rotate_together(bool by_matrices, bool by_quaternion, lane_numbers m[9], lane_numbers q[4],
								   lane_numbers normals[3]) {
	for (size_t at = 0; at < SNW_LANES; at += VECTOR_FLOATS) {
		vector n[3] = {load(normals[0] + at), load(normals[1] + at), load(normals[2] + at)}, lanes_of_points[9];
		if (by_matrices) {
			for (int i = 0; i < 9; i++) {
				lanes_of_points[i] = load(m[i] + at);
			}
			rotate_by_cofactors(lanes_of_points, n);
		}
		if (by_quaternion) {
			for (int i = 0; i < 4; i++) {
				lanes_of_points[i] = load(q[i] + at);
			}
			rotate_by_quaternion(lanes_of_points, n);
		}
		normalize_lanes(n);
		for (int c = 0; c < 3; c++) {
			store(normals[c] + at, n[c]);
		}
	}
}

ALWAYS_INLINE void rotate_points(const snw_kernel_block *block, uint32_t influence_count, bool wide, bool by_quaternion) {
	for (size_t first = 0; first < block->point_count; first += SNW_LANES) {
		const size_t remaining = block->point_count - first, count = remaining < SNW_LANES ? remaining : SNW_LANES;
		lane_numbers n[3] = {{0}}, q[4] = {{0}}, m[9] = {{0}};
		for (int i = 0; i < 9 && by_quaternion; i += 4) {
			for (size_t lane = 0; lane < count; lane++) {
				m[i][lane] = 1;
			}
		}
		for (size_t i = 0; i < count; i++) {
			for (size_t c = 0; c < 3; c++) {
				n[c][i] = block->points[3 * (first + i) + c];
			}
			if (block->matrices != NULL) {
				spread_linear_part(block, first + i, influence_count, wide, i, m);
			}
			if (by_quaternion) {
				spread_real_part(block, first + i, influence_count, wide, i, q);
			}
		}
		rotate_together(block->matrices != NULL, by_quaternion, m, q, n);
		for (size_t i = 0; i < count; i++) {
			for (size_t c = 0; c < 3; c++) {
				block->posed[3 * (first + i) + c] = n[c][i];
			}
		}
	}
}

ALWAYS_INLINE void rotate_points_by_matrices(const snw_kernel_block *block, uint32_t influence_count, bool wide) {
	rotate_points(block, influence_count, wide, false);
}

ALWAYS_INLINE void rotate_points_by_quaternions(const snw_kernel_block *block, uint32_t influence_count, bool wide) {
	rotate_points(block, influence_count, wide, true);
}

static void linear_normals_mixed(const snw_kernel_block *block) {
	FOR_INFLUENCE_COUNT(rotate_points_by_matrices, block)
}

static void dual_quaternion_normals_mixed(const snw_kernel_block *block) {
	FOR_INFLUENCE_COUNT(rotate_points_by_quaternions, block)
}

#endif
