/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decompositions on their own, without a method.
 */
#include "check.h"

#include "motion/decompose.h"
#include "random.h"
#include "services/services.h"

enum { POINTS = 30, FRAMES = 9, JOINTS = 2 };

/* Random motion of points, one number of which is given. */
static snw_status decompose(bool is_dense, float given, double *squares) {
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
		const uint32_t point = k / 2;
		const double share = (point + 1.0) / (POINTS + 1);
		joints[k] = k % 2;
		weights[k] = k % 2 ? 1 - share : share;
	}
	const snk_influences start = {POINTS, JOINTS, offsets, joints, weights};
	snk_motion motion;
	snk_dense_fit dense = {0};
	snk_decomposition sparse = {0};
	assert_int_equal(snk_motion_make(&pool, POINTS, rest, FRAMES, frames, &motion), SNW_OK);
	const snk_dense_options dense_options = {
		.host = snw_services_host(services), .motion = &motion, .joint_count = JOINTS, .iterations = 5};
	const snk_decompose_options options = {.host = dense_options.host,
										   .motion = &motion,
										   .kind = SNK_TRANSFORMS_AFFINE,
										   .joint_count = JOINTS,
										   .influences = JOINTS,
										   .iterations = 5};
	const snw_status status = is_dense ? snk_dense_decompose(&dense_options, 1, &start, &pool, &dense)
									   : snk_decompose(&options, 1, &start, &pool, &sparse);
	*squares = is_dense ? dense.squares : sparse.squares;
	snw_pool_release(&pool);
	snw_services_destroy(services);
	return status;
}

static void random_motion_is_fitted(void **state) {
	(void)state;
	double squares;
	for (int is_dense = 0; is_dense < 2; is_dense++) {
		assert_int_equal(decompose(is_dense, 0.5F, &squares), SNW_OK);
		assert_true(squares > 0 && squares < POINTS * FRAMES * 3);
	}
}

static void sums_that_are_not_finite_are_no_lack_of_memory(void **state) {
	(void)state;
	double squares;
	for (int is_dense = 0; is_dense < 2; is_dense++) {
		assert_int_equal(decompose(is_dense, INFINITY, &squares), SNW_ERROR_DATA);
		assert_int_equal(decompose(is_dense, NAN, &squares), SNW_ERROR_DATA);
	}
}

TEST_GROUP(decompositions) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_motion_is_fitted),
		cmocka_unit_test(sums_that_are_not_finite_are_no_lack_of_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
