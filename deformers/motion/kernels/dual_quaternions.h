/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dual quaternions in eight frames at once. With q = Σ w_j q_j, a point is posed at (q₀ v q̄₀ + 2 vec(q_ε q̄₀)) / |q₀|².
 */
#ifndef SINEW_DEFORMERS_MOTION_KERNELS_DUAL_QUATERNIONS_H
#define SINEW_DEFORMERS_MOTION_KERNELS_DUAL_QUATERNIONS_H

#include "motion/kernels/algebra.h"

/* ---- the linear system --------------------------------------------------------------------------------------------------- */

/* A point posed by a single unit dual quaternion. */
LANE_INLINE void move_point(const snk_lanes q[8], const double rest[3], snk_lanes dest[3]) {
	snk_lanes half[4], whole[4];
	lane_multiply_point(q, rest, half);
	for (int i = 0; i < 4; i++) {
		half[i] += 2 * q[4 + i];
	}
	lane_multiply_conjugate(half, q, whole);
	memcpy(dest, whole, 3 * sizeof *dest);
}

/* A column of four rows: w · p · Q. */
LANE_INLINE void put_column(const snk_lanes p[4], const snk_lanes q[4], snk_lanes *rows, uint32_t size, uint32_t column) {
	snk_lanes product[4];
	lane_multiply(p, q, product);
	for (uint32_t r = 0; r < 4; r++) {
		rows[r * size + column] = product[r];
	}
}

/* The four rows v' q₀ − q₀ v − 2 q_ε of one influence with x q in place of q: their derivative by x, [4][7], and their value
 * at x = 1, added up. The rotation in x is about the centre: its ε part is the centre × the rotation. */
LANE_INLINE void linear_rows(const snk_lanes q[8], const snk_lanes centre[3], double w, const double rest[3],
							 const snk_lanes posed[3], snk_lanes *rows, snk_lanes value[4]) {
	snk_lanes transformed[3], gap[4], sum[3], weighted[4], column[4];
	move_point(q, rest, transformed);
	const snk_lanes zero = transformed[0] * 0;
	for (int i = 0; i < 3; i++) {
		gap[i] = posed[i] - transformed[i];
		sum[i] = posed[i] + transformed[i] - 2 * centre[i];
	}
	gap[3] = zero;
	for (int i = 0; i < 4; i++) {
		weighted[i] = w * q[i];
	}
	lane_multiply(gap, weighted, column);
	for (int i = 0; i < 4; i++) {
		value[i] += column[i];
	}
	const snk_lanes x[4] = {zero, sum[2], -sum[1], -gap[0]};
	const snk_lanes y[4] = {-sum[2], zero, sum[0], -gap[1]};
	const snk_lanes z[4] = {sum[1], -sum[0], zero, -gap[2]};
	put_column(x, weighted, rows, 7, 0);
	put_column(y, weighted, rows, 7, 1);
	put_column(z, weighted, rows, 7, 2);
	for (uint32_t axis = 0; axis < 4; axis++) {
		snk_lanes unit[4] = {zero, zero, zero, zero};
		unit[(axis + 3) % 4] = zero - 2;
		put_column(unit, weighted, rows, 7, 3 + axis);
	}
}

/* ---- the distance itself ------------------------------------------------------------------------------------------------- */

/* The blend of one point, and its gap. */
typedef struct dual_point {
	snk_lanes q[8];
	snk_lanes inverse; /* 1 / |q₀|² */
	snk_lanes scalar;  /* the scalar part of e q̄₀ / |q₀|² */
	snk_lanes gap[3];  /* v' − blend */
} dual_point;

