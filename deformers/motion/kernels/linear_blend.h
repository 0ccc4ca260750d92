/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Linear blend in eight frames at once: moments of the targets, the equations of rigid transforms, distances.
 */
#ifndef SINEW_DEFORMERS_MOTION_KERNELS_LINEAR_BLEND_H
#define SINEW_DEFORMERS_MOTION_KERNELS_LINEAR_BLEND_H

#include "motion/kernels/algebra.h"

static void target_moments(const snk_motion *motion, const snk_blend_graph *graph, uint32_t block, snk_lane_matrix *targets,
						   snk_lanes *squares) {
	const snk_influences *all = graph->influences;
	memset(targets, 0, graph->joint_count * sizeof *targets);
	snk_lanes sum = {0};
	for (uint32_t i = 0; i < all->point_count; i++) {
		const double *rest = motion->points_rest + 3 * (size_t)i;
		snk_lanes posed[3];
		lane_point(snk_motion_point(motion, block, i), posed);
		sum += lane_dot3(posed, posed);
		for (uint32_t k = all->offsets[i]; k < all->offsets[i + 1]; k++) {
			const uint32_t joint = all->joints[k];
			const double w = all->weights[k], *centre = graph->centres[joint];
			const double local[4] = {w * (rest[0] - centre[0]), w * (rest[1] - centre[1]), w * (rest[2] - centre[2]), w};
			snk_lanes *target = targets[joint];
			for (int r = 0; r < 3; r++) {
				for (int c = 0; c < 4; c++) {
					target[4 * r + c] += posed[r] * local[c];
				}
			}
		}
	}
	*squares = sum;
}

/* dest −= T S, with the 4 × 4 moment S, transposed if it is stored for the other order. */
LANE_INLINE void subtract_transformed(const snk_lanes *matrix, const double *moment, int rotated, snk_lanes *dest) {
	for (int c = 0; c < 4; c++) {
		double column[4];
		for (int k = 0; k < 4; k++) {
			column[k] = rotated ? moment[4 * c + k] : moment[4 * k + c];
		}
		for (int r = 0; r < 3; r++) {
			dest[4 * r + c] -= matrix[4 * r] * column[0] + matrix[4 * r + 1] * column[1] + matrix[4 * r + 2] * column[2] +
							   matrix[4 * r + 3] * column[3];
		}
	}
}

/* The residual of a joint's target moments: Σ w (v' − blend) v̂ᵀ. */
static void find_residual_moments(const snk_blend_graph *graph, const snk_lane_matrix *matrices, const snk_lane_matrix *targets,
								  uint32_t joint, snk_lanes residual[12]) {
	const uint32_t count = graph->joint_count, place = graph->places[joint];
	memcpy(residual, targets[joint], sizeof *targets);
	for (uint32_t other = 0; other < count; other++) {
		const uint32_t block = graph->blocks[(size_t)place * count + graph->places[other]];
		if (block != SNW_NONE) {
			/* residual_j −= T_o Σ w_o w_j v̂_o v̂_jᵀ, stored with the later place as its row. */
			subtract_transformed(matrices[other], graph->moments[block], graph->places[other] < place, residual);
		}
	}
}

/* dest [3][3] = a m bᵀ, the linear parts of two matrices and of a 4 × 4 moment; offset_a [3] = a times its last column,
 * offset_b likewise of its last row. */
LANE_INLINE void rotate_moment(const snk_lanes *a, const double *moment, const snk_lanes *b, snk_lanes dest[9],
							   snk_lanes offset_a[3], snk_lanes offset_b[3]) {
	snk_lanes half[9];
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			half[3 * r + c] = a[4 * r] * moment[c] + a[4 * r + 1] * moment[4 + c] + a[4 * r + 2] * moment[8 + c];
		}
		offset_a[r] = a[4 * r] * moment[3] + a[4 * r + 1] * moment[7] + a[4 * r + 2] * moment[11];
		offset_b[r] = b[4 * r] * moment[12] + b[4 * r + 1] * moment[13] + b[4 * r + 2] * moment[14];
	}
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			dest[3 * r + c] = half[3 * r] * b[4 * c] + half[3 * r + 1] * b[4 * c + 1] + half[3 * r + 2] * b[4 * c + 2];
		}
	}
}

