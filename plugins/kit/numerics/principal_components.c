/* SPDX-License-Identifier: MIT */
#include "sinew/kit/numerics/principal_components.h"

#include <math.h>

#include "sinew/kit/fit/ranges.h"
#include "sinew/kit/numerics/symmetric_eigen.h"
#include "sinew/kit/status.h"

enum { GRAIN = 4 };

/* A squared deviation that is less than this part of the largest is rounding error. */
static const double rounding = 1e-12;

/* Deviations from the mean, and the products of their rows, or of their columns if there are fewer of these. */
typedef struct products {
	size_t count, width, size;
	const double *deviations; /* [count][width] */
	double *matrix;           /* [size][size] */
} products;

static double product_of(const products *p, size_t a, size_t b) {
	const int by_rows = p->size == p->count;
	double sum = 0;
	for (size_t i = 0; i < (by_rows ? p->width : p->count); i++) {
		sum += by_rows ? p->deviations[a * p->width + i] * p->deviations[b * p->width + i]
					   : p->deviations[i * p->width + a] * p->deviations[i * p->width + b];
	}
	return sum;
}

static void SNW_CALL multiply_rows(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const products *p = (const products *)argument;
	for (size_t a = begin; a < end; a++) {
		for (size_t b = 0; b <= a; b++) {
			p->matrix[a * p->size + b] = product_of(p, a, b);
		}
	}
}

static void find_deviations(uint32_t count, uint32_t width, const double *observations, double *mean, double *deviations) {
	for (size_t i = 0; i < (size_t)count * width; i++) {
		mean[i % width] += observations[i] / count;
	}
	for (size_t i = 0; i < (size_t)count * width; i++) {
		deviations[i] = observations[i] - mean[i % width];
	}
}

/* The direction of an eigenvector: itself, or the deviations' sum by it. */
static void write_direction(const products *p, const double *eigenvector, double eigenvalue, double *direction) {
	for (size_t c = 0; c < p->width; c++) {
		direction[c] = p->size == p->count ? 0 : eigenvector[c];
		for (size_t r = 0; p->size == p->count && r < p->count; r++) {
			direction[c] += eigenvector[r] * p->deviations[r * p->width + c] / sqrt(eigenvalue);
		}
	}
}

/* The eigenvectors of the products are in `vectors`, their eigenvalues in `values`. */
static snw_status keep_components(const products *p, const double *vectors, const double *values, uint32_t most, snw_pool *pool,
								  snk_principal_components *found) {
	found->count = 0;
	while (found->count < most && found->count < p->size && values[found->count] > rounding * values[0]) {
		found->count++;
	}
	found->directions = SNW_POOL_ARRAY(pool, double, found->count * p->width);
	found->deviations = SNW_POOL_ARRAY(pool, double, found->count);
	for (size_t k = 0; !pool->failed && k < found->count; k++) {
		write_direction(p, vectors + k * p->size, values[k], found->directions + k * p->width);
		found->deviations[k] = sqrt(values[k] / (double)p->count);
	}
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

snw_status snk_principal_components_find(const snw_host *host, uint32_t count, uint32_t width, const double *observations,
										 uint32_t most, snw_pool *pool, snk_principal_components *found) {
	const size_t size = count < width ? count : width;
	snw_pool scratch = snw_pool_open(host);
	double *deviations = SNW_POOL_ARRAY(&scratch, double, (size_t)count *width);
	products p = {.count = count,
				  .width = width,
				  .size = size,
				  .deviations = deviations,
				  .matrix = SNW_POOL_ARRAY(&scratch, double, size *size)};
	double *vectors = SNW_POOL_ARRAY(&scratch, double, size *size), *values = SNW_POOL_ARRAY(&scratch, double, size);
	const snk_principal_components made = {.width = width, .mean = SNW_POOL_ARRAY(pool, double, width)};
	snw_status status = scratch.failed || pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
	*found = made;
	if (!snk_failed(status)) {
		find_deviations(count, width, observations, found->mean, deviations);
		snk_ranges_run(host, (uint32_t)size, GRAIN, multiply_rows, &p);
		for (size_t a = 0; a < size; a++) {
			for (size_t b = a + 1; b < size; b++) {
				p.matrix[a * size + b] = p.matrix[b * size + a];
			}
		}
		snk_symmetric_eigen_sorted((uint32_t)size, p.matrix, vectors, values);
		status = keep_components(&p, vectors, values, most, pool, found);
	}
	snw_pool_release(&scratch);
	return status;
}

void snk_principal_weights(const snk_principal_components *components, const double *observation, double *weights) {
	for (size_t k = 0; k < components->count; k++) {
		weights[k] = 0;
		for (size_t c = 0; c < components->width; c++) {
			weights[k] += components->directions[k * components->width + c] * (observation[c] - components->mean[c]);
		}
	}
}
