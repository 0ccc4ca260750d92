/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Anderson's extrapolation: near the solution an iteration is nearly linear, so the combination of the last iterations whose
 * gap is least is nearer to the solution than the last of them.
 */
#include <math.h>
#include <string.h>

#include "motion/dense/dense_state.h"

/* Relative to the mean of the diagonal. */
static const double ridge = 1e-10;

snw_status extrapolation_open(size_t length, snw_pool *pool, extrapolation *e) {
	*e = (extrapolation){.length = length};
	for (int i = 0; i < DENSE_MEMORY; i++) {
		e->ends[i] = SNW_POOL_ARRAY(pool, double, length);
		e->gaps[i] = SNW_POOL_ARRAY(pool, double, length);
	}
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

void extrapolation_forget(extrapolation *e) {
	e->count = e->next = 0;
}

/* Of differences between gaps and the last of them. */
static double product_of(const extrapolation *e, uint32_t a, uint32_t b, uint32_t last) {
	double sum = 0;
	for (size_t i = 0; i < e->length; i++) {
		sum += (e->gaps[a][i] - e->gaps[last][i]) * (b == last ? -e->gaps[last][i] : e->gaps[b][i] - e->gaps[last][i]);
	}
	return sum;
}

/* matrix x = right by Cholesky factorisation, in place. Returns 0 if the matrix is not positive. */
static int solve(uint32_t n, double matrix[DENSE_MEMORY][DENSE_MEMORY], double right[DENSE_MEMORY]) {
	for (uint32_t r = 0; r < n; r++) {
		for (uint32_t c = 0; c <= r; c++) {
			double sum = matrix[r][c];
			for (uint32_t k = 0; k < c; k++) {
				sum -= matrix[r][k] * matrix[c][k];
			}
			if (r == c && !(sum > 0)) {
				return 0;
			}
			matrix[r][c] = r == c ? sqrt(sum) : sum / matrix[c][c];
		}
		for (uint32_t k = 0; k < r; k++) {
			right[r] -= matrix[r][k] * right[k];
		}
		right[r] /= matrix[r][r];
	}
	for (uint32_t r = n; r-- > 0;) {
		for (uint32_t k = r + 1; k < n; k++) {
			right[r] -= matrix[k][r] * right[k];
		}
		right[r] /= matrix[r][r];
	}
	return 1;
}

void extrapolation_add(extrapolation *e, const double *begin, const double *end, double *values) {
	const uint32_t last = e->next;
	double matrix[DENSE_MEMORY][DENSE_MEMORY], shares[DENSE_MEMORY], trace = 0;
	uint32_t others[DENSE_MEMORY], n = 0;
	for (size_t i = 0; i < e->length; i++) {
		e->ends[last][i] = end[i];
		e->gaps[last][i] = end[i] - begin[i];
	}
	e->next = (last + 1) % DENSE_MEMORY;
	e->count += e->count < DENSE_MEMORY;
	for (uint32_t i = 0; i < e->count; i++) {
		if (i != last) {
			others[n++] = i;
		}
	}
	for (uint32_t a = 0; a < n; a++) {
		for (uint32_t b = 0; b <= a; b++) {
			matrix[a][b] = product_of(e, others[a], others[b], last);
		}
		shares[a] = product_of(e, others[a], last, last);
		trace += matrix[a][a];
	}
	for (uint32_t a = 0; a < n; a++) {
		matrix[a][a] += ridge * trace / n;
	}
	memcpy(values, end, e->length * sizeof *values);
	const int is_solved = n > 1 && solve(n, matrix, shares);
	for (uint32_t a = 0; is_solved && a < n; a++) {
		for (size_t i = 0; i < e->length; i++) {
			values[i] += shares[a] * (e->ends[others[a]][i] - e->ends[last][i]);
		}
	}
}
