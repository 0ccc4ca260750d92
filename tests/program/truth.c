/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reference evaluator: properties of its equation.
 */
#include "fixture.h"

static const double pi = 3.14159265358979323846;

static fixture_options small(int32_t blend) {
	return (fixture_options){.point_count = 60,
							 .slot_count = 7,
							 .least_influences = 1,
							 .most_influences = 5,
							 .blend = blend,
							 .largest_angle = 1.5,
							 .rest_displacements = 3,
							 .posed_displacements = 4};
}

static void check_points(uint32_t count, const double *a, const double *b, double tolerance) {
	for (size_t i = 0; i < 3 * (size_t)count; i++) {
		check_near(a[i], b[i], tolerance);
	}
}

static void palette_rigid_moves_rigidly(void **state) {
	(void)state;
	const uint64_t seed = random_seed();
	for (int32_t blend = SNW_BLEND_LINEAR; blend <= SNW_BLEND_DUAL_QUATERNION; blend++) {
		fixture_options o = small(blend);
		o.rest_displacements = o.posed_displacements = 0;
		fixture f = fixture_make(seed + (uint64_t)blend, &o);
		double *matrices = SNW_NEW_ARRAY(f.arena, double, 12 * (size_t)o.slot_count);
		for (uint32_t s = 0; s < o.slot_count; s++) {
			memcpy(matrices + 12 * (size_t)s, f.input.matrices, 12 * sizeof *matrices);
		}
		f.input.matrices = matrices;
		const double *posed = fixture_truth(&f);
		for (uint32_t i = 0; i < o.point_count; i++) {
			double expected[3] = {0, 0, 0}, rest[3] = {0, 0, 0};
			memcpy(rest, f.program.points_rest + 3 * (size_t)i, sizeof rest);
			if (blend == SNW_BLEND_AFFINE) {
				memset(rest, 0, sizeof rest);
				for (uint32_t k = f.program.influence_offsets[i]; k < f.program.influence_offsets[i + 1]; k++) {
					for (size_t c = 0; c < 3; c++) {
						rest[c] += f.program.influence_rows[4 * (size_t)k + c];
					}
				}
			}
			snw_mat34_point(matrices, rest, expected);
			check_points(1, posed + 3 * (size_t)i, expected, 1e-13);
		}
		fixture_destroy(&f);
	}
}

static void weights_of_one_joint_give_its_matrix(void **state) {
	(void)state;
	const uint64_t seed = random_seed();
	for (int32_t blend = SNW_BLEND_LINEAR; blend <= SNW_BLEND_DUAL_QUATERNION; blend += 2) {
		fixture_options o = small(blend);
		o.most_influences = 1;
		o.rest_displacements = o.posed_displacements = 0;
		o.scale = 0.4;
		fixture f = fixture_make(seed + (uint64_t)blend, &o);
		const double *posed = fixture_truth(&f);
		for (uint32_t i = 0; i < o.point_count; i++) {
			double expected[3];
			snw_mat34_point(f.input.matrices + 12 * (size_t)f.program.influence_slots[i], f.program.points_rest + 3 * (size_t)i,
							expected);
			check_points(1, posed + 3 * (size_t)i, expected, 1e-13);
		}
		fixture_destroy(&f);
	}
}

static void dual_quaternion_of_a_matrix_gives_it_back(void **state) {
	(void)state;
	uint64_t random = random_seed();
	for (int round = 0; round < 300; round++) {
		double m[12], q[8], stretch[9], rotation[12], stretch_matrix[12] = {0}, back[12];
		for (int c = 0; c < 12; c++) {
			m[c] = random_between(&random, -2, 2);
		}
		if (round % 5 == 0) { /* flattened */
			memcpy(m + 8, m + 4, 3 * sizeof *m);
		}
		if (round == 1) {
			memset(m, 0, sizeof m);
		}
		snw_dual_quaternion_from_mat34(m, q, stretch);
		check_near(snw_quat_dot(q, q), 1, 1e-14);
		check_near(snw_quat_dot(q, q + 4), 0, 1e-13);
		snw_quat_to_mat34(q, rotation);
		for (int r = 0; r < 3; r++) {
			memcpy(stretch_matrix + 4 * r, stretch + 3 * r, 3 * sizeof *stretch_matrix);
		}
		snw_mat34_multiply(rotation, stretch_matrix, back);
		for (int r = 0; r < 3; r++) {
			for (int c = 0; c < 3; c++) {
				check_near(back[4 * r + c], m[4 * r + c], 1e-13);
			}
		}
	}
}

