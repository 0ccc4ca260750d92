/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dense decompositions on their own.
 */
#include "check.h"

#include "motion/dense/dense.h"
#include "random.h"
#include "services/services.h"

enum { POINTS = 30, FRAMES = 9, JOINTS = 2 };

/* Random motion of points, one number of which is given. */
static snw_status decompose(float given, double *squares) {
	uint64_t random = random_seed();
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	snw_pool pool = snw_pool_open(snw_services_host(services));
	double rest[3 * POINTS], weights[2 * POINTS];
	float posed[FRAMES][3 * POINTS];
	const float *frames[FRAMES];
	uint32_t offsets[POINTS + 1], joints[2 * POINTS];
	for (size_t i = 0; i < (size_t)3 * POINTS; i++) {
		rest[i] = random_between(&random, -1, 1);
	}
	for (size_t f = 0; f < FRAMES; f++) {
		frames[f] = posed[f];
		for (size_t i = 0; i < (size_t)3 * POINTS; i++) {
			posed[f][i] = (float)random_between(&random, -1, 1);
		}
	}
	posed[FRAMES / 2][7] = given;
	for (uint32_t i = 0; i <= POINTS; i++) {
		offsets[i] = 2 * i;
	}
	for (uint32_t k = 0; k < 2 * POINTS; k++) {
		const double share = (double)(k / 2 + 1) / (POINTS + 1);
		joints[k] = k % 2;
		weights[k] = k % 2 ? 1 - share : share;
	}
	const snk_influences start = {POINTS, JOINTS, offsets, joints, weights};
	snk_motion motion;
	snk_dense_fit fit = {0};
	assert_int_equal(snk_motion_make(&pool, POINTS, rest, FRAMES, frames, &motion), SNW_OK);
	const snk_dense_options options = {
		.host = snw_services_host(services), .motion = &motion, .joint_count = JOINTS, .iterations = 5};
	const snw_status status = snk_dense_decompose(&options, 1, &start, &pool, &fit);
	*squares = fit.squares;
	snw_pool_release(&pool);
	snw_services_destroy(services);
	return status;
}

static void random_motion_is_fitted(void **state) {
	(void)state;
	double squares;
	assert_int_equal(decompose(0.5F, &squares), SNW_OK);
	assert_true(squares > 0 && squares < POINTS * FRAMES * 3);
}

static void sums_that_are_not_finite_are_no_lack_of_memory(void **state) {
	(void)state;
	double squares;
	assert_int_equal(decompose(INFINITY, &squares), SNW_ERROR_DATA);
	assert_int_equal(decompose(NAN, &squares), SNW_ERROR_DATA);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_motion_is_fitted),
		cmocka_unit_test(sums_that_are_not_finite_are_no_lack_of_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
