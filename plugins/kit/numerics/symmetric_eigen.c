/* SPDX-License-Identifier: MIT */
#include "sinew/kit/numerics/symmetric_eigen.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "sinew/kit/numerics/dot.h"

enum { SWEEPS = 40 };

static void rotate_rows(uint32_t n, double cosine, double sine, double *a, double *b) {
	for (uint32_t i = 0; i < n; i++) {
		const double x = a[i], y = b[i];
		a[i] = cosine * x - sine * y;
		b[i] = sine * x + cosine * y;
	}
}

void snk_symmetric_eigen(uint32_t n, double *matrix, double *eigenvectors) {
	memset(eigenvectors, 0, (size_t)n * n * sizeof *eigenvectors);
	for (size_t i = 0; i < n; i++) {
		eigenvectors[i * n + i] = 1;
	}
	/* What a product of rows is where rounding alone makes it; and the squared length of a row that is nothing but rounding. */
	const double rounding = n * DBL_EPSILON, none = rounding * rounding * snk_dot(n * n, matrix, matrix);
	int changed = 1;
	for (int sweep = 0; sweep < SWEEPS && changed; sweep++) {
		changed = 0;
		for (size_t p = 0; p < n; p++) {
			for (size_t q = p + 1; q < n; q++) {
				double *a = matrix + p * n, *b = matrix + q * n;
				const double along = snk_dot(n, a, b), of_a = snk_dot(n, a, a), of_b = snk_dot(n, b, b);
				if (!(of_a > none && of_b > none && fabs(along) > rounding * sqrt(of_a * of_b))) {
					continue;
				}
				const double zeta = (of_b - of_a) / (2 * along);
				const double t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta)), cosine = 1 / sqrt(1 + t * t);
				rotate_rows(n, cosine, cosine * t, a, b);
				rotate_rows(n, cosine, cosine * t, eigenvectors + p * n, eigenvectors + q * n);
				changed = 1;
			}
		}
	}
}

static void swap_numbers(uint32_t n, double *a, double *b) {
	for (uint32_t i = 0; i < n; i++) {
		const double before = a[i];
		a[i] = b[i];
		b[i] = before;
	}
}

void snk_symmetric_eigen_sorted(uint32_t n, double *matrix, double *eigenvectors, double *eigenvalues) {
	snk_symmetric_eigen(n, matrix, eigenvectors);
	for (size_t k = 0; k < n; k++) {
		eigenvalues[k] = sqrt(snk_dot(n, matrix + k * n, matrix + k * n));
		for (size_t at = k; at > 0 && eigenvalues[at] > eigenvalues[at - 1]; at--) {
			swap_numbers(1, &eigenvalues[at], &eigenvalues[at - 1]);
			swap_numbers(n, matrix + at * n, matrix + (at - 1) * n);
			swap_numbers(n, eigenvectors + at * n, eigenvectors + (at - 1) * n);
		}
	}
}
