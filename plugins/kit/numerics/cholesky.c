/* SPDX-License-Identifier: MIT */
#include "sinew/kit/numerics/cholesky.h"

#include <math.h>
#include <stddef.h>

void snk_cholesky_factor(uint32_t n, double *matrix) {
	for (size_t r = 0; r < n; r++) {
		for (size_t c = 0; c <= r; c++) {
			double sum = matrix[r * n + c];
			for (size_t k = 0; k < c; k++) {
				sum -= matrix[r * n + k] * matrix[c * n + k];
			}
			matrix[r * n + c] = r == c ? sqrt(fmax(sum, 1e-300)) : sum / matrix[c * n + c];
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