static void stretch_of_a_regular_matrix_is_symmetric(void **state) {
	(void)state;
	uint64_t random = random_seed();
	for (int round = 0; round < 200; round++) {
		double m[12], q[8], stretch[9];
		do {
			for (int c = 0; c < 12; c++) {
				m[c] = random_between(&random, -2, 2);
			}
		} while (fabs(snw_mat34_determinant(m)) < 0.05);
		snw_dual_quaternion_from_mat34(m, q, stretch);
		check_near(stretch[1], stretch[3], 1e-11);
		check_near(stretch[2], stretch[6], 1e-11);
		check_near(stretch[5], stretch[7], 1e-11);
		assert_true((stretch[0] + stretch[4] + stretch[8] > 0) == (snw_mat34_determinant(m) > 0));
	}
}

static void scale_along_the_axes_of_a_rotated_bind_survives_dual_quaternions(void **state) {
	(void)state;
	/* A joint bound at an angle, scaled along its own x: the palette is G S B⁻¹. */
	const double bind_vector[3] = {0.3, 0.9, -0.4}, pose_vector[3] = {1.1, -0.2, 0.5};
	double qb[4], qg[4], bind[12], global[12], m[12], inverse[12];
	snw_quat_from_rotation_vector(bind_vector, qb);
	snw_quat_from_rotation_vector(pose_vector, qg);
	snw_quat_to_mat34(qb, bind);
	snw_quat_to_mat34(qg, global);
	for (int r = 0; r < 3; r++) {
		global[4 * r] *= 1.7;
		global[4 * r + 3] = r;
	}
	assert_true(snw_mat34_invert(bind, inverse));
	snw_mat34_multiply(global, inverse, m);
	const uint32_t offsets[] = {0, 1}, slots[] = {0};
	const double weights[] = {1}, rest[] = {0.4, 1.2, -0.3};
	const snw_program program = {.point_count = 1,
								 .blend = SNW_BLEND_DUAL_QUATERNION,
								 .slot_count = 1,
								 .points_rest = rest,
								 .influence_offsets = offsets,
								 .influence_slots = slots,
								 .influence_weights = weights};
	const snw_program_input input = {.matrices = m};
	double posed[3], expected[3];
	snw_program_reference(&program, &input, NULL, posed);
	snw_mat34_point(m, rest, expected);
	check_points(1, posed, expected, 1e-14);
}

/* A program of one point with two influences of half weight, about the y axis: the first at rest, the second rotated. */
static void two_joints(double angle, const double rest[3], int32_t blend, int32_t sign_rule, double flip, double posed[3]) {
	const uint32_t offsets[] = {0, 2}, slots[] = {0, 1};
	const double weights[] = {0.5, 0.5}, rotation_vector[3] = {0, angle, 0};
	double q[16] = {0, 0, 0, 1}, matrices[24];
	snw_mat34_identity(matrices);
	snw_quat_from_rotation_vector(rotation_vector, q + 8);
	snw_quat_to_mat34(q + 8, matrices + 12);
	for (int c = 8; c < 16; c++) {
		q[c] *= flip;
	}
	const snw_program program = {.point_count = 1,
								 .blend = blend,
								 .sign_rule = sign_rule,
								 .dual_quaternion_palette = blend == SNW_BLEND_DUAL_QUATERNION,
								 .slot_count = 2,
								 .points_rest = rest,
								 .influence_offsets = offsets,
								 .influence_slots = slots,
								 .influence_weights = weights};
	const snw_program_input input = {.matrices = matrices, .dual_quaternions = q};
	snw_program_reference(&program, &input, NULL, posed);
}

static void dual_quaternion_of_a_twist_keeps_the_radius(void **state) {
	(void)state;
	const double rest[3] = {1, 0.5, 0};
	for (int step = 0; step < 13; step++) {
		const double angle = 0.25 * step;
		double posed[3], collapsed[3];
		two_joints(angle, rest, SNW_BLEND_DUAL_QUATERNION, SNW_SIGN_SHORTEST, 1, posed);
		check_near(hypot(posed[0], posed[2]), 1, 1e-14);
		check_near(atan2(-posed[2], posed[0]), angle / 2, 1e-14);
		check_near(posed[1], 0.5, 1e-14);
		two_joints(angle, rest, SNW_BLEND_LINEAR, SNW_SIGN_SHORTEST, 1, collapsed);
		check_near(hypot(collapsed[0], collapsed[2]), cos(angle / 2), 1e-14);
	}
}

