/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * linear-blend-fit with a mask and with locked joints: what is held keeps its weights to the last bit, and the rest of the
 * error falls.
 */
#include "arms/planted_arm.h"

static const char method[] = "linear-blend-fit";

/* The influences of the fitted blend. */
static const snw_program *blend_of(const fitting_stack *stack) {
	return snw_stack_segment(stack->stack, 0, 0).program;
}

static double weight_of(const uint32_t *offsets, const uint32_t *slots, const double *weights, uint32_t point, uint32_t slot) {
	double sum = 0;
	for (uint32_t k = offsets[point]; k < offsets[point + 1]; k++) {
		sum += slots[k] == slot ? weights[k] : 0;
	}
	return sum;
}

static double base_weight(uint32_t point, uint32_t slot) {
	const snw_mesh *mesh = &arm->meshes[0];
	return weight_of(mesh->influence_offsets, mesh->influence_slots, mesh->influence_weights, point, slot);
}

static double fitted_weight(const snw_program *program, uint32_t point, uint32_t slot) {
	return weight_of(program->influence_offsets, program->influence_slots, program->influence_weights, point, slot);
}

static bool is_as_it_was(const snw_program *program, uint32_t point) {
	const snw_mesh *mesh = &arm->meshes[0];
	const uint32_t first = mesh->influence_offsets[point], count = mesh->influence_offsets[point + 1] - first;
	const uint32_t at = program->influence_offsets[point];
	return program->influence_offsets[point + 1] - at == count &&
		   memcmp(program->influence_slots + at, mesh->influence_slots + first, count * sizeof(uint32_t)) == 0 &&
		   memcmp(program->influence_weights + at, mesh->influence_weights + first, count * sizeof(double)) == 0;
}

/* ---- masks --------------------------------------------------------------------------------------------------------------- */

/* A third of the points is held, a third is fitted, and the last is between. */
static double mask_of(uint32_t point) {
	return (double)(point % 3) / 2;
}

static snw_scene *masked(double (*value)(uint32_t)) {
	snw_scene *scene = snw_scene_copy(arm);
	const uint32_t points = scene->meshes[0].point_count;
	snw_field *fields = SNW_NEW_ARRAY(scene->arena, snw_field, (size_t)scene->field_count + 1);
	double *values = SNW_NEW_ARRAY(scene->arena, double, points);
	for (uint32_t i = 0; i < points; i++) {
		values[i] = value(i);
	}
	if (scene->field_count > 0) {
		memcpy(fields, scene->fields, scene->field_count * sizeof *fields);
	}
	fields[scene->field_count++] = (snw_field){
		.id = 900, .name = "part", .unit = "", .domain = SNW_DOMAIN_POINTS, .components = 1, .count = points, .values = values};
	scene->fields = fields;
	return scene;
}

/* The mean over points of one kind of the distance of their weights from the planted ones. */
static double mean_miss(const snw_program *program, uint32_t kind) {
	const snw_mesh *truth = &planted->meshes[0];
	double sum = 0;
	uint32_t count = 0;
	for (uint32_t i = kind; i < program->point_count; i += 3, count++) {
		double square = 0;
		for (uint32_t s = 0; s < 3; s++) {
			const double wanted = weight_of(truth->influence_offsets, truth->influence_slots, truth->influence_weights, i, s);
			square += (fitted_weight(program, i, s) - wanted) * (fitted_weight(program, i, s) - wanted);
		}
		sum += sqrt(square);
	}
	return sum / count;
}

static void points_outside_a_mask_keep_their_weights(void **state) {
	(void)state;
	snw_scene *scene = masked(mask_of), *fitted = must_fit(scene, method, "ridge=0 mask=part");
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	const snw_program *program = blend_of(&stack);
	for (uint32_t i = 0; i < program->point_count; i += 3) {
		assert_true(is_as_it_was(program, i));
	}
	const double held = mean_miss(program, 0), between = mean_miss(program, 1), fit = mean_miss(program, 2);
	print_message("weights off by %.3g outside, %.3g where the mask is one half, %.3g inside\n", held, between, fit);
	assert_true(held > 0.2);
	assert_true(fit < 1e-3);
	assert_true(between > 10 * fit && between < 0.9 * held);
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
	snw_scene_destroy(scene);
}

static double nowhere(uint32_t point) {
	(void)point;
	return 0;
}

static double everywhere(uint32_t point) {
	(void)point;
	return 1;
}

static void empty_mask_changes_nothing_and_a_full_one_is_none(void **state) {
	(void)state;
	snw_scene *empty = masked(nowhere), *full = masked(everywhere);
	snw_scene *kept = must_fit(empty, method, "mask=part"), *whole = must_fit(full, method, "mask=part");
	snw_scene *plain = must_fit(arm, method, "");
	fitting_stack stack = fitting_stack_of(kept, registry, NULL);
	for (uint32_t i = 0; i < arm->meshes[0].point_count; i++) {
		assert_true(is_as_it_was(blend_of(&stack), i));
	}
	fitting_stack_drop(&stack);
	must_have_one_model(whole, plain);
	snw_scene_destroy(plain);
	snw_scene_destroy(whole);
	snw_scene_destroy(kept);
	snw_scene_destroy(full);
	snw_scene_destroy(empty);
}

