/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Multi-weight enveloping as a skin program: twelve weights an influence, one for each element of the joint's matrix, are three
 * slots a joint (docs/design.md).
 */
#include "fixture.h"

enum { JOINTS = 5, SLOTS = 3 * JOINTS, POINTS = 40 };

/* Slot 3 j + r holds row r of joint j's matrix in its place, and zeros. */
static void split_rows(double matrices[JOINTS][12], double *palette) {
	memset(palette, 0, (size_t)12 * SLOTS * sizeof *palette);
	for (size_t slot = 0; slot < SLOTS; slot++) {
		memcpy(palette + 12 * slot + 4 * (slot % 3), matrices[slot / 3] + 4 * (slot % 3), 4 * sizeof *palette);
	}
}

/* What the displacements add to the rest of a point. */
static void find_displacement(const fixture *f, uint32_t point, double sum[3]) {
	const snw_displacements *rest = &f->program.rest;
	memset(sum, 0, 3 * sizeof *sum);
	for (uint32_t k = 0; k < rest->count; k++) {
		for (uint64_t n = rest->offsets[k]; n < rest->offsets[k + 1]; n++) {
			for (size_t c = 0; rest->points[n] == point && c < 3; c++) {
				sum[c] += f->input.d[rest->coefficients[k]] * rest->vectors[3 * (size_t)n + c];
			}
		}
	}
}

static void check_program(int has_displacements) {
	uint64_t random = random_seed();
	const fixture_options o = {.point_count = POINTS,
							   .slot_count = SLOTS,
							   .least_influences = SLOTS,
							   .most_influences = SLOTS,
							   .blend = SNW_BLEND_AFFINE,
							   .largest_angle = 1.5,
							   .scale = 0.3,
							   .rest_displacements = has_displacements ? 3 : 0};
	fixture f = fixture_make(random, &o);
	double matrices[JOINTS][12];
	double *palette = SNW_NEW_ARRAY(f.arena, double, 12 * (size_t)SLOTS);
	double *weights = SNW_NEW_ARRAY(f.arena, double, 4 * (size_t)SLOTS * POINTS);
	double *rows = SNW_NEW_ARRAY(f.arena, double, 4 * (size_t)SLOTS * POINTS);
	for (size_t j = 0; j < JOINTS; j++) {
		memcpy(matrices[j], f.input.matrices + 36 * j, sizeof matrices[j]);
	}
	split_rows(matrices, palette);
	for (size_t k = 0; k < (size_t)SLOTS * POINTS; k++) {
		const double *rest = f.program.points_rest + 3 * (k / SLOTS);
		for (size_t c = 0; c < 4; c++) {
			weights[4 * k + c] = random_between(&random, -0.5, 1);
			rows[4 * k + c] = weights[4 * k + c] * (c < 3 ? rest[c] : 1);
		}
	}
	f.input.matrices = palette;
	f.program.influence_rows = rows;
	const double *posed = fixture_truth(&f);
	for (uint32_t i = 0; i < POINTS; i++) {
		double expected[3] = {0, 0, 0}, displacement[3];
		const double *rest = f.program.points_rest + 3 * (size_t)i;
		find_displacement(&f, i, displacement);
		for (uint32_t k = f.program.influence_offsets[i]; k < f.program.influence_offsets[i + 1]; k++) {
			const uint32_t slot = f.program.influence_slots[k];
			const double *w = weights + 4 * (size_t)k, *row = matrices[slot / 3] + 4 * (size_t)(slot % 3);
			for (size_t c = 0; c < 3; c++) {
				expected[slot % 3] += row[c] * (w[c] * rest[c] + w[3] * displacement[c]);
			}
			expected[slot % 3] += row[3] * w[3];
		}
		for (size_t c = 0; c < 3; c++) {
			check_near(posed[3 * (size_t)i + c], expected[c], 1e-12);
		}
	}
	fixture_destroy(&f);
}

static void three_slots_a_joint_equal_twelve_weights_an_influence(void **state) {
	(void)state;
	check_program(0);
}

static void displacements_go_through_the_weights_of_the_translation(void **state) {
	(void)state;
	check_program(1);
}

TEST_GROUP(multi_weight) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_slots_a_joint_equal_twelve_weights_an_influence),
		cmocka_unit_test(displacements_go_through_the_weights_of_the_translation),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