LANE_INLINE void blend_point(const snk_influences *all, uint32_t point, const snk_lane_dual_quaternion *q, const double rest[3],
							 const snk_lanes posed[3], dual_point *dest) {
	memset(dest->q, 0, sizeof dest->q);
	for (uint32_t k = all->offsets[point]; k < all->offsets[point + 1]; k++) {
		for (int i = 0; i < 8; i++) {
			dest->q[i] += all->weights[k] * q[all->joints[k]][i];
		}
	}
	snk_lanes half[4], whole[4];
	lane_multiply_point(dest->q, rest, half);
	for (int i = 0; i < 4; i++) {
		half[i] += 2 * dest->q[4 + i];
	}
	lane_multiply_conjugate(half, dest->q, whole);
	const snk_lanes squared = lane_dot3(dest->q, dest->q) + dest->q[3] * dest->q[3];
	dest->inverse = 1.0 / lane_max(squared, squared * 0 + 1e-30);
	for (int i = 0; i < 3; i++) {
		dest->gap[i] = posed[i] - whole[i] * dest->inverse;
	}
	dest->scalar = -whole[3] * dest->inverse;
}

/* p = unit · u, unit the i-th of 1, i, j, k. */
LANE_INLINE void multiply_unit(uint32_t unit, const snk_lanes u[4], snk_lanes p[4]) {
	static const int from[4][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 3, 0, 1}, {1, 0, 3, 2}};
	static const double signs[4][4] = {{1, 1, 1, 1}, {1, -1, 1, -1}, {1, 1, -1, -1}, {-1, 1, 1, -1}};
	for (int i = 0; i < 4; i++) {
		p[i] = u[from[unit][i]] * signs[unit][i];
	}
}

/* The derivative of the gap by (1 + x) q for one influence, [3][8]. With e = v' q₀ − q₀ v − 2 q_ε = (gap + scalar) q₀ and
 * u = dq₀ q₀⁻¹: d gap = vec(de q₀⁻¹) − gap u_s − scalar u_v − gap × u_v. */
LANE_INLINE void dual_rows(const dual_point *at, const snk_lanes q[8], const snk_lanes centre[3], double w,
						   const double rest[3], const snk_lanes posed[3], snk_lanes *rows) {
	snk_lanes u[4], transformed[4], half[4];
	const snk_lanes scale = at->inverse * w;
	lane_multiply_conjugate(q, at->q, u);
	lane_multiply_point(q, rest, half);
	for (int i = 0; i < 4; i++) {
		half[i] += 2 * q[4 + i];
	}
	lane_multiply_conjugate(half, at->q, transformed);
	for (int i = 0; i < 4; i++) {
		u[i] *= scale;
		transformed[i] *= scale;
	}
	for (uint32_t unit = 0; unit < 4; unit++) {
		snk_lanes p[4], m[4];
		multiply_unit(unit, u, p);
		multiply_unit(unit, transformed, m);
		for (uint32_t i = 0; i < 3; i++) {
			const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
			/* vec(v' p − m) − gap p_s − scalar p_v − gap × p_v */
			rows[8 * i + unit] = (posed[i] - at->gap[i]) * p[3] + (posed[j] - at->gap[j]) * p[k] -
								 (posed[k] - at->gap[k]) * p[j] - m[i] - at->scalar * p[i];
			rows[8 * i + 4 + unit] = -2 * p[i];
		}
	}
	/* A rotation is about the centre: its ε part is the centre × the rotation. */
	for (uint32_t i = 0; i < 3; i++) {
		snk_lanes *row = rows + (size_t)8 * i;
		row[1] += centre[2] * row[6] - centre[1] * row[7];
		row[2] += centre[0] * row[7] - centre[2] * row[5];
		row[3] += centre[1] * row[5] - centre[0] * row[6];
	}
}

/* ---- sums over points ---------------------------------------------------------------------------------------------------- */

