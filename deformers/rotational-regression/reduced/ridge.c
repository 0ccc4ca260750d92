/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rotational-regression/reduced/ridge.h"

#include <stdbool.h>
#include <string.h>

#include "sinew/kit/numerics/solver.h"
#include "sinew/kit/status.h"

/* Over the columns that count. */
static double dot(const ridge_equation *e, const double *a, const double *b) {
	double sum = 0;
	for (size_t x = 0; x < e->width; x++) {
		sum += e->counts[x] * a[x] * b[x];
	}
	return sum;
}

/* The lower half of F Fᵀ, and B Fᵀ, transposed. */
static void make_system_of_features(const ridge_equation *e) {
	for (size_t a = 0; a < e->feature_count; a++) {
		const double *features = e->features + a * e->width;
		for (size_t b = 0; b <= a; b++) {
			e->gram[a * e->feature_count + b] = dot(e, features, e->features + b * e->width);
		}
		for (size_t i = 0; i < 4; i++) {
			e->right[4 * a + i] = dot(e, e->sums + i * e->width, features);
		}
	}
}

/* The lower half of Fᵀ F, and B, transposed; 0 for columns that are left out. */
static void make_system_of_columns(const ridge_equation *e) {
	memset(e->gram, 0, e->width * e->width * sizeof *e->gram);
	for (size_t x = 0; x < e->width; x++) {
		for (size_t a = 0; e->counts[x] != 0 && a < e->feature_count; a++) {
			const double *features = e->features + a * e->width;
			for (size_t y = 0; y <= x; y++) {
				e->gram[x * e->width + y] += e->counts[y] * features[x] * features[y];
			}
		}
		for (size_t i = 0; i < 4; i++) {
			e->right[4 * x + i] = e->counts[x] * e->sums[i * e->width + x];
		}
	}
}

/* What the system gives, [4][order], behind its right sides. */
static snw_status solve_system(const snw_host *host, const ridge_equation *e, size_t order, const double moments[16]) {
	double *found = e->right + 4 * order;
	snk_factor rows = {0}, columns = {0};
	for (size_t a = 0; a < order; a++) {
		for (size_t b = 0; b < a; b++) {
			e->gram[b * order + a] = e->gram[a * order + b];
		}
		e->gram[a * order + a] += e->ridge;
	}
	snw_status status = snk_factor_dense(host, 4, moments, NULL, &rows);
	status = snk_failed(status) ? status : snk_factor_solve(&rows, (uint32_t)order, e->right);
	for (size_t n = 0; !snk_failed(status) && n < 4 * order; n++) {
		found[n] = e->right[4 * (n % order) + n / order];
	}
	status = snk_failed(status) ? status : snk_factor_dense(host, (uint32_t)order, e->gram, NULL, &columns);
	status = snk_failed(status) ? status : snk_factor_solve(&columns, 4, found);
	snk_factor_release(&rows);
	snk_factor_release(&columns);
	return status;
}

snw_status solve_ridge(const snw_host *host, const ridge_equation *e, const double moments[16], double *solution) {
	const bool by_column = e->width < e->feature_count;
	const size_t order = by_column ? e->width : e->feature_count;
	if (by_column) {
		make_system_of_columns(e);
	} else {
		make_system_of_features(e);
	}
	const snw_status status = solve_system(host, e, order, moments);
	const double *found = e->right + 4 * order;
	for (size_t n = 0; !snk_failed(status) && n < 4 * e->feature_count; n++) {
		const size_t i = n / e->feature_count, a = n % e->feature_count;
		solution[n] = by_column ? dot(e, found + i * e->width, e->features + a * e->width) : found[n];
	}
	return status;
}
