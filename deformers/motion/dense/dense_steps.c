/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two linear fits of a dense decomposition.
 */
#include <math.h>
#include <string.h>

#include "motion/dense/dense_state.h"
#include "sinew/kit/numerics/solver.h"
#include "sinew/kit/status.h"

enum { GRAIN = 64 };

/* Relative to the mean of the diagonal: where the frames determine nothing, weights are nearly equal, and transforms small. */
static const double weight_ridge = 1e-11, transform_ridge = 1e-12;

/* ---- weights ------------------------------------------------------------------------------------------------------------- */

/* The lower triangle of `matrix` [n][n] becomes its Cholesky factor, and x (L Lᵀ)⁻¹ x. */
static void solve_positive(uint32_t n, double *matrix, double *x) {
	for (uint32_t r = 0; r < n; r++) {
		double *row = matrix + (size_t)r * n;
		for (uint32_t c = 0; c <= r; c++) {
			const double *other = matrix + (size_t)c * n;
			double sum = row[c];
			for (uint32_t k = 0; k < c; k++) {
				sum -= row[k] * other[k];
			}
			row[c] = r == c ? sqrt(fmax(sum, 1e-300)) : sum / other[c];
		}
		for (uint32_t k = 0; k < r; k++) {
			x[r] -= row[k] * x[k];
		}
		x[r] /= row[r];
	}
	for (uint32_t r = n; r-- > 0;) {
		x[r] /= matrix[(size_t)r * n + r];
		for (uint32_t k = 0; k < r; k++) {
			x[k] -= matrix[(size_t)r * n + k] * x[r];
		}
	}
}

/* With errors E of the point under each joint alone, the weights that sum to 1 are least in wᵀ Eᵀ E w where Eᵀ E w is the same
 * for all joints. */
static void fit_point(const dense_fit *d, uint32_t point, snk_lanes *columns, double *gram) {
	const uint32_t n = d->joints;
	const size_t length = 3 * (size_t)d->motion->block_count;
	double *weights = d->weights + (size_t)point * n, trace = 0, sum = 0, reached = 0;
	d->kernels->linear_columns(d->motion, d->values, n, point, n, NULL, columns);
	d->kernels->column_gram(length, n, columns, NULL, gram);
	for (uint32_t k = 0; k < n; k++) {
		trace += gram[(size_t)k * (n + 1)];
		weights[k] = 1;
	}
	for (uint32_t k = 0; k < n; k++) {
		gram[(size_t)k * (n + 1)] += weight_ridge * trace / n + 1e-200;
	}
	solve_positive(n, gram, weights);
	for (uint32_t k = 0; k < n; k++) {
		sum += weights[k];
	}
	for (uint32_t k = 0; k < n; k++) {
		weights[k] /= sum;
	}
	for (size_t i = 0; i < length; i++) {
		snk_lanes residual = {0};
		for (uint32_t k = 0; k < n; k++) {
			residual += columns[k * length + i] * weights[k];
		}
		for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
			reached += residual[lane] * residual[lane];
		}
	}
	d->squares[point] = reached;
}

static void SNW_CALL fit_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const dense_fit *d = argument;
	snw_pool pool = snw_pool_open(d->options->host);
	snk_lanes *columns = SNW_POOL_ARRAY(&pool, snk_lanes, 3 * (size_t)d->motion->block_count * d->joints);
	double *gram = SNW_POOL_ARRAY(&pool, double, (size_t)d->joints * d->joints);
	for (uint32_t i = begin; i < end; i++) {
		if (pool.failed) {
			d->squares[i] = -1;
		} else {
			fit_point(d, i, columns, gram);
		}
	}
	snw_pool_release(&pool);
}

snw_status dense_fit_weights(dense_fit *d) {
	snk_ranges_run(d->options->host, d->motion->point_count, GRAIN, fit_points, d);
	d->squares_sum = 0;
	for (uint32_t i = 0; i < d->motion->point_count; i++) {
		if (d->squares[i] < 0) {
			return SNW_ERROR_MEMORY;
		}
		d->squares_sum += d->squares[i];
	}
	d->squares_sum = d->squares_sum < HUGE_VAL ? d->squares_sum : HUGE_VAL;
	return SNW_OK;
}

/* ---- transforms ---------------------------------------------------------------------------------------------------------- */

