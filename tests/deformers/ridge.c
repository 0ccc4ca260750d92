/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ridge regression of reduced models: what either of its systems gives solves the equation, and a column that is left out
 * says nothing.
 */
#include "rotational-regression/fit.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "random.h"
#include "services/services.h"

enum { MOST = 24 };

/* A random equation; every third column is left out. */
typedef struct random_equation {
	double features[MOST * MOST], sums[4 * MOST], counts[MOST], moments[16], gram[MOST * MOST], right[8 * MOST];
	ridge_equation e;
} random_equation;

static void make_equation(uint64_t *random, size_t feature_count, size_t width, random_equation *made) {
	for (size_t n = 0; n < MOST * MOST; n++) {
		made->features[n] = random_between(random, -1, 1);
		made->gram[n] = NAN;
	}
	for (size_t n = 0; n < 4 * MOST; n++) {
		made->sums[n] = random_between(random, -1, 1);
		made->counts[n % MOST] = n % MOST % 3 != 2;
		made->right[n] = made->right[4 * MOST + n] = NAN;
	}
	for (size_t i = 0; i < 4; i++) {
		for (size_t k = 0; k <= i; k++) {
			made->moments[4 * i + k] = made->moments[4 * k + i] = (i == k ? 3 : 0) + random_between(random, -0.5, 0.5);
		}
	}
	made->e = (ridge_equation){.feature_count = feature_count,
							   .width = width,
							   .features = made->features,
							   .sums = made->sums,
							   .counts = made->counts,
							   .ridge = 0.05,
							   .gram = made->gram,
							   .right = made->right};
}

/* The largest entry of M X (F Fᵀ + ridge) - B Fᵀ over the columns that count. */
static double largest_residual(const random_equation *q, const double *solution) {
	const ridge_equation *e = &q->e;
	double largest = 0;
	for (size_t a = 0; a < e->feature_count; a++) {
		double times[4]; /* a column of X (F Fᵀ + ridge) */
		double wanted[4] = {0};
		for (size_t i = 0; i < 4; i++) {
			times[i] = e->ridge * solution[i * e->feature_count + a];
		}
		for (size_t x = 0; x < e->width; x++) {
			const double feature = q->counts[x] * q->features[a * e->width + x];
			for (size_t i = 0; i < 4; i++) {
				wanted[i] += feature * q->sums[i * e->width + x];
				for (size_t b = 0; b < e->feature_count; b++) {
					times[i] += solution[i * e->feature_count + b] * q->features[b * e->width + x] * feature;
				}
			}
		}
		for (size_t i = 0; i < 4; i++) {
			double residual = -wanted[i];
			for (size_t k = 0; k < 4; k++) {
				residual += q->moments[4 * i + k] * times[k];
			}
			largest = fmax(largest, fabs(residual));
		}
	}
	return largest;
}

static void both_systems_solve_the_equation(void **state) {
	(void)state;
	static const size_t sizes[][2] = {{1, 1}, {1, 6}, {6, 1}, {5, 5}, {24, 9}, {9, 24}, {24, 23}, {24, 24}};
	uint64_t random = random_seed();
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		random_equation q;
		double solution[4 * MOST];
		make_equation(&random, sizes[s][0], sizes[s][1], &q);
		assert_int_equal(solve_ridge(snw_services_host(services), &q.e, q.moments, solution), SNW_OK);
		assert_true(largest_residual(&q, solution) < 1e-11);
		const size_t order = sizes[s][0] < sizes[s][1] ? sizes[s][0] : sizes[s][1];
		assert_true(order == MOST || (isnan(q.gram[order * order]) && isnan(q.right[8 * order]))); /* it took the smaller one */
	}
	snw_services_destroy(services);
}

static void column_that_is_left_out_changes_nothing(void **state) {
	(void)state;
	uint64_t random = random_seed();
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	for (size_t width = 9; width <= MOST; width += MOST - 9) { /* fewer columns than features, and more */
		random_equation q;
		double before[4 * MOST], after[4 * MOST];
		make_equation(&random, 15, width, &q);
		assert_int_equal(solve_ridge(snw_services_host(services), &q.e, q.moments, before), SNW_OK);
		for (size_t n = 0; n < 15 * width; n++) {
			q.features[n] *= q.counts[n % width] != 0 ? 1 : -7;
			q.sums[n % (4 * width)] += q.counts[n % width] != 0 ? 0 : 5;
		}
		assert_int_equal(solve_ridge(snw_services_host(services), &q.e, q.moments, after), SNW_OK);
		assert_memory_equal(before, after, 4 * 15 * sizeof *before);
	}
	snw_services_destroy(services);
}

TEST_GROUP(ridge) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_systems_solve_the_equation),
		cmocka_unit_test(column_that_is_left_out_changes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