/* Adds JᵀJ and −Jᵀ value of one point: J is [influences][rows][size]. */
LANE_INLINE void add_point(const snk_blend_graph *graph, uint32_t point, uint32_t rows, uint32_t size,
						   const snk_lanes *jacobians, const snk_lanes *value, snk_lanes *blocks, snk_lanes *right) {
	const snk_influences *all = graph->influences;
	const uint32_t first = all->offsets[point], end = all->offsets[point + 1], stride = rows * size;
	for (uint32_t a = first; a < end; a++) {
		const snk_lanes *lanes = jacobians + (size_t)stride * (a - first);
		const uint32_t place = graph->places[all->joints[a]];
		snk_lanes *side = right + (size_t)size * place;
		for (uint32_t c = 0; c < size; c++) {
			snk_lanes sum = lanes[c] * value[0];
			for (uint32_t r = 1; r < rows; r++) {
				sum += lanes[r * size + c] * value[r];
			}
			side[c] -= sum;
		}
		for (uint32_t b = first; b < end; b++) {
			const uint32_t column = graph->places[all->joints[b]];
			if (column <= place) {
				const uint32_t block = graph->blocks[(size_t)place * graph->joint_count + column];
				lane_add_gram(rows, size, lanes, jacobians + (size_t)stride * (b - first),
							  blocks + (size_t)size * size * block);
			}
		}
	}
}

static void dual_linear_equations(const snk_motion *motion, const snk_blend_graph *graph, uint32_t block,
								  const snk_lane_dual_quaternion *q, const snk_lane_vector *centres, snk_lanes *blocks,
								  snk_lanes *right) {
	const snk_influences *all = graph->influences;
	snk_lanes jacobians[SNK_FIT_INFLUENCES * 4 * 7];
	memset(blocks, 0, (size_t)graph->block_count * 49 * sizeof *blocks);
	memset(right, 0, (size_t)graph->joint_count * 7 * sizeof *right);
	for (uint32_t n = 0; n < all->point_count; n++) {
		const uint32_t i = graph->visit[n];
		snk_lanes posed[3], value[4] = {{0}, {0}, {0}, {0}};
		lane_point(snk_motion_point(motion, block, i), posed);
		for (uint32_t k = all->offsets[i]; k < all->offsets[i + 1]; k++) {
			const uint32_t joint = all->joints[k];
			linear_rows(q[joint], centres[joint], all->weights[k], motion->points_rest + 3 * (size_t)i, posed,
						jacobians + (size_t)28 * (k - all->offsets[i]), value);
		}
		add_point(graph, i, 4, 7, jacobians, value, blocks, right);
	}
}

static void dual_equations(const snk_motion *motion, const snk_blend_graph *graph, uint32_t block,
						   const snk_lane_dual_quaternion *q, const snk_lane_vector *centres, snk_lanes *blocks,
						   snk_lanes *right) {
	const snk_influences *all = graph->influences;
	snk_lanes jacobians[SNK_FIT_INFLUENCES * 3 * 8];
	memset(blocks, 0, (size_t)graph->block_count * 64 * sizeof *blocks);
	memset(right, 0, (size_t)graph->joint_count * 8 * sizeof *right);
	for (uint32_t n = 0; n < all->point_count; n++) {
		const uint32_t i = graph->visit[n];
		const double *rest = motion->points_rest + 3 * (size_t)i;
		snk_lanes posed[3];
		dual_point at;
		lane_point(snk_motion_point(motion, block, i), posed);
		blend_point(all, i, q, rest, posed, &at);
		for (uint32_t k = all->offsets[i]; k < all->offsets[i + 1]; k++) {
			const uint32_t joint = all->joints[k];
			dual_rows(&at, q[joint], centres[joint], all->weights[k], rest, posed,
					  jacobians + (size_t)24 * (k - all->offsets[i]));
		}
		add_point(graph, i, 3, 8, jacobians, at.gap, blocks, right);
	}
}

static void dual_distances(const snk_motion *motion, const snk_influences *influences, uint32_t block,
						   const snk_lane_dual_quaternion *q, uint32_t begin, uint32_t end, snk_lanes *distances) {
	for (uint32_t i = begin; i < end; i++) {
		snk_lanes posed[3];
		dual_point at;
		lane_point(snk_motion_point(motion, block, i), posed);
		blend_point(influences, i, q, motion->points_rest + 3 * (size_t)i, posed, &at);
		distances[i - begin] = lane_dot3(at.gap, at.gap);
	}
}

#endif
