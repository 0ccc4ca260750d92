/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inner loops of the float evaluator. This file is compiled once for each instruction set, which SNW_KERNELS and
 * SNW_KERNELS_NAME tell apart. One row of 16 floats is one palette entry: a register with AVX-512, two with AVX2, four else.
 */
#include "program/kernels.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef float row4 __attribute__((vector_size(16), may_alias));
typedef float row8 __attribute__((vector_size(32), may_alias));
typedef float row16 __attribute__((vector_size(64), may_alias));

/* The influence count is a constant in the loops of the common cases, so that they have no branch for each influence. */
#define FOR_INFLUENCE_COUNT(loop, block)                                                                                       \
	switch ((block)->influence_count) {                                                                                        \
	case 1:                                                                                                                    \
		loop(block, 1);                                                                                                        \
		break;                                                                                                                 \
	case 2:                                                                                                                    \
		loop(block, 2);                                                                                                        \
		break;                                                                                                                 \
	case 3:                                                                                                                    \
		loop(block, 3);                                                                                                        \
		break;                                                                                                                 \
	case 4:                                                                                                                    \
		loop(block, 4);                                                                                                        \
		break;                                                                                                                 \
	case 8:                                                                                                                    \
		loop(block, 8);                                                                                                        \
		break;                                                                                                                 \
	default:                                                                                                                   \
		loop(block, (block)->influence_count);                                                                                 \
		break;                                                                                                                 \
	}

#define EACH_FOUR_TIMES 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3

/* The sum of a row's four columns, to `to`. */
#define STORE_COLUMN_SUM(row, to)                                                                                              \
	do {                                                                                                                       \
		const row8 halves = __builtin_shufflevector(row, row, 0, 1, 2, 3, 4, 5, 6, 7) +                                        \
							__builtin_shufflevector(row, row, 8, 9, 10, 11, 12, 13, 14, 15);                                   \
		*(row4 *)(to) =                                                                                                        \
			__builtin_shufflevector(halves, halves, 0, 1, 2, 3) + __builtin_shufflevector(halves, halves, 4, 5, 6, 7);         \
	} while (0)

/* posed = (Σ w T) (x, 1) */
static inline __attribute__((always_inline)) void linear_points(const snw_kernel_block *block, uint32_t influence_count) {
	const uint32_t *entries = block->entries;
	const float *weights = block->weights;
	for (uint32_t i = 0; i < block->point_count; i++) {
		row16 blended = {0};
		for (uint32_t k = 0; k < influence_count; k++) {
			blended += weights[k] * *(const row16 *)(block->matrices + 16 * (size_t)entries[k]);
		}
		const row4 point = *(const row4 *)(block->points + 4 * (size_t)i);
		blended *= __builtin_shufflevector(point, point, EACH_FOUR_TIMES);
		STORE_COLUMN_SUM(blended, block->posed + 4 * (size_t)i);
		entries += influence_count;
		weights += influence_count;
	}
}

static void linear(const snw_kernel_block *block) {
	FOR_INFLUENCE_COUNT(linear_points, block)
}

/* posed = Σ T (p + w (displacement, 0)) */
static inline __attribute__((always_inline)) void affine_points(const snw_kernel_block *block, uint32_t influence_count,
																bool displaced) {
	const uint32_t *entries = block->entries;
	const float *rows = block->rows;
	for (uint32_t i = 0; i < block->point_count; i++) {
		row16 sum = {0};
		row4 displacement = {0};
		if (displaced) {
			displacement = *(const row4 *)(block->points + 4 * (size_t)i);
		}
		for (uint32_t k = 0; k < influence_count; k++) {
			row4 p = *(const row4 *)(rows + 4 * (size_t)k);
			if (displaced) {
				p += rows[4 * k + 3] * displacement;
			}
			sum += *(const row16 *)(block->matrices + 16 * (size_t)entries[k]) * __builtin_shufflevector(p, p, EACH_FOUR_TIMES);
		}
		STORE_COLUMN_SUM(sum, block->posed + 4 * (size_t)i);
		entries += influence_count;
		rows += 4 * (size_t)influence_count;
	}
}