static void sign_shortest_takes_the_short_way_and_as_given_does_not(void **state) {
	(void)state;
	const double rest[3] = {1, 0, 0};
	double posed[3];
	for (int flip = -1; flip < 2; flip += 2) {
		two_joints(1, rest, SNW_BLEND_DUAL_QUATERNION, SNW_SIGN_SHORTEST, flip, posed);
		check_near(atan2(-posed[2], posed[0]), 0.5, 1e-14);
		two_joints(1.5 * pi, rest, SNW_BLEND_DUAL_QUATERNION, SNW_SIGN_SHORTEST, flip, posed);
		check_near(atan2(-posed[2], posed[0]), -pi / 4, 1e-14);
	}
	two_joints(1.5 * pi, rest, SNW_BLEND_DUAL_QUATERNION, SNW_SIGN_AS_GIVEN, 1, posed);
	check_near(atan2(-posed[2], posed[0]), 0.75 * pi, 1e-14);
	/* At a half turn the dot product is 0 and the sign stays as it is. */
	two_joints(pi, rest, SNW_BLEND_DUAL_QUATERNION, SNW_SIGN_SHORTEST, 1, posed);
	check_near(-posed[2], 1, 1e-14);
	/* A sum of length zero does not move the point. */
	two_joints(2 * pi, rest, SNW_BLEND_DUAL_QUATERNION, SNW_SIGN_AS_GIVEN, 1, posed);
	assert_true(isfinite(posed[0]) && fabs(posed[0]) < 2);
	two_joints(0, rest, SNW_BLEND_DUAL_QUATERNION, SNW_SIGN_AS_GIVEN, -1, posed);
	check_points(1, posed, rest, 0);
}

static void pivot_of_equal_weights_is_the_lowest_slot(void **state) {
	(void)state;
	const uint32_t slots[] = {5, 2, 9, 1};
	const double weights[] = {0.3, 0.3, 0.3, 0.1};
	const snw_program program = {.influence_slots = slots, .influence_weights = weights};
	assert_int_equal(snw_program_pivot(&program, 0, 4), 1);
	assert_int_equal(snw_program_pivot(&program, 2, 4), 2);
}

static void affine_rows_of_weighted_rest_are_linear(void **state) {
	(void)state;
	fixture_options o = small(SNW_BLEND_LINEAR);
	fixture f = fixture_make(random_seed(), &o);
	const double *linear = fixture_truth(&f);
	double *rows = SNW_NEW_ARRAY(f.arena, double, 4 * (size_t)f.program.influence_offsets[o.point_count]);
	for (uint32_t i = 0; i < o.point_count; i++) {
		for (uint32_t k = f.program.influence_offsets[i]; k < f.program.influence_offsets[i + 1]; k++) {
			for (size_t c = 0; c < 4; c++) {
				rows[4 * (size_t)k + c] =
					f.program.influence_weights[k] * (c == 3 ? 1 : f.program.points_rest[3 * (size_t)i + c]);
			}
		}
	}
	f.program.blend = SNW_BLEND_AFFINE;
	f.program.influence_rows = rows;
	check_points(o.point_count, fixture_truth(&f), linear, 1e-13);
	fixture_destroy(&f);
}

static void coefficients_of_zero_change_nothing(void **state) {
	(void)state;
	const uint64_t seed = random_seed();
	for (int32_t blend = SNW_BLEND_NONE; blend <= SNW_BLEND_DUAL_QUATERNION; blend++) {
		fixture_options o = small(blend);
		fixture f = fixture_make(seed, &o);
		const double zeros[8] = {0};
		f.input.d = f.input.e = zeros;
		const double *with = fixture_truth(&f);
		f.program.rest.count = f.program.posed.count = 0;
		const double *without = fixture_truth(&f);
		assert_memory_equal(with, without, 3 * o.point_count * sizeof *with);
		fixture_destroy(&f);
	}
}

