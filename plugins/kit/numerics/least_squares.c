/* SPDX-License-Identifier: MIT */
#include "sinew/kit/numerics/least_squares.h"
#include "sinew/kit/status.h"

#include <math.h>
#include <string.h>

/* A during the reduction, by columns: column c is at [c * rows]. Below and on the diagonal are the vectors of the
 * reflections, above it R. */
typedef struct reduction {
	uint32_t rows, columns, rank;
	double *numbers;            /* [columns][rows] */
	double *diagonal;           /* [rank]: of R */
	uint32_t *columns_in_order; /* [columns]: the column of A in each place */
} reduction;

static double squared_length(uint32_t count, const double *values) {
	double sum = 0;
	for (uint32_t i = 0; i < count; i++) {
		sum += values[i] * values[i];
	}
	return sum;
}

/* values −= 2 v (v · values) / (v · v) */
static void reflect(uint32_t count, const double *v, double *values) {
	const double squared = squared_length(count, v);
	double along = 0;
	for (uint32_t i = 0; i < count; i++) {
		along += v[i] * values[i];
	}
	for (uint32_t i = 0; squared > 0 && i < count; i++) {
		values[i] -= 2 * along / squared * v[i];
	}
}

/* Moves the column with the longest remainder to place k, and returns that length. */
static double choose_pivot(reduction *r, uint32_t k) {
	uint32_t best = k;
	double most = -1;
	for (uint32_t c = k; c < r->columns; c++) {
		const double remainder = squared_length(r->rows - k, r->numbers + (size_t)c * r->rows + k);
		if (remainder > most) {
			most = remainder;
			best = c;
		}
	}
	for (uint32_t i = 0; best != k && i < r->rows; i++) {
		double *a = r->numbers + (size_t)k * r->rows + i, *b = r->numbers + (size_t)best * r->rows + i, swapped = *a;
		*a = *b;
		*b = swapped;
	}
	const uint32_t column = r->columns_in_order[k];
	r->columns_in_order[k] = r->columns_in_order[best];
	r->columns_in_order[best] = column;
	return sqrt(most);
}

static void reduce(reduction *r, double tolerance) {
	const uint32_t most = r->rows < r->columns ? r->rows : r->columns;
	double longest = 0;
	for (r->rank = 0; r->rank < most; r->rank++) {
		const uint32_t k = r->rank;
		const double length = choose_pivot(r, k);
		longest = k == 0 ? length : longest;
		if (!(length > tolerance * longest)) {
			return;
		}
		double *v = r->numbers + (size_t)k * r->rows + k;
		r->diagonal[k] = v[0] > 0 ? -length : length;
		v[0] -= r->diagonal[k];
		for (uint32_t c = k + 1; c < r->columns; c++) {
			reflect(r->rows - k, v, r->numbers + (size_t)c * r->rows + k);
		}
	}
}

static void solve(const reduction *r, double *right, double *solution) {
	for (uint32_t k = 0; k < r->rank; k++) {
		reflect(r->rows - k, r->numbers + (size_t)k * r->rows + k, right + k);
	}
	memset(solution, 0, r->columns * sizeof *solution);
	for (uint32_t k = r->rank; k-- > 0;) {
		double sum = right[k];
		for (uint32_t c = k + 1; c < r->rank; c++) {
			sum -= r->numbers[(size_t)c * r->rows + k] * solution[r->columns_in_order[c]];
		}
		solution[r->columns_in_order[k]] = sum / r->diagonal[k];
	}
}

snw_status snk_least_squares(const snw_host *host, uint32_t rows, uint32_t columns, const double *matrix, uint32_t count,
							 const double *right_sides, double tolerance, double *solutions, uint32_t *rank) {
	snw_pool pool = snw_pool_open(host);
	reduction r = {.rows = rows,
				   .columns = columns,
				   .numbers = SNW_POOL_ARRAY(&pool, double, (size_t)rows *columns),
				   .diagonal = SNW_POOL_ARRAY(&pool, double, columns),
				   .columns_in_order = SNW_POOL_ARRAY(&pool, uint32_t, columns)};
	double *right = SNW_POOL_ARRAY(&pool, double, rows);
	const snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (!snk_failed(status)) {
		for (size_t c = 0; c < columns; c++) {
			r.columns_in_order[c] = (uint32_t)c;
			for (size_t i = 0; i < rows; i++) {
				r.numbers[c * rows + i] = matrix[i * columns + c];
			}
		}
		reduce(&r, tolerance > 0 ? tolerance : 1e-12);
		for (size_t n = 0; n < count; n++) {
			memcpy(right, right_sides + n * rows, rows * sizeof *right);
			solve(&r, right, solutions + n * columns);
		}
		if (rank) {
			*rank = r.rank;
		}
	}
	snw_pool_release(&pool);
	return status;
}
