/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The blends for groups of 16 points that share their palette entries: one point in each lane, the numbers of an entry
 * broadcast.
 */
#ifndef SINEW_HOST_PROGRAM_KERNELS_GROUPED_POINTS_H
#define SINEW_HOST_PROGRAM_KERNELS_GROUPED_POINTS_H

#include "program/kernels/vectors.h"

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

#endif
