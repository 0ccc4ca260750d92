/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small symmetric system, damped: Cholesky's factorisation by rows.
 */
#include <math.h>

#include "motion-skeleton/fit.h"

/* This part of the largest diagonal entry is added to all, so that undetermined unknowns stay 0. */
static const double floor_damping = 1e-12;

static int factorize(uint32_t n, const double *a, double damping, double least, double *factor) {
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j <= i; j++) {
			double sum = a[i * n + j] + (i == j ? damping * a[i * n + i] + least : 0);
			for (size_t k = 0; k < j; k++) {
				sum -= factor[i * n + k] * factor[j * n + k];
			}
			if (i == j && !(sum > 0)) {
				return 0;
			}
			factor[i * n + j] = i == j ? sqrt(sum) : sum / factor[j * n + j];
		}
	}
	return 1;
}

int solve_damped(uint32_t n, const double *a, const double *b, double damping, double *factor, double *x) {
	double largest = 0;
	for (size_t i = 0; i < n; i++) {
		largest = fmax(largest, a[i * n + i]);
	}
	if (!factorize(n, a, damping, floor_damping * largest, factor)) {
		return 0;
	}
	for (size_t i = 0; i < n; i++) {
		double sum = b[i];
		for (size_t k = 0; k < i; k++) {
			sum -= factor[i * n + k] * x[k];
		}
		x[i] = sum / factor[i * n + i];
	}
	for (size_t i = n; i-- > 0;) {
		for (size_t k = i + 1; k < n; k++) {
			x[i] -= factor[k * n + i] * x[k];
		}
		x[i] /= factor[i * n + i];
	}
	return 1;
}
