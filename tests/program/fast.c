/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The float evaluator compared with the reference evaluator, on random programs of every blend.
 */
#include "fixture.h"
#include "program/packed.h"
#include "task/task.h"

/* The largest distance to the truth, as a part of the diagonal of the rest's bounding box. */
static double error_of(const fixture *f, const float *points) {
	const double *truth = fixture_truth(f);
	double most = 0;
	for (uint32_t i = 0; i < f->program.point_count; i++) {
		double difference[3];
		for (size_t c = 0; c < 3; c++) {
			difference[c] = (double)points[3 * (size_t)i + c] - truth[3 * (size_t)i + c];
		}
		const double length = snw_length3(difference);
		assert_true(isfinite(length));
		most = fmax(most, length);
	}
	return most / fixture_diagonal(&f->program);
}

static fixture_options drawn(uint64_t seed, int32_t blend, uint32_t influences) {
	return (fixture_options){
		.point_count = 1500,
		.slot_count = 20,
		.least_influences = influences == 0 ? 1 : influences,
		.most_influences = influences == 0 ? 12 : influences,
		.blend = blend,
		.sign_rule = seed % 2 ? SNW_SIGN_SHORTEST : SNW_SIGN_AS_GIVEN,
		.dual_quaternion_palette = blend == SNW_BLEND_DUAL_QUATERNION && seed % 3 == 0,
		.largest_angle = seed % 2 || blend != SNW_BLEND_DUAL_QUATERNION ? 3 : 1.2,
		.rest_displacements = seed % 4 ? 6 : 0,
		.posed_displacements = seed % 5 ? 5 : 0,
		.scale = blend == SNW_BLEND_DUAL_QUATERNION && seed % 3 == 1 ? 0.4 : 0,
	};
}

static void run_equals_truth_for_every_blend_and_influence_count(void **state) {
	(void)state;
	const uint64_t seed = random_seed();
	for (int32_t blend = SNW_BLEND_NONE; blend <= SNW_BLEND_DUAL_QUATERNION; blend++) {
		double most = 0;
		for (uint32_t influences = 0; influences <= 12; influences++) {
			const fixture_options o = drawn(seed + influences, blend, influences);
			fixture f = fixture_make(seed + influences, &o);
			snw_error error;
			check_ok(snw_program_check(&f.program, &error), error);
			snw_packed_program *packed = snw_program_pack(&f.program);
			most = fmax(most, error_of(&f, fixture_run(&f, packed)));
			snw_packed_program_destroy(packed);
			fixture_destroy(&f);
		}
		print_message("blend %d: %.3g of the diagonal\n", blend, most);
		assert_true(most < 1e-5);
	}
}

/* Half the spacing of floats at a distance, for each coordinate: the least error that any float output has there. */
static double rounding_at(double distance, double diagonal) {
	return sqrt(3) * 0.5 * (double)(nextafterf((float)distance, INFINITY) - (float)distance) / diagonal;
}

static void run_far_from_the_origin_errs_by_the_rounding_of_its_output(void **state) {
	(void)state;
	const uint64_t seed = random_seed();
	for (int tens = 0; tens < 5; tens++) {
		const double distance = pow(10, tens);
		for (int32_t blend = SNW_BLEND_NONE; blend <= SNW_BLEND_DUAL_QUATERNION; blend++) {
			fixture_options o = drawn(seed, blend, 0);
			o.distance = distance;
			o.scale = 0;
			fixture f = fixture_make(seed, &o);
			snw_packed_program *packed = snw_program_pack(&f.program);
			const double error = error_of(&f, fixture_run(&f, packed));
			print_message("blend %d at %g: %.3g of the diagonal\n", blend, distance, error);
			assert_true(error < 2e-6 + 2.1 * rounding_at(distance, fixture_diagonal(&f.program)));
			snw_packed_program_destroy(packed);
			fixture_destroy(&f);
		}
	}
}