/* The rows of the matrix that belong to some joints, up to their diagonal. */
static void SNW_CALL sum_rows(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const dense_fit *d = argument;
	const size_t n = 4 * (size_t)d->joints;
	for (uint32_t k = begin; k < end; k++) {
		memset(d->matrix + 4 * k * n, 0, 4 * n * sizeof *d->matrix);
		for (uint32_t i = 0; i < d->motion->point_count; i++) {
			const double *weights = d->weights + (size_t)i * d->joints, *rest = d->motion->points_rest + 3 * (size_t)i;
			const double place[4] = {rest[0], rest[1], rest[2], 1};
			for (size_t r = 0; r < 4; r++) {
				double *row = d->matrix + (4 * (size_t)k + r) * n;
				const double factor = weights[k] * place[r];
				for (uint32_t l = 0; l <= k; l++) {
					for (size_t c = 0; c < 4; c++) {
						row[4 * (size_t)l + c] += factor * weights[l] * place[c];
					}
				}
			}
		}
	}
}

/* The right sides of some blocks of frames: Σ v' w v̂ᵀ. */
static void SNW_CALL sum_rights(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const dense_fit *d = argument;
	const size_t n = 4 * (size_t)d->joints;
	snw_pool pool = snw_pool_open(d->options->host);
	snk_lanes *sums = SNW_POOL_ARRAY(&pool, snk_lanes, 3 * n);
	for (uint32_t block = begin; block < end; block++) {
		d->has_failed[block] = (unsigned char)pool.failed;
		if (pool.failed) {
			continue;
		}
		memset(sums, 0, 3 * n * sizeof *sums);
		for (uint32_t i = 0; i < d->motion->point_count; i++) {
			const double *weights = d->weights + (size_t)i * d->joints, *rest = d->motion->points_rest + 3 * (size_t)i;
			const snk_float_lanes *posed = snk_motion_point(d->motion, block, i);
			for (size_t c = 0; c < 3; c++) {
				const snk_lanes at = __builtin_convertvector(posed[c], snk_lanes);
				const snk_lanes moments[4] = {at * rest[0], at * rest[1], at * rest[2], at};
				snk_lanes *to = sums + c * n;
				for (size_t k = 0; k < n; k++) {
					to[k] += moments[k % 4] * weights[k / 4];
				}
			}
		}
		for (uint32_t lane = 0; lane < snk_motion_lanes(d->motion, block); lane++) {
			for (size_t k = 0; k < 3 * n; k++) {
				d->rights[((size_t)block * SNK_LANES + lane) * 3 * n + k] = sums[k][lane];
			}
		}
	}
	snw_pool_release(&pool);
}

/* Fillers of the last block repeat the last frame. */
static void read_solution(const dense_fit *d) {
	const size_t n = 4 * (size_t)d->joints;
	for (uint32_t frame = 0; frame < d->motion->block_count * SNK_LANES; frame++) {
		const uint32_t from = frame < d->motion->frame_count ? frame : d->motion->frame_count - 1;
		snk_lanes *values = d->values + (size_t)12 * d->joints * (frame / SNK_LANES);
		for (size_t k = 0; k < n; k++) {
			for (size_t r = 0; r < 3; r++) {
				values[12 * (k / 4) + 4 * r + k % 4][frame % SNK_LANES] = d->rights[(3 * (size_t)from + r) * n + k];
			}
		}
	}
}

snw_status dense_fit_transforms(dense_fit *d) {
	const snw_host *host = d->options->host;
	const size_t n = 4 * (size_t)d->joints;
	snk_factor factor = {0};
	double trace = 0;
	snk_ranges_run(host, d->joints, 1, sum_rows, d);
	snk_ranges_run(host, d->motion->block_count, 1, sum_rights, d);
	for (uint32_t block = 0; block < d->motion->block_count; block++) {
		if (d->has_failed[block]) {
			return SNW_ERROR_MEMORY;
		}
	}
	for (size_t r = 0; r < n; r++) {
		trace += d->matrix[r * (n + 1)];
		for (size_t c = 0; c < r; c++) {
			d->matrix[c * n + r] = d->matrix[r * n + c];
		}
	}
	for (size_t r = 0; r < n; r++) {
		d->matrix[r * (n + 1)] += transform_ridge * trace / (double)n;
	}
	snw_status status = snk_factor_dense(host, (uint32_t)n, d->matrix, NULL, &factor);
	status = snk_failed(status) ? status : snk_factor_solve(&factor, 3 * d->motion->frame_count, d->rights);
	if (!snk_failed(status)) {
		read_solution(d);
	}
	snk_factor_release(&factor);
	return status;
}