/* Adds [x]× · sign. */
LANE_INLINE void put_cross(const snk_lanes x[3], double sign, snk_lanes *block, uint32_t row, uint32_t column) {
	static const int at[3][3] = {{-1, 2, 1}, {2, -1, 0}, {1, 0, -1}};
	static const double signs[3][3] = {{0, -1, 1}, {1, 0, -1}, {-1, 1, 0}};
	for (uint32_t r = 0; r < 3; r++) {
		for (uint32_t c = 0; c < 3; c++) {
			block[(row + r) * 6 + column + c] = r == c ? x[0] * 0 : x[at[r][c]] * (sign * signs[r][c]);
		}
	}
}

/* The block of row joint a and column joint b: rows and columns are rotation, translation. With p = R_a x and q = R_b y for a
 * point, Σ w w of [p]×ᵀ[q]× = (p·q) 1 − q pᵀ, of [p]× and of −[q]×. */
static void rigid_block(const snk_lane_matrix a, const snk_lane_matrix b, const double *moment, snk_lanes *block) {
	snk_lanes rotated[9], p[3], q[3];
	rotate_moment(a, moment, b, rotated, p, q);
	const snk_lanes trace = rotated[0] + rotated[4] + rotated[8];
	for (uint32_t r = 0; r < 3; r++) {
		for (uint32_t c = 0; c < 3; c++) {
			block[6 * r + c] = (r == c ? trace : trace * 0) - rotated[3 * c + r];
			block[6 * (3 + r) + 3 + c] = trace * 0 + (r == c ? moment[15] : 0);
		}
	}
	put_cross(p, 1, block, 0, 3);
	put_cross(q, -1, block, 3, 0);
}

static void rigid_equations(const snk_blend_graph *graph, const snk_lane_matrix *matrices, const snk_lane_matrix *targets,
							snk_lanes *blocks, snk_lanes *right, snk_lanes *squares) {
	const uint32_t count = graph->joint_count;
	for (uint32_t joint = 0; joint < count; joint++) {
		const snk_lanes *m = matrices[joint];
		snk_lanes residual[12];
		find_residual_moments(graph, matrices, targets, joint, residual);
		for (int i = 0; i < 12; i++) {
			*squares -= m[i] * (targets[joint][i] + residual[i]);
		}
		if (right) {
			/* N = Σ w r pᵀ; the rotation's right side is Σ w p × r. */
			snk_lanes *side = right + (size_t)6 * graph->places[joint], n[9];
			for (int r = 0; r < 3; r++) {
				for (int c = 0; c < 3; c++) {
					n[3 * r + c] =
						residual[4 * r] * m[4 * c] + residual[4 * r + 1] * m[4 * c + 1] + residual[4 * r + 2] * m[4 * c + 2];
				}
				side[3 + r] = residual[4 * r + 3];
			}
			side[0] = n[7] - n[5];
			side[1] = n[2] - n[6];
			side[2] = n[3] - n[1];
		}
	}
	for (uint32_t place = 0; blocks && place < count; place++) {
		const snk_lanes *column = matrices[graph->order[place]];
		rigid_block(column, column, graph->moments[place], blocks + (size_t)36 * place);
		for (uint32_t i = graph->offsets[place]; i < graph->offsets[place + 1]; i++) {
			rigid_block(matrices[graph->order[graph->rows[i]]], column, graph->moments[count + i],
						blocks + (size_t)36 * (count + i));
		}
	}
}

static void linear_distances(const snk_motion *motion, const snk_influences *influences, uint32_t block,
							 const snk_lane_matrix *matrices, uint32_t begin, uint32_t end, snk_lanes *distances) {
	for (uint32_t i = begin; i < end; i++) {
		const double *rest = motion->points_rest + 3 * (size_t)i;
		snk_lanes gap[3];
		lane_point(snk_motion_point(motion, block, i), gap);
		for (uint32_t k = influences->offsets[i]; k < influences->offsets[i + 1]; k++) {
			const double w = influences->weights[k], x = w * rest[0], y = w * rest[1], z = w * rest[2];
			const snk_lanes *m = matrices[influences->joints[k]];
			for (int r = 0; r < 3; r++) {
				gap[r] -= m[4 * r] * x + m[4 * r + 1] * y + m[4 * r + 2] * z + m[4 * r + 3] * w;
			}
		}
		distances[i - begin] = lane_dot3(gap, gap);
	}
}

#endif
