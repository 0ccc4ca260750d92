/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All inner loops of the float evaluator: the blends of points, and normals. This file is compiled once for each instruction
 * set, with SNW_KERNELS and SNW_KERNELS_NAME.
 */
#include "program/kernels/vectors.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* ---- single points ------------------------------------------------------------------------------------------------------- */

/* The blends for single points: the 16 floats of a palette entry, four columns of four, are scaled and summed together. */

/* ---- one linear point, in any order of its set --------------------------------------------------------------------------- */

#if defined(__AVX512F__)

typedef __m512 palette_row;

ALWAYS_INLINE palette_row blended_row(const snw_kernel_block *block, size_t first, uint32_t influence_count, bool wide) {
	palette_row sum = _mm512_setzero_ps();
	for (uint32_t k = 0; k < influence_count; k++) {
		const float *row = block->matrices + 16 * entry_at(block->entries, first + k, wide);
		sum = _mm512_fmadd_ps(_mm512_set1_ps(block->weights[first + k]), _mm512_load_ps(row), sum);
	}
	return sum;
}

/* The four columns of a row, summed. */
ALWAYS_INLINE row4 sum_columns(palette_row row) {
	const __m256 high = _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(row), 1));
	const __m256 half = _mm256_add_ps(_mm512_castps512_ps256(row), high);
	return (row4)_mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
}

ALWAYS_INLINE row4 linear_point(const snw_kernel_block *block, size_t i, uint32_t influence_count, bool wide) {
	const __m512i spread = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 12, 12, 12, 12);
	const __m512 point = _mm512_mask_loadu_ps(_mm512_set1_ps(1), 0x7, block->points + 3 * i);
	const palette_row row = blended_row(block, i * influence_count, influence_count, wide);
	return sum_columns(_mm512_mul_ps(row, _mm512_permutexvar_ps(spread, point)));
}

/* Four rows of four columns: for each row the sum of its columns. */
ALWAYS_INLINE __m512 sum_columns_of_four(const __m512 rows[4]) {
	const __m512 ab = _mm512_add_ps(_mm512_shuffle_f32x4(rows[0], rows[1], 0x88), _mm512_shuffle_f32x4(rows[0], rows[1], 0xdd));
	const __m512 cd = _mm512_add_ps(_mm512_shuffle_f32x4(rows[2], rows[3], 0x88), _mm512_shuffle_f32x4(rows[2], rows[3], 0xdd));
	return _mm512_add_ps(_mm512_shuffle_f32x4(ab, cd, 0x88), _mm512_shuffle_f32x4(ab, cd, 0xdd));
}

/* Four points at once from i on: their rows are summed together. */
ALWAYS_INLINE void linear_four_points(const snw_kernel_block *block, size_t i, uint32_t influence_count, bool wide) {
	const __m512i together = _mm512_setr_epi32(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 15, 15, 15);
	const __m512i spread = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 12, 12, 12, 12);
	const __m512 points = _mm512_mask_loadu_ps(_mm512_set1_ps(1), 0xfff, block->points + 3 * i);
	const __m512i step = _mm512_setr_epi32(3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0, 0, 0, 0);
	const float *o = block->origin;
	const __m512 origin = _mm512_setr_ps(o[0], o[1], o[2], 0, o[0], o[1], o[2], 0, o[0], o[1], o[2], 0, o[0], o[1], o[2], 0);
	__m512i which = spread;
	__m512 rows[4];
#pragma GCC unroll 4
	for (size_t j = 0; j < 4; j++) {
		rows[j] = _mm512_mul_ps(blended_row(block, (i + j) * influence_count, influence_count, wide),
								_mm512_permutexvar_ps(which, points));
		which = _mm512_add_epi32(which, step);
	}
	const __m512 posed = _mm512_add_ps(sum_columns_of_four(rows), origin);
	_mm512_mask_storeu_ps(block->posed + 3 * i, 0xfff, _mm512_permutexvar_ps(together, posed));
}

enum { POINTS_TOGETHER = 4 };
#define POINTS_AT_ONCE linear_four_points

