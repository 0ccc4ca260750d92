/* SPDX-License-Identifier: MIT */
#include "sinew/kit/numerics/conjugate_gradients.h"

#include <math.h>
#include <string.h>

#include "sinew/kit/numerics/dot.h"
#include "sinew/kit/status.h"
#include "sinew/pool.h"
#include "sinew/report.h"

typedef struct iteration {
	const snw_sparse_call *system;
	size_t *block_places; /* [block_count]: the index of each block in `blocks` */
	double *blocks;       /* the factors L of the blocks, row-major, with the reciprocals of the diagonal in its place */
	double *residual, *direction, *image, *preconditioned; /* [n] */
} iteration;

static uint32_t block_size(const snw_sparse_call *system, uint64_t b) {
	return system->block_offsets[b + 1] - system->block_offsets[b];
}

static void read_block(const snw_sparse_call *system, uint64_t b, double *block) {
	const uint32_t first = system->block_offsets[b], n = block_size(system, b);
	for (uint32_t c = 0; c < n; c++) {
		for (uint32_t i = system->column_offsets[first + c]; i < system->column_offsets[first + c + 1]; i++) {
			const uint32_t row = system->rows[i] - first;
			if (row < n) {
				block[row * n + c] = system->values[i];
			}
		}
	}
}

/* Returns 0 if the block is not positive definite. */
static int factor_block(uint32_t n, double *block) {
	for (uint32_t c = 0; c < n; c++) {
		double pivot = block[c * n + c];
		for (uint32_t k = 0; k < c; k++) {
			pivot -= block[c * n + k] * block[c * n + k];
		}
		if (!(pivot > 0)) {
			return 0;
		}
		block[c * n + c] = 1 / sqrt(pivot);
		for (uint32_t r = c + 1; r < n; r++) {
			double sum = block[r * n + c];
			for (uint32_t k = 0; k < c; k++) {
				sum -= block[r * n + k] * block[c * n + k];
			}
			block[r * n + c] = sum * block[c * n + c];
		}
	}
	return 1;
}

static void solve_block(uint32_t n, const double *block, double *x) {
	for (uint32_t r = 0; r < n; r++) {
		for (uint32_t k = 0; k < r; k++) {
			x[r] -= block[r * n + k] * x[k];
		}
		x[r] *= block[r * n + r];
	}
	for (uint32_t r = n; r-- > 0;) {
		for (uint32_t k = r + 1; k < n; k++) {
			x[r] -= block[k * n + r] * x[k];
		}
		x[r] *= block[r * n + r];
	}
}

static snw_status open_iteration(snw_pool *pool, const snw_sparse_call *system, iteration *it) {
	size_t total = 0;
	*it = (iteration){.system = system, .block_places = SNW_POOL_ARRAY(pool, size_t, (size_t)system->block_count)};
	for (uint64_t b = 0; it->block_places && b < system->block_count; b++) {
		const size_t n = block_size(system, b);
		it->block_places[b] = total;
		total += n * n;
	}
	it->blocks = SNW_POOL_ARRAY(pool, double, total);
	it->residual = SNW_POOL_ARRAY(pool, double, system->n);
	it->direction = SNW_POOL_ARRAY(pool, double, system->n);
	it->image = SNW_POOL_ARRAY(pool, double, system->n);
	it->preconditioned = SNW_POOL_ARRAY(pool, double, system->n);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint64_t b = 0; b < system->block_count; b++) {
		double *block = it->blocks + it->block_places[b];
		read_block(system, b, block);
		if (!factor_block(block_size(system, b), block)) {
			return SNW_ERROR_SINGULAR;
		}
	}
	return SNW_OK;
}

static void multiply(const snw_sparse_call *system, const double *x, double *product) {
	memset(product, 0, system->n * sizeof *product);
	for (uint32_t c = 0; c < system->n; c++) {
		double sum = 0;
		for (uint32_t i = system->column_offsets[c]; i < system->column_offsets[c + 1]; i++) {
			const uint32_t row = system->rows[i];
			sum += system->values[i] * x[row];
			product[row] += row == c ? 0 : system->values[i] * x[c];
		}
		product[c] += sum;
	}
}

static void precondition(const iteration *it, const double *from, double *dest) {
	const snw_sparse_call *system = it->system;
	memcpy(dest, from, system->n * sizeof *dest);
	for (uint64_t b = 0; b < system->block_count; b++) {
		solve_block(block_size(system, b), it->blocks + it->block_places[b], dest + system->block_offsets[b]);
	}
}

static snw_status iterate(const snw_host *host, iteration *it, const double *right, double *x, snk_descent *descent) {
	const uint32_t n = it->system->n;
	precondition(it, right, it->preconditioned);
	const double goal = snk_dot(n, right, it->preconditioned) * descent->tolerance * descent->tolerance;
	multiply(it->system, x, it->residual);
	for (uint32_t i = 0; i < n; i++) {
		it->residual[i] = right[i] - it->residual[i];
	}
	precondition(it, it->residual, it->preconditioned);
	memcpy(it->direction, it->preconditioned, n * sizeof *it->direction);
	double size = snk_dot(n, it->residual, it->preconditioned);
	for (descent->steps = 0; size > goal; descent->steps++) {
		if (descent->steps == descent->most_steps) {
			return SNW_NOT_CONVERGED;
		}
		if (!snw_report_progress(host, (double)descent->steps / descent->most_steps, "solving")) {
			return SNW_CANCELLED;
		}
		multiply(it->system, it->direction, it->image);
		const double step = size / snk_dot(n, it->direction, it->image), before = size;
		for (uint32_t i = 0; i < n; i++) {
			x[i] += step * it->direction[i];
			it->residual[i] -= step * it->image[i];
		}
		precondition(it, it->residual, it->preconditioned);
		size = snk_dot(n, it->residual, it->preconditioned);
		for (uint32_t i = 0; i < n; i++) {
			it->direction[i] = it->preconditioned[i] + size / before * it->direction[i];
		}
	}
	return SNW_OK;
}

snw_status snk_conjugate_gradients(const snw_host *host, const snw_sparse_call *system, const double *right, double *x,
								   snk_descent *descent) {
	snw_pool pool = snw_pool_open(host);
	iteration it;
	snw_status status = open_iteration(&pool, system, &it);
	status = snk_failed(status) ? status : iterate(host, &it, right, x, descent);
	snw_pool_release(&pool);
	return status;
}
