/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The normal equations of transforms over one block of frames, and their solution. Private to kernels.c.
 */
#ifndef SINEW_DEFORMERS_MOTION_KERNEL_EQUATIONS_H
#define SINEW_DEFORMERS_MOTION_KERNEL_EQUATIONS_H

#include "motion/kernels.h"

/* ---- cholesky ------------------------------------------------------------------------------------------------------------ */

/* Cholesky factorisation of a sparse matrix of small blocks, in eight frames at once. */

LANE_INLINE void factor_diagonal(uint32_t n, snk_lanes *a) {
	for (uint32_t c = 0; c < n; c++) {
		snk_lanes pivot = a[c * n + c];
		const snk_lanes floor = lane_max(pivot * 1e-13, pivot * 0 + 1e-280);
		for (uint32_t k = 0; k < c; k++) {
			pivot -= a[c * n + k] * a[c * n + k];
		}
		const snk_lanes inverse = 1.0 / lane_sqrt(lane_max(pivot, floor));
		a[c * n + c] = inverse;
		for (uint32_t r = c + 1; r < n; r++) {
			snk_lanes sum = a[r * n + c];
			for (uint32_t k = 0; k < c; k++) {
				sum -= a[r * n + k] * a[c * n + k];
			}
			a[r * n + c] = sum * inverse;
		}
	}
}

/* a ← a L⁻ᵀ */
LANE_INLINE void divide_block(uint32_t n, const snk_lanes *l, snk_lanes *a) {
	for (uint32_t r = 0; r < n; r++) {
		for (uint32_t c = 0; c < n; c++) {
			snk_lanes sum = a[r * n + c];
			for (uint32_t k = 0; k < c; k++) {
				sum -= a[r * n + k] * l[c * n + k];
			}
			a[r * n + c] = sum * l[c * n + c];
		}
	}
}

/* target ← target − a bᵀ */
LANE_INLINE void subtract_product(uint32_t n, const snk_lanes *a, const snk_lanes *b, snk_lanes *target) {
	for (uint32_t r = 0; r < n; r++) {
		for (uint32_t c = 0; c < n; c++) {
			snk_lanes sum = a[r * n] * b[c * n];
			for (uint32_t k = 1; k < n; k++) {
				sum += a[r * n + k] * b[c * n + k];
			}
			target[r * n + c] -= sum;
		}
	}
}

LANE_INLINE void factor_size(const snk_blend_graph *graph, uint32_t n, snk_lanes *blocks) {
	const uint32_t count = graph->joint_count;
	for (uint32_t k = 0; k < count; k++) {
		snk_lanes *diagonal = blocks + (size_t)k * n * n;
		factor_diagonal(n, diagonal);
		for (uint32_t i = graph->offsets[k]; i < graph->offsets[k + 1]; i++) {
			snk_lanes *block = blocks + (size_t)(count + i) * n * n;
			divide_block(n, diagonal, block);
			for (uint32_t j = graph->offsets[k]; j <= i; j++) {
				const uint32_t target = graph->blocks[(size_t)graph->rows[i] * count + graph->rows[j]];
				subtract_product(n, block, blocks + (size_t)(count + j) * n * n, blocks + (size_t)target * n * n);
			}
		}
	}
}

LANE_INLINE void solve_diagonal(uint32_t n, const snk_lanes *l, snk_lanes *x) {
	for (uint32_t r = 0; r < n; r++) {
		for (uint32_t k = 0; k < r; k++) {
			x[r] -= l[r * n + k] * x[k];
		}
		x[r] *= l[r * n + r];
	}
}

LANE_INLINE void solve_diagonal_transposed(uint32_t n, const snk_lanes *l, snk_lanes *x) {
	for (uint32_t r = n; r-- > 0;) {
		for (uint32_t k = r + 1; k < n; k++) {
			x[r] -= l[k * n + r] * x[k];
		}
		x[r] *= l[r * n + r];
	}
}

LANE_INLINE void solve_size(const snk_blend_graph *graph, uint32_t n, const snk_lanes *blocks, snk_lanes *right) {
	const uint32_t count = graph->joint_count;
	for (uint32_t k = 0; k < count; k++) {
		snk_lanes *x = right + (size_t)k * n;
		solve_diagonal(n, blocks + (size_t)k * n * n, x);
		for (uint32_t i = graph->offsets[k]; i < graph->offsets[k + 1]; i++) {
			const snk_lanes *block = blocks + (size_t)(count + i) * n * n;
			snk_lanes *y = right + (size_t)graph->rows[i] * n;
			for (uint32_t r = 0; r < n; r++) {
				for (uint32_t c = 0; c < n; c++) {
					y[r] -= block[r * n + c] * x[c];
				}
			}
		}
	}
	for (uint32_t k = count; k-- > 0;) {
		snk_lanes *x = right + (size_t)k * n;
		for (uint32_t i = graph->offsets[k]; i < graph->offsets[k + 1]; i++) {
			const snk_lanes *block = blocks + (size_t)(count + i) * n * n, *y = right + (size_t)graph->rows[i] * n;
			for (uint32_t r = 0; r < n; r++) {
				for (uint32_t c = 0; c < n; c++) {
					x[c] -= block[r * n + c] * y[r];
				}
			}
		}
		solve_diagonal_transposed(n, blocks + (size_t)k * n * n, x);
	}
}

#define EACH_SIZE(DO) DO(3) DO(4) DO(6) DO(7) DO(8)

static void factor_blocks(const snk_blend_graph *graph, uint32_t size, snk_lanes *blocks) {
	switch (size) {
#define FACTOR(n)                                                                                                              \
	case n:                                                                                                                    \
		factor_size(graph, n, blocks);                                                                                         \
		break;
		EACH_SIZE(FACTOR)
#undef FACTOR
	default:
		break;
	}
}

static void solve_blocks(const snk_blend_graph *graph, uint32_t size, const snk_lanes *blocks, uint32_t count,
						 snk_lanes *right) {
	for (uint32_t i = 0; i < count; i++) {
		snk_lanes *side = right + (size_t)i * graph->joint_count * size;
		switch (size) {
#define SOLVE(n)                                                                                                               \
	case n:                                                                                                                    \
		solve_size(graph, n, blocks, side);                                                                                    \
		break;
			EACH_SIZE(SOLVE)
#undef SOLVE
		default:
			break;
		}
	}
}

/* ---- linear blend -------------------------------------------------------------------------------------------------------- */

/* Linear blend in eight frames at once: moments of the targets, the equations of rigid transforms, distances. */

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

/* ---- dual quaternions ---------------------------------------------------------------------------------------------------- */

/* Dual quaternions in eight frames at once. With q = Σ w_j q_j, a point is posed at (q₀ v q̄₀ + 2 vec(q_ε q̄₀)) / |q₀|². */

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
