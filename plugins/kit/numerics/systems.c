/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sinew/kit/numerics/systems.h"
#include "sinew/kit/status.h"
#include "sinew/pool.h"
#include "sinew/report.h"

/* ---- small systems ------------------------------------------------------------------------------------------------------- */

void snk_cholesky_factor(uint32_t n, double *matrix) {
	for (size_t r = 0; r < n; r++) {
		for (size_t c = 0; c <= r; c++) {
			double sum = matrix[r * n + c];
			for (size_t k = 0; k < c; k++) {
				sum -= matrix[r * n + k] * matrix[c * n + k];
			}
			matrix[r * n + c] = r == c ? fmax(sqrt(fmax(sum, 0)), SNK_CHOLESKY_LEAST) : sum / matrix[c * n + c];
		}
	}
}

void snk_cholesky_solve_transposed(uint32_t n, const double *factor, uint32_t width, double *right) {
	for (size_t r = n; r-- > 0;) {
		for (size_t c = 0; c < width; c++) {
			double sum = right[r * width + c];
			for (size_t k = r + 1; k < n; k++) {
				sum -= factor[k * n + r] * right[k * width + c];
			}
			right[r * width + c] = sum / factor[r * n + r];
		}
	}
}

void snk_cholesky_solve(uint32_t n, const double *factor, uint32_t width, double *right) {
	for (size_t r = 0; r < n; r++) {
		for (size_t c = 0; c < width; c++) {
			double sum = right[r * width + c];
			for (size_t k = 0; k < r; k++) {
				sum -= factor[r * n + k] * right[k * width + c];
			}
			right[r * width + c] = sum / factor[r * n + r];
		}
	}
	snk_cholesky_solve_transposed(n, factor, width, right);
}

/* ---- ridge regression ---------------------------------------------------------------------------------------------------- */

snk_ridge snk_ridge_open(snw_pool *pool, uint32_t feature_count, uint32_t number_count) {
	return (snk_ridge){.feature_count = feature_count,
					   .number_count = number_count,
					   .gram = SNW_POOL_ARRAY(pool, double, (size_t)feature_count *feature_count),
					   .right = SNW_POOL_ARRAY(pool, double, (size_t)feature_count *number_count)};
}

void snk_ridge_add(snk_ridge *sums, const double *features, const double *numbers) {
	const size_t n = sums->feature_count, width = sums->number_count;
	for (size_t a = 0; a < n; a++) {
		for (size_t b = 0; b < n; b++) {
			sums->gram[a * n + b] += features[a] * features[b];
		}
		for (size_t m = 0; m < width; m++) {
			sums->right[a * width + m] += features[a] * numbers[m];
		}
	}
	for (size_t m = 0; m < width; m++) {
		sums->square += numbers[m] * numbers[m];
	}
}

double snk_ridge_solve(const snk_ridge *sums, double ridge, uint32_t count, const uint32_t *columns, double *scratch,
					   double *solution) {
	const size_t n = sums->feature_count, width = sums->number_count;
	double explained = 0;
	for (size_t a = 0; a < count; a++) {
		const size_t row = columns ? columns[a] : a;
		for (size_t b = 0; b <= a; b++) {
			scratch[a * count + b] = sums->gram[row * n + (columns ? columns[b] : b)] + (a == b ? ridge : 0);
		}
		memcpy(solution + width * a, sums->right + width * row, width * sizeof *solution);
	}
	snk_cholesky_factor(count, scratch);
	snk_cholesky_solve(count, scratch, sums->number_count, solution);
	for (size_t a = 0; a < count; a++) {
		for (size_t m = 0; m < width; m++) {
			explained += solution[width * a + m] * sums->right[width * (columns ? columns[a] : a) + m];
		}
	}
	return sums->square - explained;
}

/* ---- the host's solvers -------------------------------------------------------------------------------------------------- */

static snk_factor open_factor(const snw_host *host) {
	return (snk_factor){.host = host, .solver = (const snw_solver_service *)host->service(host, SNW_SERVICE_SOLVER)};
}

snw_status snk_factor_dense(const snw_host *host, uint32_t n, const double *matrix, double *reciprocal_condition,
							snk_factor *factor) {
	*factor = open_factor(host);
	const snw_dense_call call = {.size = sizeof call, .n = n, .matrix = matrix, .reciprocal_condition = reciprocal_condition};
	return factor->solver ? factor->solver->dense(host, &call, &factor->factor) : SNW_ERROR_MISSING;
}