/* A mesh without the field is not painted. */
static void unknown_field_is_refused(void **state) {
	(void)state;
	snw_error error;
	const snw_setting setting = {"mask", SNW_TEXT("nobody")};
	assert_null(fitting_try(arm, registry, method, 1, &setting, &error));
	assert_non_null(strstr(error.text, "'nobody'"));
}

/* ---- locked joints ------------------------------------------------------------------------------------------------------- */

static snw_scene *fit_with_lock(uint32_t joint, const char *key, double value) {
	char lock[100];
	snw_error error;
	snprintf(lock, sizeof lock, "lock@%s", arm->skeleton.names[joint]);
	const snw_setting settings[] = {{"ridge", SNW_VALUE(0)}, {lock, SNW_VALUE(1)}, {key, SNW_VALUE(value)}};
	snw_scene *fitted = fitting_try(arm, registry, method, 3, settings, &error);
	if (!fitted) {
		print_message("%s\n", error.text);
	}
	return fitted;
}

static void locked_joint_keeps_its_weights_and_the_others_are_fitted(void **state) {
	(void)state;
	const double before = distances_to(&arm->targets[0], arm, NULL).rms;
	for (uint32_t slot = 0; slot < arm->slot_count; slot++) {
		snw_scene *fitted = fit_with_lock(arm->slot_joints[slot], "smoothness", 0);
		assert_non_null(fitted);
		fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
		const snw_program *program = blend_of(&stack);
		bool others_differ = false;
		for (uint32_t i = 0; i < program->point_count; i++) {
			double sum = 0;
			for (uint32_t s = 0; s < arm->slot_count; s++) {
				const double weight = fitted_weight(program, i, s), base = base_weight(i, s);
				sum += weight;
				assert_true(weight >= 0);
				assert_true(s != slot || memcmp(&weight, &base, sizeof weight) == 0);
				others_differ = others_differ || (s != slot && fabs(weight - base) > 0.01);
			}
			assert_true(fabs(sum - 1) < 1e-12);
		}
		const double after = distances_to(&arm->targets[0], fitted, NULL).rms;
		print_message("%s locked: %.4g mm, before %.4g mm\n", arm->skeleton.names[arm->slot_joints[slot]], 1e3 * after,
					  1e3 * before);
		assert_true(others_differ);
		assert_true(after < 0.99 * before);
		fitting_stack_drop(&stack);
		snw_scene_destroy(fitted);
	}
}

/* With one influence a point there is no room beside a locked one. */
static void locked_weights_come_before_the_number_of_influences(void **state) {
	(void)state;
	snw_scene *fitted = fit_with_lock(arm->slot_joints[1], "influences", 1);
	assert_non_null(fitted);
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	const snw_program *program = blend_of(&stack);
	uint32_t kept = 0, single = 0;
	for (uint32_t i = 0; i < program->point_count; i++) {
		if (base_weight(i, 1) > 0) {
			assert_true(is_as_it_was(program, i));
			kept++;
		} else {
			assert_int_equal(program->influence_offsets[i + 1] - program->influence_offsets[i], 1);
			single++;
		}
	}
	assert_true(kept > 0 && single > 0);
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
}

static void merged_joints_and_locked_ones_do_not_go_together(void **state) {
	(void)state;
	snw_error error;
	char lock[100];
	snprintf(lock, sizeof lock, "lock@%s", arm->skeleton.names[arm->slot_joints[0]]);
	const snw_setting settings[] = {{"joints", SNW_VALUE(2)}, {lock, SNW_VALUE(1)}};
	assert_null(fitting_try(arm, registry, method, 2, settings, &error));
	assert_non_null(strstr(error.text, "the locks"));
}

static void threads_do_not_change_a_held_fit(void **state) {
	(void)state;
	snw_scene *scene = masked(mask_of);
	check_threads(scene, method, "mask=part smoothness=1e-5");
	snw_scene_destroy(scene);
}

TEST_GROUP(held_weights) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_outside_a_mask_keep_their_weights),
		cmocka_unit_test(empty_mask_changes_nothing_and_a_full_one_is_none),
		cmocka_unit_test(unknown_field_is_refused),
		cmocka_unit_test(locked_joint_keeps_its_weights_and_the_others_are_fitted),
		cmocka_unit_test(locked_weights_come_before_the_number_of_influences),
		cmocka_unit_test(merged_joints_and_locked_ones_do_not_go_together),
		cmocka_unit_test(threads_do_not_change_a_held_fit),
	};
	return cmocka_run_group_tests(tests, open_planted, close_planted);
}
