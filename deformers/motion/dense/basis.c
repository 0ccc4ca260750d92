/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The same blend by other joints. Dense weights determine the transforms only up to an affine map among them, so they may be
 * large and cancel each other. Here each joint becomes the motion of a point of the mesh: of those whose weights are farthest
 * apart. The weights are then 1 at these points and mostly between 0 and 1 at the others.
 */
#include <string.h>

#include "motion/dense/dense_state.h"
#include "sinew/kit/numerics/dot.h"
#include "sinew/kit/numerics/solver.h"
#include "sinew/kit/status.h"

/* Points are too near to each other if the squared distance is less than this part of the first's. */
static const double too_near = 1e-10;

/* The points whose weights are farthest from what those chosen before span. `residuals` [point_count][joints]: the weights;
 * overwritten. Returns how many there are. */
static uint32_t choose_points(const dense_fit *d, double *residuals, uint32_t *chosen) {
	const size_t n = d->joints;
	double first = 0;
	for (uint32_t j = 0; j < d->joints; j++) {
		double most = -1;
		for (uint32_t i = 0; i < d->motion->point_count; i++) {
			const double square = snk_dot(n, residuals + i * n, residuals + i * n);
			if (square > most) {
				most = square;
				chosen[j] = i;
			}
		}
		first = j == 0 ? most : first;
		if (!(most > too_near * first)) {
			return j;
		}
		const double *axis = residuals + chosen[j] * n;
		for (uint32_t i = 0; i < d->motion->point_count; i++) {
			const double along = i == chosen[j] ? 0 : snk_dot(n, residuals + i * n, axis) / most;
			for (size_t k = 0; k < n; k++) {
				residuals[i * n + k] -= along * axis[k];
			}
		}
		memset(residuals + chosen[j] * n, 0, n * sizeof *residuals);
	}
	return d->joints;
}

/* The transforms of the chosen points. `corners` [joints][joints]: their weights. */
static void blend_transforms(const dense_fit *d, const double *corners, snk_lanes *blended) {
	const size_t n = d->joints;
	for (uint32_t block = 0; block < d->motion->block_count; block++) {
		snk_lanes *values = d->values + 12 * n * block;
		memset(blended, 0, 12 * n * sizeof *blended);
		for (size_t j = 0; j < n; j++) {
			for (size_t k = 0; k < 12 * n; k++) {
				blended[12 * j + k % 12] += values[k] * corners[j * n + k / 12];
			}
		}
		memcpy(values, blended, 12 * n * sizeof *values);
	}
}

snw_status dense_choose_basis(dense_fit *d) {
	const size_t n = d->joints, points = d->motion->point_count;
	snw_pool pool = snw_pool_open(d->options->host);
	double *residuals = SNW_POOL_ARRAY(&pool, double, points *n), *corners = SNW_POOL_ARRAY(&pool, double, n *n);
	double *transposed = SNW_POOL_ARRAY(&pool, double, n *n);
	snk_lanes *blended = SNW_POOL_ARRAY(&pool, snk_lanes, 12 * n);
	uint32_t *chosen = SNW_POOL_ARRAY(&pool, uint32_t, n);
	snk_factor factor = {0};
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (!snk_failed(status)) {
		memcpy(residuals, d->weights, points * n * sizeof *residuals);
	}
	if (!snk_failed(status) && choose_points(d, residuals, chosen) == d->joints) {
		for (size_t j = 0; j < n; j++) {
			memcpy(corners + j * n, d->weights + chosen[j] * n, n * sizeof *corners);
			for (size_t k = 0; k < n; k++) {
				transposed[k * n + j] = corners[j * n + k];
			}
		}
		status = snk_factor_dense(d->options->host, d->joints, transposed, NULL, &factor);
		status = snk_failed(status) ? status : snk_factor_solve(&factor, (uint32_t)points, d->weights);
		if (!snk_failed(status)) {
			blend_transforms(d, corners, blended);
		}
	}
	snk_factor_release(&factor);
	snw_pool_release(&pool);
	return status;
}