snw_status snk_factor_sparse(const snw_host *host, uint32_t n, const uint32_t *column_offsets, const uint32_t *rows,
							 const double *values, snk_factor *factor) {
	const snw_sparse_call call = {
		.size = sizeof call, .n = n, .column_offsets = column_offsets, .rows = rows, .values = values};
	return snk_factor_blocks(host, &call, factor);
}

snw_status snk_factor_blocks(const snw_host *host, const snw_sparse_call *call, snk_factor *factor) {
	*factor = open_factor(host);
	return factor->solver ? factor->solver->sparse(host, call, &factor->factor) : SNW_ERROR_MISSING;
}

snw_status snk_factor_refactor(const snk_factor *factor, const double *values) {
	return SNW_HAS(factor->solver, refactor) && factor->solver->refactor
			   ? factor->solver->refactor(factor->host, factor->factor, values)
			   : SNW_ERROR_MISSING;
}

snw_status snk_factor_solve(const snk_factor *factor, uint32_t count, double *right_sides) {
	return factor->solver->solve(factor->host, factor->factor, count, right_sides);
}

void snk_factor_release(snk_factor *factor) {
	if (factor->factor) {
		factor->solver->release(factor->host, factor->factor);
	}
	*factor = (snk_factor){0};
}

/* ---- conjugate gradients ------------------------------------------------------------------------------------------------- */

typedef struct iteration {
	const snw_sparse_call *system;
	size_t *block_places; /* [block_count]: the index of each block in `blocks` */
	double *blocks;       /* the factors L of the blocks by rows, each up to the reciprocal of its diagonal */
	double *residual, *direction, *image, *preconditioned; /* [n] */
} iteration;

static uint32_t block_size(const snw_sparse_call *system, uint64_t b) {
	return system->block_offsets[b + 1] - system->block_offsets[b];
}

/* Where row r of a block's factor begins. */
static size_t row_place(size_t r) {
	return r * (r + 1) / 2;
}

static void read_block(const snw_sparse_call *system, uint64_t b, double *block) {
	const uint32_t first = system->block_offsets[b], n = block_size(system, b);
	for (uint32_t c = 0; c < n; c++) {
		for (uint32_t i = system->column_offsets[first + c]; i < system->column_offsets[first + c + 1]; i++) {
			const uint32_t row = system->rows[i] - first;
			if (row < n) {
				block[row_place(row) + c] = system->values[i];
			}
		}
	}
}

/* Returns 0 if the block is not positive definite. */
static int factor_block(uint32_t n, double *block) {
	for (uint32_t r = 0; r < n; r++) {
		double *row = block + row_place(r), pivot = row[r];
		for (uint32_t c = 0; c < r; c++) {
			const double *above = block + row_place(c);
			for (uint32_t k = 0; k < c; k++) {
				row[c] -= row[k] * above[k];
			}
			row[c] *= above[c];
			pivot -= row[c] * row[c];
		}
		if (!(pivot > 0)) {
			return 0;
		}
		row[r] = 1 / sqrt(pivot);
	}
	return 1;
}

static void solve_block(uint32_t n, const double *block, double *x) {
	for (uint32_t r = 0; r < n; r++) {
		const double *row = block + row_place(r);
		double sum = x[r];
		for (uint32_t k = 0; k < r; k++) {
			sum -= row[k] * x[k];
		}
		x[r] = sum * row[r];
	}
	for (uint32_t r = n; r-- > 0;) {
		const double *row = block + row_place(r), value = x[r] * row[r];
		x[r] = value;
		for (uint32_t k = 0; k < r; k++) {
			x[k] -= row[k] * value;
		}
	}
}

static snw_status open_iteration(snw_pool *pool, const snw_sparse_call *system, iteration *it) {
	size_t total = 0;
	*it = (iteration){.system = system, .block_places = SNW_POOL_ARRAY(pool, size_t, (size_t)system->block_count)};
	for (uint64_t b = 0; it->block_places && b < system->block_count; b++) {
		it->block_places[b] = total;
		total += row_place(block_size(system, b));
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