static void run_of_a_scaled_character_far_away_errs_by_rounding(void **state) {
	(void)state;
	/* The whole character grows by one half about its own middle: every slot has the same stretch. */
	fixture_options o = drawn(1, SNW_BLEND_DUAL_QUATERNION, 0);
	o.dual_quaternion_palette = false;
	o.distance = 1000;
	o.scale = 0;
	fixture f = fixture_make(random_seed(), &o);
	double *matrices = SNW_NEW_ARRAY(f.arena, double, 12 * (size_t)o.slot_count), growth[12];
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 4; c++) {
			growth[4 * r + c] = c == 3 ? -0.5 * o.distance : r == c ? 1.5 : 0;
		}
	}
	for (uint32_t s = 0; s < o.slot_count; s++) {
		snw_mat34_multiply(f.input.matrices + 12 * (size_t)s, growth, matrices + 12 * (size_t)s);
	}
	f.input.matrices = matrices;
	snw_packed_program *packed = snw_program_pack(&f.program);
	const float *points = fixture_run(&f, packed);
	assert_true(packed->stretched);
	assert_true(error_of(&f, points) < 2e-6 + 2.1 * rounding_at(o.distance, fixture_diagonal(&f.program)));
	snw_packed_program_destroy(packed);
	fixture_destroy(&f);
}

static void run_with_loose_weights_equals_truth(void **state) {
	(void)state;
	const uint64_t seed = random_seed();
	for (int32_t blend = SNW_BLEND_LINEAR; blend <= SNW_BLEND_DUAL_QUATERNION; blend++) {
		fixture_options o = drawn(seed, blend, 0);
		o.loose_weights = true;
		o.distance = 3;
		fixture f = fixture_make(seed, &o);
		snw_packed_program *packed = snw_program_pack(&f.program);
		assert_true(error_of(&f, fixture_run(&f, packed)) < 1e-5);
		snw_packed_program_destroy(packed);
		fixture_destroy(&f);
	}
}

static void run_over_points_in_equals_truth(void **state) {
	(void)state;
	const uint64_t seed = random_seed();
	for (int32_t blend = SNW_BLEND_NONE; blend <= SNW_BLEND_DUAL_QUATERNION; blend++) {
		const fixture_options o = drawn(seed, blend, 0);
		fixture f = fixture_make(seed, &o);
		const size_t numbers = 3 * (size_t)o.point_count;
		double *in = SNW_NEW_ARRAY(f.arena, double, numbers), *truth = SNW_NEW_ARRAY(f.arena, double, numbers);
		float *float_in = SNW_NEW_ARRAY(f.arena, float, numbers), *out = SNW_NEW_ARRAY(f.arena, float, numbers);
		uint64_t random = seed;
		for (size_t i = 0; i < numbers; i++) {
			float_in[i] = (float)(f.program.points_rest[i] + random_between(&random, -0.2, 0.2));
			in[i] = (double)float_in[i];
		}
		snw_packed_program *packed = snw_program_pack(&f.program);
		snw_program_reference(&f.program, &f.input, in, truth);
		snw_program_run(packed, &f.input, float_in, out);
		for (size_t i = 0; i < numbers; i++) {
			check_near(out[i], truth[i], 1e-5 * fixture_diagonal(&f.program));
		}
		snw_packed_program_destroy(packed);
		fixture_destroy(&f);
	}
}

static void run_has_the_same_bits_for_any_number_of_threads(void **state) {
	(void)state;
	const uint64_t seed = random_seed();
	static const uint32_t threads[] = {1, 2, 3, 8};
	for (int32_t blend = SNW_BLEND_NONE; blend <= SNW_BLEND_DUAL_QUATERNION; blend++) {
		fixture_options o = drawn(seed, blend, 0);
		o.point_count = 20000;
		fixture f = fixture_make(seed, &o);
		snw_packed_program *packed = snw_program_pack(&f.program);
		const float *first = NULL;
		for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
			snw_parallel_threads(threads[t]);
			const float *points = fixture_run(&f, packed);
			first = first == NULL ? points : first;
			assert_memory_equal(points, first, 3 * o.point_count * sizeof *points);
		}
		snw_packed_program_destroy(packed);
		fixture_destroy(&f);
	}
	snw_parallel_threads(0);
}

/* Points enough that most share their sets and some are mixed; what a set's kernels multiply and add in one step differs in the
 * last bit. */