static void truth_at_some_points_and_over_ranges_equals_truth(void **state) {
	(void)state;
	const uint64_t seed = random_seed();
	for (int32_t blend = SNW_BLEND_NONE; blend <= SNW_BLEND_DUAL_QUATERNION; blend++) {
		fixture_options o = small(blend);
		o.scale = 0.3;
		fixture f = fixture_make(seed, &o);
		uint64_t random = seed + 1;
		double *in = SNW_NEW_ARRAY(f.arena, double, 3 * (size_t)o.point_count), all[180], some_in[30], some_out[30];
		uint32_t indices[10];
		for (size_t i = 0; i < 3 * (size_t)o.point_count; i++) {
			in[i] = random_between(&random, -1, 1);
		}
		for (uint32_t i = 0; i < 10; i++) {
			indices[i] = random_below(&random, o.point_count);
			memcpy(some_in + 3 * i, in + 3 * (size_t)indices[i], 3 * sizeof *in);
		}
		for (int with_in = 0; with_in < 2; with_in++) {
			snw_program_reference(&f.program, &f.input, with_in ? in : NULL, all);
			snw_program_reference_at(&f.program, &f.input, 10, indices, with_in ? some_in : NULL, some_out);
			for (uint32_t i = 0; i < 10; i++) {
				assert_memory_equal(some_out + 3 * i, all + 3 * (size_t)indices[i], 3 * sizeof *all);
			}
		}
		double parts[180];
		memset(parts, 0, sizeof parts);
		for (uint32_t begin = 0; begin < o.point_count; begin += 7) {
			const uint32_t end = begin + 7 < o.point_count ? begin + 7 : o.point_count;
			snw_program_reference_range(&f.program, &f.input, begin, end, in, parts);
		}
		assert_memory_equal(parts, all, sizeof all);
		snw_program_reference(&f.program, &f.input, in, in); /* in place */
		assert_memory_equal(in, all, sizeof all);
		fixture_destroy(&f);
	}
}

static void matrices_times_points_equal_truth_without_displacements(void **state) {
	(void)state;
	const uint64_t seed = random_seed();
	for (int32_t blend = SNW_BLEND_NONE; blend <= SNW_BLEND_DUAL_QUATERNION; blend++) {
		fixture_options o = small(blend);
		o.scale = 0.3;
		o.loose_weights = true;
		fixture f = fixture_make(seed, &o);
		f.program.rest.count = f.program.posed.count = 0;
		uint64_t random = seed + 1;
		double in[180], posed[180], matrices[720], expected[3];
		for (int i = 0; i < 180; i++) {
			in[i] = random_between(&random, -1, 1);
		}
		snw_program_reference(&f.program, &f.input, in, posed);
		snw_program_reference_matrices(&f.program, &f.input, o.point_count, NULL, matrices);
		for (uint32_t i = 0; i < o.point_count; i++) {
			snw_mat34_point(matrices + 12 * (size_t)i, in + 3 * (size_t)i, expected);
			check_points(1, posed + 3 * (size_t)i, expected, 1e-12);
		}
		const uint32_t one = 17;
		double matrix[12];
		snw_program_reference_matrices(&f.program, &f.input, 1, &one, matrix);
		assert_memory_equal(matrix, matrices + 12 * (size_t)one, sizeof matrix);
		fixture_destroy(&f);
	}
}

static void displacement_at_rest_goes_through_the_matrix(void **state) {
	(void)state;
	const uint64_t seed = random_seed();
	for (int32_t blend = SNW_BLEND_NONE; blend <= SNW_BLEND_DUAL_QUATERNION; blend++) {
		fixture_options o = small(blend);
		o.posed_displacements = 0;
		fixture f = fixture_make(seed, &o);
		double displaced[180], matrices[720], expected[3];
		memcpy(displaced, f.program.points_rest, sizeof displaced);
		for (uint32_t k = 0; k < f.program.rest.count; k++) {
			for (uint64_t j = f.program.rest.offsets[k]; j < f.program.rest.offsets[k + 1]; j++) {
				for (size_t c = 0; c < 3; c++) {
					displaced[3 * (size_t)f.program.rest.points[j] + c] +=
						f.input.d[f.program.rest.coefficients[k]] * f.program.rest.vectors[3 * (size_t)j + c];
				}
			}
		}
		const double *posed = fixture_truth(&f);
		snw_program_reference_matrices(&f.program, &f.input, o.point_count, NULL, matrices);
		for (uint32_t i = 0; i < o.point_count; i++) {
			snw_mat34_point(matrices + 12 * (size_t)i, displaced + 3 * (size_t)i, expected);
			check_points(1, posed + 3 * (size_t)i, expected, 1e-12);
		}
		fixture_destroy(&f);
	}
}

