/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cholesky factorisation of a sparse matrix of small blocks, in eight frames at once.
 */
#ifndef SINEW_DEFORMERS_MOTION_KERNELS_CHOLESKY_H
#define SINEW_DEFORMERS_MOTION_KERNELS_CHOLESKY_H

#include "motion/kernels/algebra.h"

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

#endif