static void run_equals_truth_with_every_instruction_set(void **state) {
	(void)state;
	const uint64_t seed = random_seed();
	uint32_t kernel_count;
	const snw_kernels *const *kernels = snw_kernels_available(&kernel_count);
	for (int32_t blend = SNW_BLEND_NONE; blend <= SNW_BLEND_DUAL_QUATERNION; blend++) {
		for (uint32_t influences = 0; influences <= 12; influences += 3) {
			fixture_options o = drawn(seed + influences, blend, influences);
			o.point_count = 4000 + (uint32_t)(seed % 17);
			o.slot_count = 30;
			fixture f = fixture_make(seed + influences, &o);
			snw_packed_program *packed = snw_program_pack(&f.program);
			for (uint32_t i = 0; i < kernel_count; i++) {
				packed->kernels = kernels[i];
				assert_true(error_of(&f, fixture_run(&f, packed)) < 1e-5);
			}
			snw_packed_program_destroy(packed);
			fixture_destroy(&f);
		}
	}
}

static void run_at_a_half_turn_takes_the_sign_of_the_truth(void **state) {
	(void)state;
	/* Joints rotated by exactly π against each other: in float each sign would be random. */
	uint64_t random = random_seed();
	fixture_options o = drawn(1, SNW_BLEND_DUAL_QUATERNION, 2);
	o.rest_displacements = o.posed_displacements = 0;
	o.dual_quaternion_palette = false;
	fixture f = fixture_make(1, &o);
	double *matrices = SNW_NEW_ARRAY(f.arena, double, 12 * (size_t)o.slot_count);
	for (uint32_t s = 0; s < o.slot_count; s++) {
		double rotation_vector[3] = {0, 0, 0}, q[4];
		rotation_vector[0] = 0.3 + 3.14159265358979323846 * s;
		rotation_vector[1] = 1e-17 * random_between(&random, -1, 1);
		snw_quat_from_rotation_vector(rotation_vector, q);
		snw_quat_to_mat34(q, matrices + 12 * (size_t)s);
	}
	f.input.matrices = matrices;
	snw_packed_program *packed = snw_program_pack(&f.program);
	assert_true(error_of(&f, fixture_run(&f, packed)) < 1e-5);
	snw_packed_program_destroy(packed);
	fixture_destroy(&f);
}

static void run_without_points_or_influences_is_quiet(void **state) {
	(void)state;
	const snw_program nothing = {0};
	const snw_program_input empty = {0};
	snw_packed_program *packed = snw_program_pack(&nothing);
	snw_program_run(packed, &empty, NULL, NULL);
	snw_packed_program_destroy(packed);

	const uint32_t offsets[] = {0, 0, 1}, slots[] = {0};
	const double rest[] = {5, 6, 7, 8, 9, 10}, weights[] = {1}, matrices[] = {1, 0, 0, 4, 0, 1, 0, 5, 0, 0, 1, 6};
	for (int32_t blend = SNW_BLEND_LINEAR; blend <= SNW_BLEND_DUAL_QUATERNION; blend += 2) {
		const snw_program bare = {.point_count = 2,
								  .blend = blend,
								  .slot_count = 1,
								  .points_rest = rest,
								  .influence_offsets = offsets,
								  .influence_slots = slots,
								  .influence_weights = weights};
		const snw_program_input input = {.matrices = matrices};
		float posed[6];
		double truth[6];
		packed = snw_program_pack(&bare);
		snw_program_run(packed, &input, NULL, posed);
		snw_program_reference(&bare, &input, NULL, truth);
		for (int i = 0; i < 6; i++) {
			check_near(posed[i], truth[i], 1e-5);
		}
		check_near(truth[0], blend == SNW_BLEND_LINEAR ? 0 : 5, 1e-12);
		snw_packed_program_destroy(packed);
	}
}

TEST_GROUP(fast) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(run_equals_truth_for_every_blend_and_influence_count),
		cmocka_unit_test(run_far_from_the_origin_errs_by_the_rounding_of_its_output),
		cmocka_unit_test(run_of_a_scaled_character_far_away_errs_by_rounding),
		cmocka_unit_test(run_with_loose_weights_equals_truth),
		cmocka_unit_test(run_over_points_in_equals_truth),
		cmocka_unit_test(run_has_the_same_bits_for_any_number_of_threads),
		cmocka_unit_test(run_equals_truth_with_every_instruction_set),
		cmocka_unit_test(run_at_a_half_turn_takes_the_sign_of_the_truth),
		cmocka_unit_test(run_without_points_or_influences_is_quiet),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
