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

/* The quarters of a row: the columns of a matrix. */
#define FIRST_HALF(row) __builtin_shufflevector(row, row, 0, 1, 2, 3, 4, 5, 6, 7)
#define SECOND_HALF(row) __builtin_shufflevector(row, row, 8, 9, 10, 11, 12, 13, 14, 15)
#define FIRST_QUARTER(half) __builtin_shufflevector(half, half, 0, 1, 2, 3)
#define SECOND_QUARTER(half) __builtin_shufflevector(half, half, 4, 5, 6, 7)

/* posed = (Σ w T) (x, 1) */
static inline __attribute__((always_inline)) void linear_points(const snw_kernel_block *block, uint32_t influence_count) {
	const float *restrict matrices = block->matrices, *restrict weights = block->weights, *restrict points = block->points;
	const uint32_t *restrict entries = block->entries;
	float *restrict posed = block->posed;
	for (uint32_t i = 0; i < block->point_count; i++) {
		row16 blended = {0};
		for (uint32_t k = 0; k < influence_count; k++) {
			blended += weights[k] * *(const row16 *)(matrices + 16 * (size_t)entries[k]);
		}
		const row8 first = FIRST_HALF(blended), second = SECOND_HALF(blended);
		*(row4 *)posed = (points[0] * FIRST_QUARTER(first) + points[1] * SECOND_QUARTER(first)) +
						 (points[2] * FIRST_QUARTER(second) + points[3] * SECOND_QUARTER(second));
		entries += influence_count;
		weights += influence_count;
		points += 4;
		posed += 4;
	}
}

static void linear(const snw_kernel_block *block) {
	FOR_INFLUENCE_COUNT(linear_points, block)
}

/* posed = Σ T (p + w (displacement, 0)) */
static inline __attribute__((always_inline)) void affine_points(const snw_kernel_block *block, uint32_t influence_count,
																bool displaced) {
	const float *restrict matrices = block->matrices, *restrict rows = block->rows, *restrict points = block->points;
	const uint32_t *restrict entries = block->entries;
	float *restrict posed = block->posed;
	for (uint32_t i = 0; i < block->point_count; i++) {
		row4 first = {0}, second = {0};
		for (uint32_t k = 0; k < influence_count; k++) {
			const row4 *columns = (const row4 *)(matrices + 16 * (size_t)entries[k]);
			const float w = rows[4 * k + 3];
			const float x = displaced ? rows[4 * k] + w * points[0] : rows[4 * k];
			const float y = displaced ? rows[4 * k + 1] + w * points[1] : rows[4 * k + 1];
			const float z = displaced ? rows[4 * k + 2] + w * points[2] : rows[4 * k + 2];
			first += x * columns[0] + y * columns[1];
			second += z * columns[2] + w * columns[3];
		}
		*(row4 *)posed = first + second;
		entries += influence_count;
		rows += 4 * (size_t)influence_count;
		posed += 4;
		if (displaced) {
			points += 4;
		}
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
																	   columns *restrict own) {
	const float *restrict dual_quaternions = block->dual_quaternions, *restrict weights = block->weights;
	const uint32_t *restrict entries = block->entries;
	for (uint32_t i = 0; i < block->point_count; i++) {
		row8 sum = {0};
		for (uint32_t k = 0; k < influence_count; k++) {
			sum += weights[k] * *(const row8 *)(dual_quaternions + 8 * (size_t)entries[k]);
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