static void displacement_posed_rotates_with_its_joint(void **state) {
	(void)state;
	const double rest[] = {1, 2, 3}, vectors[] = {0.1, 0, 0, 0, 0.1, 0}, e[] = {2},
				 rotations[18] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
	const uint64_t offsets[] = {0, 1, 2};
	const uint32_t coefficients[] = {0, 0}, points[] = {0, 0}, joints[] = {0, SNW_NONE};
	const snw_program program = {.point_count = 1,
								 .points_rest = rest,
								 .e_count = 1,
								 .posed = {.size = sizeof program.posed,
										   .count = 2,
										   .coefficients = coefficients,
										   .offsets = offsets,
										   .points = points,
										   .vectors = vectors,
										   .joints = joints}};
	const snw_program_input input = {.e = e, .rotations = rotations};
	double posed[3];
	snw_program_reference(&program, &input, NULL, posed);
	check_near(posed[0], 1, 1e-15);
	check_near(posed[1], 2 + 0.2 + 0.2, 1e-15);
	check_near(posed[2], 3, 1e-15);
}

static void check_program_refuses_values_out_of_range(void **state) {
	(void)state;
	fixture_options o = small(SNW_BLEND_AFFINE);
	fixture f = fixture_make(1, &o);
	snw_error error = {0};
	check_ok(snw_program_check(&f.program, &error), error);
	uint32_t *slots = (uint32_t *)f.program.influence_slots, *points = (uint32_t *)f.program.rest.points;
	uint32_t *coefficients = (uint32_t *)f.program.posed.coefficients, *offsets = (uint32_t *)f.program.influence_offsets;
	double *rows = (double *)f.program.influence_rows, *rest = (double *)f.program.points_rest;
	const struct {
		uint32_t *place, value;
	} numbers[] = {{slots + 3, 7}, {points + 1, 60}, {points + 1, 0}, {coefficients, f.program.e_count}, {offsets + 5, 1000}};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		const uint32_t before = *numbers[i].place;
		*numbers[i].place = numbers[i].value;
		assert_int_equal(snw_program_check(&f.program, &error), SNW_ERROR_DATA);
		*numbers[i].place = before;
	}
	double *const values[] = {rows + 9, rest + 100, (double *)f.program.posed.vectors, (double *)f.program.influence_weights};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		const double before = *values[i];
		*values[i] = NAN;
		assert_int_equal(snw_program_check(&f.program, &error), SNW_ERROR_DATA);
		*values[i] = before;
	}
	f.program.blend = 9;
	assert_int_equal(snw_program_check(&f.program, &error), SNW_ERROR_DATA);
	fixture_destroy(&f);
}

TEST_GROUP(truth) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(palette_rigid_moves_rigidly),
		cmocka_unit_test(weights_of_one_joint_give_its_matrix),
		cmocka_unit_test(dual_quaternion_of_a_matrix_gives_it_back),
		cmocka_unit_test(stretch_of_a_regular_matrix_is_symmetric),
		cmocka_unit_test(scale_along_the_axes_of_a_rotated_bind_survives_dual_quaternions),
		cmocka_unit_test(dual_quaternion_of_a_twist_keeps_the_radius),
		cmocka_unit_test(sign_shortest_takes_the_short_way_and_as_given_does_not),
		cmocka_unit_test(pivot_of_equal_weights_is_the_lowest_slot),
		cmocka_unit_test(affine_rows_of_weighted_rest_are_linear),
		cmocka_unit_test(coefficients_of_zero_change_nothing),
		cmocka_unit_test(truth_at_some_points_and_over_ranges_equals_truth),
		cmocka_unit_test(matrices_times_points_equal_truth_without_displacements),
		cmocka_unit_test(displacement_at_rest_goes_through_the_matrix),
		cmocka_unit_test(displacement_posed_rotates_with_its_joint),
		cmocka_unit_test(check_program_refuses_values_out_of_range),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