#elif defined(__AVX2__)

ALWAYS_INLINE row4 linear_point(const snw_kernel_block *block, size_t i, uint32_t influence_count, bool wide) {
	__m256 first = _mm256_setzero_ps(), second = _mm256_setzero_ps();
	for (uint32_t k = 0; k < influence_count; k++) {
		const size_t influence = i * influence_count + k;
		const float *row = block->matrices + 16 * entry_at(block->entries, influence, wide);
		const __m256 w = _mm256_broadcast_ss(block->weights + influence);
		first = _mm256_fmadd_ps(w, _mm256_load_ps(row), first);
		second = _mm256_fmadd_ps(w, _mm256_load_ps(row + 8), second);
	}
	const __m256 point = _mm256_castps128_ps256(_mm_blend_ps(_mm_loadu_ps(block->points + 3 * i), _mm_set1_ps(1), 1 << 3));
	const __m256 xy = _mm256_permutevar8x32_ps(point, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
	const __m256 zw = _mm256_permutevar8x32_ps(point, _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3));
	const __m256 sum = _mm256_fmadd_ps(first, xy, _mm256_mul_ps(second, zw));
	return (row4)_mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps(sum, 1));
}

#else

ALWAYS_INLINE row4 linear_point(const snw_kernel_block *block, size_t i, uint32_t influence_count, bool wide) {
	row4 sum[4] = {{0}, {0}, {0}, {0}};
	for (uint32_t k = 0; k < influence_count; k++) {
		const size_t influence = i * influence_count + k;
		const column *columns = (const column *)(block->matrices + 16 * entry_at(block->entries, influence, wide));
		for (int c = 0; c < 4; c++) {
			sum[c] += block->weights[influence] * columns[c];
		}
	}
	const float *p = block->points + 3 * i;
	return (p[0] * sum[0] + p[1] * sum[1]) + (p[2] * sum[2] + sum[3]);
}

#endif

/* ---- any blend ----------------------------------------------------------------------------------------------------------- */

/* The fourth number overwrites the next point, which is written later. */
ALWAYS_INLINE void put_point(const snw_kernel_block *block, size_t i, row4 posed) {
	const row4 origin = {block->origin[0], block->origin[1], block->origin[2], 0};
	const row4 shifted = posed + origin;
	if (i + 1 < block->point_count) {
		*(row4 *)(block->posed + 3 * i) = shifted;
	} else {
		memcpy(block->posed + 3 * i, &shifted, 3 * sizeof(float));
	}
}

ALWAYS_INLINE void linear_points(const snw_kernel_block *block, uint32_t influence_count, bool wide) {
	const size_t group_entries = (size_t)influence_count * SNW_LANES * (wide ? 4 : 2) / sizeof(float);
	for (size_t first = 0; first < block->point_count; first += SNW_LANES) {
		const size_t remaining = block->point_count - first, count = remaining < SNW_LANES ? remaining : SNW_LANES;
		prefetch(block->points, first / SNW_LANES, 3 * SNW_LANES);
		prefetch(block->weights, first / SNW_LANES, (size_t)influence_count * SNW_LANES);
		prefetch(block->entries, first / SNW_LANES, group_entries);
		size_t i = first;
#if defined(POINTS_AT_ONCE)
		for (; i + POINTS_TOGETHER <= first + count; i += POINTS_TOGETHER) {
			POINTS_AT_ONCE(block, i, influence_count, wide);
		}
#endif
		for (; i < first + count; i++) {
			put_point(block, i, linear_point(block, i, influence_count, wide));
		}
	}
}

static void linear_mixed(const snw_kernel_block *block){FOR_INFLUENCE_COUNT(linear_points, block)}

