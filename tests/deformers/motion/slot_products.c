/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Gram matrix of a point's slots from their products is the plain sum over the samples, also far from the origin.
 */
#include "check.h"
#include "motion/weight_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "motion/learn_weights.h"
#include "random.h"
#include "sinew/algebra.h"

enum { SLOTS = 5, SAMPLES = 70, POINTS = 3 };

static double palettes[SAMPLES][12 * SLOTS], rest[3 * POINTS];
static float frames[SAMPLES][3 * POINTS];
static snw_pose_view poses[SAMPLES];
static snk_sample samples[SAMPLES];

/* Rotations about the origin of the mesh, which is `far` from the scene's. */
static void make_samples(uint64_t *seed, double far) {
	for (int i = 0; i < 3 * POINTS; i++) {
		rest[i] = random_between(seed, -1, 1);
	}
	for (int s = 0; s < SAMPLES; s++) {
		for (int slot = 0; slot < SLOTS; slot++) {
			double vector[3], quaternion[4], *matrix = palettes[s] + 12 * (size_t)slot;
			for (int c = 0; c < 3; c++) {
				vector[c] = random_between(seed, -1, 1);
			}
			snw_quat_from_rotation_vector(vector, quaternion);
			snw_quat_to_mat34(quaternion, matrix);
			for (int c = 0; c < 3; c++) {
				matrix[4 * c + 3] = random_between(seed, -0.1, 0.1) + far;
			}
		}
		for (int i = 0; i < 3 * POINTS; i++) {
			frames[s][i] = (float)(rest[i] + far + random_between(seed, -0.1, 0.1));
		}
		poses[s] = (snw_pose_view){.size = sizeof *poses, .slot_count = SLOTS, .palette = palettes[s]};
		samples[s] = (snk_sample){.pose = &poses[s], .floats_posed = frames[s]};
	}
}

static void *SNW_CALL acquire(const snw_host *host, size_t bytes) {
	(void)host;
	void *block = aligned_alloc(64, (bytes + 63) / 64 * 64);
	return block ? memset(block, 0, bytes) : NULL;
}

static void SNW_CALL release(const snw_host *host, void *block) {
	(void)host;
	free(block);
}

static const void *SNW_CALL memory_alone(const snw_host *host, const char *id) {
	static const snw_memory_service memory = {.size = sizeof memory, .acquire = acquire, .release = release};
	(void)host;
	return strcmp(id, SNW_SERVICE_MEMORY) == 0 ? &memory : NULL;
}

static double plain_sum(uint32_t point, uint32_t a, uint32_t b) {
	double sum = 0;
	for (int s = 0; s < SAMPLES; s++) {
		double wanted[3], first[3], second[3];
		snk_sample_point(&samples[s], point, wanted);
		snw_mat34_point(palettes[s] + 12 * (size_t)a, rest + 3 * (size_t)point, first);
		snw_mat34_point(palettes[s] + 12 * (size_t)b, rest + 3 * (size_t)point, second);
		for (int c = 0; c < 3; c++) {
			sum += (first[c] - wanted[c]) * (second[c] - wanted[c]) / SAMPLES;
		}
	}
	return sum;
}

static void products_give_the_plain_sums_far_from_the_origin_too(void **state) {
	(void)state;
	static const uint32_t candidates[] = {3, 0, 4};
	const double places[] = {0, 1000};
	uint64_t seed = random_seed();
	for (size_t p = 0; p < 2; p++) {
		make_samples(&seed, places[p]);
		const snw_host host = {.size = sizeof host, .service = memory_alone};
		const snw_character_view character = {.size = sizeof character, .slot_count = SLOTS};
		const snw_mesh_view mesh = {.size = sizeof mesh, .point_count = POINTS, .points_rest = rest};
		const snk_weight_options options = {.influences = 4, .sample_count = SAMPLES, .samples = samples};
		weight_fit f = {.character = &character, .mesh = &mesh, .options = &options};
		snw_pool pool = snw_pool_open(&host);
		assert_int_equal(open_products(&host, &f, &pool, &f.products), SNW_OK);
		for (uint32_t point = 0; point < POINTS; point++) {
			double gram[9];
			product_gram(&f, point, 3, candidates, gram);
			for (int i = 0; i < 9; i++) {
				check_near(gram[i], plain_sum(point, candidates[i / 3], candidates[i % 3]), 1e-11);
			}
		}
		snw_pool_release(&pool);
	}
}

TEST_GROUP(slot_products) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(products_give_the_plain_sums_far_from_the_origin_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
