/* SPDX-License-Identifier: MIT */
#include "sinew/kit/numerics/ridge.h"

#include <string.h>

#include "sinew/kit/numerics/cholesky.h"

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