/* Σ T (p + w (displacement, 0)) */
ALWAYS_INLINE void affine_points(const snw_kernel_block *block, uint32_t influence_count, bool wide, bool displaced) {
	for (size_t i = 0; i < block->point_count; i++) {
		row4 first = {0}, second = {0};
		const float *shifted = displaced ? block->points + 3 * i : NULL;
		for (uint32_t k = 0; k < influence_count; k++) {
			const size_t influence = i * influence_count + k;
			const column *columns = (const column *)(block->matrices + 16 * entry_at(block->entries, influence, wide));
			const float *row = block->rows + 4 * influence, w = row[3];
			const float x = displaced ? row[0] + w * shifted[0] : row[0];
			const float y = displaced ? row[1] + w * shifted[1] : row[1];
			const float z = displaced ? row[2] + w * shifted[2] : row[2];
			first += x * columns[0];
			second += y * columns[1];
			first += z * columns[2];
			second += w * columns[3];
		}
		put_point(block, i, first + second);
	}
}

ALWAYS_INLINE void affine_points_at_rest(const snw_kernel_block *block, uint32_t influence_count, bool wide) {
	affine_points(block, influence_count, wide, false);
}

ALWAYS_INLINE void affine_points_displaced(const snw_kernel_block *block, uint32_t influence_count, bool wide) {
	affine_points(block, influence_count, wide, true);
}

static void affine_mixed(const snw_kernel_block *block) {
	if (block->points == NULL) {
		FOR_INFLUENCE_COUNT(affine_points_at_rest, block)
	} else {
		FOR_INFLUENCE_COUNT(affine_points_displaced, block)
	}
}

/* Σ w q of 16 points from `first` on, of which `count` exist, number by number. */
ALWAYS_INLINE void sum_dual_quaternions(const snw_kernel_block *block, size_t first, size_t count, uint32_t influence_count,
										bool wide, float q[8][SNW_LANES]) {
	for (size_t i = 0; i < count; i++) {
		row8 sum = {0};
		for (uint32_t k = 0; k < influence_count; k++) {
			const size_t influence = (first + i) * influence_count + k;
			sum += block->weights[influence] *
				   *(const row8 *)(block->dual_quaternions + 8 * entry_at(block->entries, influence, wide));
		}
		for (int c = 0; c < 8; c++) {
			q[c][i] = sum[c];
		}
	}
}

ALWAYS_INLINE void dual_quaternion_points(const snw_kernel_block *block, uint32_t influence_count, bool wide) {
	float q[8][SNW_LANES] __attribute__((aligned(64))) = {{0}}, x[3][SNW_LANES] __attribute__((aligned(64))) = {{0}};
	for (size_t first = 0; first < block->point_count; first += SNW_LANES) {
		const size_t remaining = block->point_count - first, count = remaining < SNW_LANES ? remaining : SNW_LANES;
		sum_dual_quaternions(block, first, count, influence_count, wide, q);
		for (size_t i = 0; i < count; i++) {
			row4 point = *(const row4 *)(block->points + 3 * (first + i));
			if (block->matrices != NULL) {
				point += linear_point(block, first + i, influence_count, wide);
			}
			for (int c = 0; c < 3; c++) {
				x[c][i] = point[c];
			}
		}
		for (size_t at = 0; at < SNW_LANES; at += VECTOR_FLOATS) {
			vector sum[8], p[3] = {load(x[0] + at), load(x[1] + at), load(x[2] + at)};
			for (int c = 0; c < 8; c++) {
				sum[c] = load(q[c] + at);
			}
			apply_dual_quaternion(sum, block->stay, p);
			for (int c = 0; c < 3; c++) {
				store(x[c] + at, p[c] + block->origin[c]);
			}
		}
		for (size_t i = 0; i < count; i++) {
			for (size_t c = 0; c < 3; c++) {
				block->posed[3 * (first + i) + c] = x[c][i];
			}
		}
	}
}

static void dual_quaternion_mixed(const snw_kernel_block *block) {
	FOR_INFLUENCE_COUNT(dual_quaternion_points, block)
}

/* ---- grouped points ------------------------------------------------------------------------------------------------------ */

/* The blends for groups of 16 points that share their palette entries: one point in each lane, the numbers of an entry
 * broadcast. */

enum { PARTS = SNW_LANES / VECTOR_FLOATS }; /* vectors for one number of all lanes */