static inline __attribute__((always_inline)) void affine_at_rest(const snw_kernel_block *block, uint32_t influence_count) {
	affine_points(block, influence_count, false);
}

static inline __attribute__((always_inline)) void affine_displaced(const snw_kernel_block *block, uint32_t influence_count) {
	affine_points(block, influence_count, true);
}

static void affine(const snw_kernel_block *block) {
	if (block->points == NULL) {
		FOR_INFLUENCE_COUNT(affine_at_rest, block)
	} else {
		FOR_INFLUENCE_COUNT(affine_displaced, block)
	}
}

/* A block member by member, so that a loop over its points vectorises. */
typedef struct columns {
	float q[8][SNW_BLOCK_POINTS]; /* Σ w q */
	float x[3][SNW_BLOCK_POINTS];
} columns;

static inline __attribute__((always_inline)) void sum_dual_quaternions(const snw_kernel_block *block, uint32_t influence_count,
																	   columns *own) {
	const uint32_t *entries = block->entries;
	const float *weights = block->weights;
	for (uint32_t i = 0; i < block->point_count; i++) {
		row8 sum = {0};
		for (uint32_t k = 0; k < influence_count; k++) {
			sum += weights[k] * *(const row8 *)(block->dual_quaternions + 8 * (size_t)entries[k]);
		}
		for (int c = 0; c < 8; c++) {
			own->q[c][i] = sum[c];
		}
		entries += influence_count;
		weights += influence_count;
	}
}

/* x + (Σ w (P − I)) x */
static void stretch_points(const snw_kernel_block *block) {
	linear(block);
	for (uint32_t i = 0; i < block->point_count; i++) {
		*(row4 *)(block->posed + 4 * (size_t)i) += *(const row4 *)(block->points + 4 * (size_t)i);
	}
}

static void apply_dual_quaternions(const snw_kernel_block *block, columns *own) {
	for (uint32_t i = 0; i < block->point_count; i++) {
		const float qx = own->q[0][i], qy = own->q[1][i], qz = own->q[2][i], qw = own->q[3][i];
		const float dx = own->q[4][i], dy = own->q[5][i], dz = own->q[6][i], dw = own->q[7][i];
		const float x = own->x[0][i], y = own->x[1][i], z = own->x[2][i];
		/* Twice what turns the point and what moves it, still times the square of the real part's length. */
		const float tx = qy * z - qz * y + qw * x, ty = qz * x - qx * z + qw * y, tz = qx * y - qy * x + qw * z;
		const float mx = qy * tz - qz * ty + qw * dx - dw * qx + (qy * dz - qz * dy);
		const float my = qz * tx - qx * tz + qw * dy - dw * qy + (qz * dx - qx * dz);
		const float mz = qx * ty - qy * tx + qw * dz - dw * qz + (qx * dy - qy * dx);
		const float square = qx * qx + qy * qy + qz * qz + qw * qw;
		const float scale = square > 0 ? 2 / square : 0;
		const float stays = square > 0 ? 0.0f : 1.0f;
		own->x[0][i] = x + scale * mx + stays * block->stay[0];
		own->x[1][i] = y + scale * my + stays * block->stay[1];
		own->x[2][i] = z + scale * mz + stays * block->stay[2];
	}
}

static void dual_quaternion(const snw_kernel_block *block) {
	columns own;
	const float *points = block->points;
	if (block->matrices != NULL) {
		stretch_points(block);
		points = block->posed;
	}
	for (uint32_t i = 0; i < block->point_count; i++) {
		for (int c = 0; c < 3; c++) {
			own.x[c][i] = points[4 * (size_t)i + (size_t)c];
		}
	}
#define SUM(sum_block, influence_count) sum_dual_quaternions(sum_block, influence_count, &own)
	FOR_INFLUENCE_COUNT(SUM, block)
#undef SUM
	apply_dual_quaternions(block, &own);
	for (uint32_t i = 0; i < block->point_count; i++) {
		for (int c = 0; c < 3; c++) {
			block->posed[4 * (size_t)i + (size_t)c] = own.x[c][i];
		}
	}
}

extern const snw_kernels SNW_KERNELS;
const snw_kernels SNW_KERNELS = {SNW_KERNELS_NAME, linear, affine, dual_quaternion};
