/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Radial basis functions over poses.
 */
#include "math/rbf.h"

#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/pool.h"

double snw_kernel_value(snw_kernel kernel, double width, double distance) {
	const double ratio = distance / width;
	return kernel == SNW_KERNEL_GAUSSIAN ? exp(-ratio * ratio) : -distance;
}

double snw_turn_distance(const double a[4], const double b[4], int unwound) {
	double inverse[4], between[4];
	snw_quat_conjugate(a, inverse);
	snw_quat_multiply(inverse, b, between);
	return 2 * atan2(snw_length3(between), unwound ? between[3] : fabs(between[3]));
}

double snw_pose_distance(uint32_t joint_count, const double *a, const double *b, const uint32_t *unwound) {
	double squared = 0;
	for (uint32_t j = 0; j < joint_count; j++) {
		const double angle = snw_turn_distance(a + 4 * (size_t)j, b + 4 * (size_t)j, unwound[j] != 0);
		squared += angle * angle;
	}
	return sqrt(squared);
}

/* Of 0.35 to 1.3, the least error between the examples: on the clips of the sample arm (one example a group) 3.4 and 4.8 in
 * erms, where 1 gives 4.2 and 6.4; on a human's range of motion (six sculpts) 0.38, where 1 gives 0.45. Wider kernels spread a
 * correction that is needed near its example alone; narrower ones leave the poses between two examples without any. */
static const double width_factor = 0.5;

double snw_rbf_width(uint32_t count, const double *distances) {
	double sum = 0;
	for (uint32_t i = 0; i < count; i++) {
		double nearest = INFINITY;
		for (uint32_t k = 0; k < count; k++) {
			if (k != i) {
				nearest = fmin(nearest, distances[(size_t)i * count + k]);
			}
		}
		sum += nearest;
	}
	return width_factor * sum / count;
}

/* The kernel's matrix; for the linear one with a border of ones, so that its weights sum to 0. Returns its order. */
static uint32_t fill_system(snw_kernel kernel, double width, uint32_t count, const double *distances, double *matrix) {
	const uint32_t order = kernel == SNW_KERNEL_LINEAR ? count + 1 : count;
	for (uint32_t i = 0; i < order; i++) {
		for (uint32_t k = 0; k < order; k++) {
			const int inside = i < count && k < count;
			matrix[(size_t)i * order + k] =
				inside ? snw_kernel_value(kernel, width, distances[(size_t)i * count + k]) : i < count || k < count;
		}
	}
	return order;
}

/* Rows of `inverse` are solutions for unit right sides; the matrix is symmetric. */
static snw_status invert(const snw_host *host, uint32_t order, const double *matrix, double *inverse, double *residual,
						 double *reciprocal_condition) {
	const snw_solver_service *solver = host->service(host, SNW_SERVICE_SOLVER);
	if (!solver) {
		return SNW_ERROR_MISSING;
	}
	snw_factor *factor = NULL;
	snw_status status = solver->dense(host, order, matrix, &factor, reciprocal_condition);
	if (status < 0) {
		return status;
	}
	for (uint32_t i = 0; i < order; i++) {
		inverse[(size_t)i * order + i] = 1;
	}
	status = solver->solve(host, factor, order, inverse);
	for (uint32_t i = 0; status >= 0 && i < order; i++) {
		for (uint32_t k = 0; k < order; k++) {
			double sum = i == k;
			for (uint32_t c = 0; c < order; c++) {
				sum -= inverse[(size_t)i * order + c] * matrix[(size_t)c * order + k];
			}
			residual[(size_t)i * order + k] = sum;
		}
	}
	if (status >= 0) {
		status = solver->solve(host, factor, order, residual);
	}
	for (size_t i = 0; status >= 0 && i < (size_t)order * order; i++) {
		inverse[i] += residual[i];
	}
	solver->release(host, factor);
	return status;
}

snw_status snw_rbf_solve(const snw_host *host, snw_kernel kernel, double width, uint32_t count, const double *distances,
						 double *weights, double *reciprocal_condition) {
	snw_pool pool = snw_pool_open(host);
	const size_t most = ((size_t)count + 1) * ((size_t)count + 1);
	double *matrix = SNW_POOL_ARRAY(&pool, double, most), *inverse = SNW_POOL_ARRAY(&pool, double, most);
	double *residual = SNW_POOL_ARRAY(&pool, double, most);
	snw_status status = SNW_ERROR_MEMORY;
	if (!pool.failed) {
		const uint32_t order = fill_system(kernel, width, count, distances, matrix);
		status = invert(host, order, matrix, inverse, residual, reciprocal_condition);
		for (uint32_t k = 0; status >= 0 && k < count; k++) {
			double *row = weights + (size_t)k * (count + 1);
			row[count] = 0;
			memcpy(row, inverse + (size_t)k * order, order * sizeof *row);
		}
	}
	snw_pool_release(&pool);
	return status;
}