/* Adds Σ w M (p, 1) for the lanes of a group to `sum`. */
ALWAYS_INLINE void sum_matrices(const snw_kernel_block *block, size_t group, uint32_t influence_count, bool wide,
								vector p[PARTS][3], vector sum[PARTS][3]) {
	const float *weights = block->weights + group * influence_count * SNW_LANES;
	/* Row by row, to use few registers. */
	for (int r = 0; r < 3 && PARTS > 2; r++) {
		for (uint32_t k = 0; k < influence_count; k++) {
			const float *m = block->matrices + 16 * entry_at(block->entries, group * influence_count + k, wide);
			const vector zero = {0}, x = m[r] + zero, y = m[4 + r] + zero, z = m[8 + r] + zero, t = m[12 + r] + zero;
#pragma GCC unroll 4
			for (size_t part = 0; part < PARTS; part++) {
				const vector w = load(weights + SNW_LANES * (size_t)k + part * VECTOR_FLOATS);
				sum[part][r] += w * (p[part][0] * x + (p[part][1] * y + (p[part][2] * z + t)));
			}
		}
	}
#pragma GCC unroll 4
	for (size_t part = 0; part < PARTS && PARTS <= 2; part++) {
		for (uint32_t k = 0; k < influence_count; k++) {
			const float *m = block->matrices + 16 * entry_at(block->entries, group * influence_count + k, wide);
			const vector w = load(weights + SNW_LANES * (size_t)k + part * VECTOR_FLOATS);
			for (int r = 0; r < 3; r++) {
				sum[part][r] += w * (p[part][0] * m[r] + (p[part][1] * m[4 + r] + (p[part][2] * m[8 + r] + m[12 + r])));
			}
		}
	}
}

ALWAYS_INLINE void load_points(const float *points, size_t group, size_t at, vector p[3]) {
	for (size_t c = 0; c < 3; c++) {
		p[c] = load(points + (3 * group + c) * SNW_LANES + at);
	}
}

ALWAYS_INLINE void store_points(float *points, size_t group, size_t at, const vector p[3]) {
	for (size_t c = 0; c < 3; c++) {
		store(points + (3 * group + c) * SNW_LANES + at, p[c]);
	}
}

/* Σ w (T (x, 1)) */
ALWAYS_INLINE void linear_groups(const snw_kernel_block *block, uint32_t influence_count, bool wide) {
	for (size_t group = 0; group < block->point_count / SNW_LANES; group++) {
		vector p[PARTS][3], sum[PARTS][3];
		prefetch(block->points, group, 3 * SNW_LANES);
		prefetch(block->weights, group, influence_count * SNW_LANES);
#pragma GCC unroll 4
		for (size_t part = 0; part < PARTS; part++) {
			load_points(block->points, group, part * VECTOR_FLOATS, p[part]);
			memset(sum[part], 0, sizeof sum[part]);
		}
		sum_matrices(block, group, influence_count, wide, p, sum);
#pragma GCC unroll 4
		for (size_t part = 0; part < PARTS; part++) {
			store_points(block->posed, group, part * VECTOR_FLOATS, sum[part]);
		}
	}
}

static void linear_lanes(const snw_kernel_block *block){FOR_INFLUENCE_COUNT(linear_groups, block)}

/* Σ T (p + w (displacement, 0)) */
ALWAYS_INLINE void affine_groups(const snw_kernel_block *block, uint32_t influence_count, bool wide, bool displaced) {
	for (size_t group = 0; group < block->point_count / SNW_LANES; group++) {
		prefetch(block->rows, group, 4 * influence_count * SNW_LANES);
		for (size_t at = 0; at < SNW_LANES; at += VECTOR_FLOATS) {
			vector shifted[3] = {{0}, {0}, {0}}, sum[3] = {{0}, {0}, {0}};
			if (displaced) {
				load_points(block->points, group, at, shifted);
			}
			for (uint32_t k = 0; k < influence_count; k++) {
				const size_t influence = group * influence_count + k;
				const float *m = block->matrices + 16 * entry_at(block->entries, influence, wide);
				const float *row = block->rows + 4 * SNW_LANES * influence + at;
				vector p[3];
				const vector w = load(row + 3 * SNW_LANES);
				for (size_t c = 0; c < 3; c++) {
					p[c] = load(row + c * SNW_LANES);
					if (displaced) {
						p[c] += w * shifted[c];
					}
				}
				for (int r = 0; r < 3; r++) {
					sum[r] += p[0] * m[r];
					sum[r] += p[1] * m[4 + r];
					sum[r] += p[2] * m[8 + r];
					sum[r] += w * m[12 + r];
				}
			}
			store_points(block->posed, group, at, sum);
		}
	}
}

ALWAYS_INLINE void affine_groups_at_rest(const snw_kernel_block *block, uint32_t influence_count, bool wide) {
	affine_groups(block, influence_count, wide, false);
}

ALWAYS_INLINE void affine_groups_displaced(const snw_kernel_block *block, uint32_t influence_count, bool wide) {
	affine_groups(block, influence_count, wide, true);
}

static void affine_lanes(const snw_kernel_block *block) {
	if (block->points == NULL) {
		FOR_INFLUENCE_COUNT(affine_groups_at_rest, block)
	} else {
		FOR_INFLUENCE_COUNT(affine_groups_displaced, block)
	}
}

/* Σ w q for the lanes from `at` of a group. */
ALWAYS_INLINE void sum_dual_quaternion_lanes(const snw_kernel_block *block, size_t group, uint32_t influence_count, bool wide,
											 size_t at, vector q[8]) {
	const float *weights = block->weights + group * influence_count * SNW_LANES + at;
	for (uint32_t k = 0; k < influence_count; k++) {
		const float *values = block->dual_quaternions + 8 * entry_at(block->entries, group * influence_count + k, wide);
		const vector w = load(weights + SNW_LANES * (size_t)k);
		for (int c = 0; c < 8; c++) {
			q[c] += w * values[c];
		}
	}
}

ALWAYS_INLINE void dual_quaternion_groups(const snw_kernel_block *block, uint32_t influence_count, bool wide) {
	for (size_t group = 0; group < block->point_count / SNW_LANES; group++) {
		vector p[PARTS][3];
		prefetch(block->points, group, 3 * SNW_LANES);
		prefetch(block->weights, group, influence_count * SNW_LANES);
#pragma GCC unroll 4
		for (size_t part = 0; part < PARTS; part++) {
			load_points(block->points, group, part * VECTOR_FLOATS, p[part]);
		}
		if (block->matrices != NULL) {
			vector stretched[PARTS][3];
			memcpy(stretched, p, sizeof p);
			sum_matrices(block, group, influence_count, wide, p, stretched);
			memcpy(p, stretched, sizeof p);
		}
#pragma GCC unroll 4
		for (size_t part = 0; part < PARTS; part++) {
			vector q[8] = {{0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}};
			sum_dual_quaternion_lanes(block, group, influence_count, wide, part * VECTOR_FLOATS, q);
			apply_dual_quaternion(q, block->stay, p[part]);
			store_points(block->posed, group, part * VECTOR_FLOATS, p[part]);
		}
	}
}

static void dual_quaternion_lanes(const snw_kernel_block *block) {
	FOR_INFLUENCE_COUNT(dual_quaternion_groups, block)
}

/* ---- normals ------------------------------------------------------------------------------------------------------------- */

/* Normals by the blended linear part: its cofactors transform them as they transform the area vector of a small face. */

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

/* ---- the table ----------------------------------------------------------------------------------------------------------- */

extern const snw_kernels SNW_KERNELS;
const snw_kernels SNW_KERNELS = {
	.name = SNW_KERNELS_NAME,
	.lanes = {linear_lanes, affine_lanes, dual_quaternion_lanes, linear_normals_lanes, dual_quaternion_normals_lanes},
	.mixed = {linear_mixed, affine_mixed, dual_quaternion_mixed, linear_normals_mixed, dual_quaternion_normals_mixed},
	.displace = displace,
	.deliver = deliver,
	.stream = stream,
};
