/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * animation-space: planted rows are found again, what the samples do not determine stays as it was, the same answer by factor
 * and by iteration, the same bits on any number of threads, and poor samples are named.
 */
#include "arms/bare_arm.h"
#include "arms/shared_arm.h"
#include "learned.h"

#include "fit/stale.h"
#include "random.h"
#include "scene/scene.h"

static const char method[] = "animation-space";

static snw_target *targets_of(const snw_scene *scene) {
	return (snw_target *)(uintptr_t)scene->targets;
}

/* ---- the fit ------------------------------------------------------------------------------------------------------------- */

/* Every point is moved by all three slots, if only a little. */
static void share_weights(snw_scene *scene) {
	snw_mesh *mesh = (snw_mesh *)(uintptr_t)&scene->meshes[0];
	uint32_t *offsets = SNW_NEW_ARRAY(scene->arena, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(scene->arena, uint32_t, (size_t)3 * mesh->point_count);
	double *weights = SNW_NEW_ARRAY(scene->arena, double, (size_t)3 * mesh->point_count);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		for (uint32_t s = 0; s < 3; s++) {
			slots[3 * i + s] = s;
			weights[3 * i + s] = 0.1;
		}
		for (uint32_t k = mesh->influence_offsets[i]; k < mesh->influence_offsets[i + 1]; k++) {
			weights[3 * i + mesh->influence_slots[k]] += 0.7 * mesh->influence_weights[k];
		}
		offsets[i + 1] = 3 * i + 3;
	}
	mesh->influence_offsets = offsets;
	mesh->influence_slots = slots;
	mesh->influence_weights = weights;
}

/* Random rows over all slots, weights that sum to 1, as what a target's frames show. */
static void plant_rows(snw_scene *scene) {
	const snw_mesh *mesh = &scene->meshes[0];
	uint64_t random = random_seed();
	snw_target *target = &targets_of(scene)[0];
	float *frames = SNW_NEW_ARRAY(scene->arena, float, (size_t)3 * mesh->point_count * target->frame_count);
	double *rows = SNW_NEW_ARRAY(scene->arena, double, (size_t)12 * mesh->point_count);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		double rest = 1;
		for (size_t s = 0; s < 3; s++) {
			double *row = rows + 12 * (size_t)i + 4 * s;
			row[3] = s < 2 ? random_between(&random, -0.2, 0.6) : rest;
			rest -= row[3];
			for (size_t c = 0; c < 3; c++) {
				row[c] = row[3] * mesh->points_rest[3 * (size_t)i + c] + random_between(&random, -0.02, 0.02);
			}
		}
	}
	for (uint32_t f = 0; f < target->frame_count; f++) {
		const snw_pose *pose = snw_pose_sample(scene, target->clip, target->seconds[f], scene->arena);
		const snw_pose_view *view = snw_pose_view_make(scene, pose, scene->arena);
		for (uint32_t i = 0; i < mesh->point_count; i++) {
			for (size_t c = 0; c < 3; c++) {
				double sum = 0;
				for (size_t s = 0; s < 3; s++) {
					const double *row = rows + 12 * (size_t)i + 4 * s, *matrix = view->palette + 12 * s + 4 * c;
					sum += matrix[0] * row[0] + matrix[1] * row[1] + matrix[2] * row[2] + matrix[3] * row[3];
				}
				frames[(size_t)3 * (mesh->point_count * f + i) + c] = (float)sum;
			}
		}
	}
	target->points_posed = frames;
	scene->target_count = 1;
	scene->example_count = scene->group_count = 0;
}

static void planted_rows_are_found_again(void **state) {
	(void)state;
	snw_scene *scene = snw_scene_copy(arm);
	share_weights(scene);
	plant_rows(scene);
	const double diagonal = snw_scene_diagonal(scene, 0);
	snw_scene *fitted = must_fit(scene, method, "ridge=1e-9 smoothness=0");
	assert_true(distances_to(&scene->targets[0], fitted, "linear-blend").most > 0.05 * diagonal);
	assert_true(distances_to(&scene->targets[0], fitted, NULL).most < 2e-5 * diagonal);
	assert_true(fitting_logged("rows fitted to"));
	snw_scene_destroy(fitted);
	snw_scene_destroy(scene);
}

static const snw_program *program_of(const fitting_stack *stack) {
	return snw_stack_segment(stack->stack, 0, 0).program;
}

static void weights_sum_to_one(void **state) {
	(void)state;
	snw_scene *fitted = must_fit(arm, method, "");
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	const snw_program *program = program_of(&stack);
	assert_int_equal(program->blend, SNW_BLEND_AFFINE);
	for (uint32_t i = 0; i < program->point_count; i++) {
		double sum = 0;
		for (uint32_t k = program->influence_offsets[i]; k < program->influence_offsets[i + 1]; k++) {
			sum += program->influence_rows[4 * (size_t)k + 3];
		}
		check_near(sum, 1, 1e-12);
	}
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
}

/* The largest distance between two ways to pose the first mesh, over the frames of a target, metres. */
static double difference(const snw_scene *a, const char *by_a, const snw_scene *b, const char *by_b) {
	const uint32_t points = arm->meshes[0].point_count;
	const snw_target *target = &arm->targets[0];
	double most = 0, *posed[2] = {malloc(sizeof(double) * 3 * points), malloc(sizeof(double) * 3 * points)};
	fitting_stack stacks[2] = {fitting_stack_of(a, registry, by_a), fitting_stack_of(b, registry, by_b)};
	for (uint32_t f = 0; f < target->frame_count; f++) {
		for (int i = 0; i < 2; i++) {
			const snw_scene *scene = i == 0 ? a : b;
			const snw_pose *pose = snw_pose_sample(scene, target->clip, target->seconds[f], scene->arena);
			fitting_truth(&stacks[i], snw_pose_view_make(scene, pose, scene->arena), 0, posed[i]);
		}
		most = fmax(most, fitting_distance(points, posed[0], posed[1]));
	}
	for (int i = 0; i < 2; i++) {
		fitting_stack_drop(&stacks[i]);
		free(posed[i]);
	}
	return most;
}

static void a_strong_ridge_is_the_linear_blend(void **state) {
	(void)state;
	snw_scene *fitted = must_fit(arm, method, "ridge=1e6");
	assert_true(difference(fitted, NULL, fitted, "linear-blend") < 1e-6 * snw_scene_diagonal(arm, 0));
	snw_scene_destroy(fitted);
}

/* A mask over the points of the first mesh. */
static void add_mask(snw_scene *scene, double value, uint32_t from) {
	const uint32_t count = scene->meshes[0].point_count;
	double *values = SNW_NEW_ARRAY(scene->arena, double, count);
	snw_field *fields = SNW_NEW_ARRAY(scene->arena, snw_field, scene->field_count + 1);
	for (uint32_t i = 0; i < count; i++) {
		values[i] = i < from ? 1 : value;
	}
	for (uint32_t k = 0; k < scene->field_count; k++) {
		fields[k] = scene->fields[k];
	}
	fields[scene->field_count++] = (snw_field){
		.name = "animation-space-mask", .domain = SNW_DOMAIN_POINTS, .components = 1, .count = count, .values = values};
	scene->fields = fields;
}

static void masked_points_keep_their_linear_blend_exactly(void **state) {
	(void)state;
	snw_scene *scene = snw_scene_copy(arm);
	add_mask(scene, 0, 0);
	static const char *const settings[] = {"", "sets=motion", "sets=motion influences=1"};
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		snw_scene *fitted = must_fit(scene, method, settings[i]);
		assert_true(difference(fitted, NULL, fitted, "linear-blend") < 1e-14);
		snw_scene_destroy(fitted);
	}
	snw_scene_destroy(scene);
}

/* The sum over edges of how far the rows at their ends are apart, beyond what those of the linear blend are, squared. */
static double roughness_with(const char *settings) {
	snw_scene *fitted = must_fit(arm, method, settings);
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	const snw_program *program = program_of(&stack);
	const snw_mesh *mesh = &arm->meshes[0];
	double sum = 0, *rows = calloc((size_t)12 * mesh->point_count, sizeof *rows);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		for (uint32_t k = program->influence_offsets[i]; k < program->influence_offsets[i + 1]; k++) {
			memcpy(rows + 12 * (size_t)i + 4 * (size_t)program->influence_slots[k], program->influence_rows + 4 * (size_t)k,
				   4 * sizeof *rows);
		}
		for (uint32_t k = mesh->influence_offsets[i]; k < mesh->influence_offsets[i + 1]; k++) {
			for (size_t c = 0; c < 4; c++) {
				rows[12 * (size_t)i + 4 * (size_t)mesh->influence_slots[k] + c] -=
					mesh->influence_weights[k] * (c < 3 ? mesh->points_rest[3 * (size_t)i + c] : 1);
			}
		}
	}
	for (uint32_t c = 0; c + 1 < mesh->face_offsets[mesh->face_count]; c++) {
		for (size_t n = 0; n < 12; n++) {
			const double gap = rows[12 * (size_t)mesh->face_points[c] + n] - rows[12 * (size_t)mesh->face_points[c + 1] + n];
			sum += gap * gap;
		}
	}
	free(rows);
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
	return sum;
}

static void smoothness_brings_neighbours_together(void **state) {
	(void)state;
	const double rough = roughness_with("smoothness=0"), smooth = roughness_with("smoothness=1e-3");
	print_message("roughness %.3g, %.3g with 1e-3\n", rough, smooth);
	assert_true(smooth < 0.5 * rough);
}

/* The error of a fit to a scene's targets. */
static double rms_of(snw_scene *scene, const char *settings) {
	scene->example_count = scene->group_count = 0;
	snw_scene *fitted = must_fit(scene, method, settings);
	const double rms = distance_to_targets(fitted);
	snw_scene_destroy(fitted);
	snw_scene_destroy(scene);
	return rms;
}

/* The small arm has four times the points of the tiny arm, on the same surface. */
static void smoothness_means_the_same_on_a_finer_mesh(void **state) {
	(void)state;
	snw_scene *finer = NULL;
	snw_error error;
	check_ok(snw_sample_make("small-arm", &finer, &error), error);
	const double rough = rms_of(tiny_arm(), "smoothness=0"), coarse = rms_of(tiny_arm(), "smoothness=1e-2");
	const double fine = rms_of(finer, "smoothness=1e-2");
	print_message("rms %.4g m without smoothness, %.4g m with 1e-2, %.4g m on the finer mesh\n", rough, coarse, fine);
	assert_true(coarse > 1.5 * rough);
	assert_true(fabs(fine / coarse - 1) < 0.05);
}

/* More smoothness takes more steps than are worth it. */
static void iteration_equals_the_factorisation(void **state) {
	(void)state;
	snw_scene *factored = must_fit(arm, method, "ridge=1e-9 smoothness=1e-2"),
			  *iterated = must_fit(arm, method, "ridge=1e-9 smoothness=1e-2 memory=1");
	const double apart = difference(factored, NULL, iterated, NULL) / snw_scene_diagonal(arm, 0);
	print_message("apart %.2g of the box\n", apart);
	assert_true(apart > 0);
	assert_true(apart < 1e-6);
	snw_scene_destroy(factored);
	snw_scene_destroy(iterated);
}

static void threads_do_not_change_a_bit(void **state) {
	(void)state;
	check_threads(arm, method, "smoothness=1e-5");
	check_threads(arm, method, "sets=motion smoothness=0");
}

static void influences_are_limited_to_the_setting(void **state) {
	(void)state;
	for (uint32_t most = 1; most <= 3; most++) {
		char settings[60];
		snprintf(settings, sizeof settings, "sets=motion rings=20 influences=%u", most);
		snw_scene *fitted = must_fit(arm, method, settings);
		fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
		const snw_program *program = program_of(&stack);
		uint32_t largest = 0;
		for (uint32_t i = 0; i < program->point_count; i++) {
			const uint32_t count = program->influence_offsets[i + 1] - program->influence_offsets[i];
			largest = count > largest ? count : largest;
		}
		assert_int_equal(largest, most);
		fitting_stack_drop(&stack);
		snw_scene_destroy(fitted);
	}
}

/* The first target only bends, which the linear blend does well. */
static void strengths_are_chosen_by_leaving_samples_out(void **state) {
	(void)state;
	snw_scene *scene = snw_scene_copy(arm);
	scene->target_count = 0;
	snw_scene *fitted = must_fit(scene, method, "choose=leave-one-out");
	assert_true(fitting_logged("chosen by leaving out"));
	for (uint32_t t = 0; t < arm->target_count; t++) {
		const double chosen = distances_to(&arm->targets[t], fitted, NULL).rms;
		const double blended = distances_to(&arm->targets[t], fitted, "linear-blend").rms;
		print_message("target %u: %.4g m, linear blend %.4g m\n", t, chosen, blended);
		assert_true(chosen < (t == 0 ? 1 : 0.65) * blended);
	}
	snw_scene_destroy(fitted);
	snw_scene_destroy(scene);
}

static void second_fit_is_the_first(void **state) {
	(void)state;
	snw_scene *once = must_fit(arm, method, ""), *twice = must_fit(once, method, "");
	assert_int_equal(snw_layer_stale(once, registry, 1), 0);
	assert_int_equal(once->models[0].byte_count, twice->models[0].byte_count);
	assert_memory_equal(once->models[0].bytes, twice->models[0].bytes, once->models[0].byte_count);
	snw_scene_destroy(twice);
	snw_scene_destroy(once);
}

static void refit_keeps_what_the_fit_has_chosen(void **state) {
	(void)state;
	snw_scene *sculpted = tiny_arm();
	sculpted->target_count = 0;
	must_keep_choices(sculpted, method, "");
	must_keep_choices(sculpted, method, "choose=leave-one-out");
	snw_scene *fitted = must_fit(sculpted, method, "choose=leave-one-out guard=off");
	double ridge = 0, smoothness = 0;
	char choices[120];
	for (uint32_t i = 0; i < 16; i++) {
		sscanf(fitting_log[i], "chosen by leaving out: ridge %lg, smoothness %lg", &ridge, &smoothness);
	}
	assert_true(ridge > 0);
	snprintf(choices, sizeof choices, "choose=given guard=off ridge=%g smoothness=%g", ridge, smoothness);
	must_equal_the_fit_with(fitted, method, choices);
	snw_scene_destroy(fitted);
	snw_scene_destroy(sculpted);
}

static void fits_stop_at_every_step(void **state) {
	(void)state;
	static const char *const activities[] = {"measuring edges", "finding joints", "spreading influences", "fitting rows",
											 "summing samples"};
	for (size_t i = 0; i < sizeof activities / sizeof *activities; i++) {
		must_stop_at(arm, method, "sets=motion", activities[i]);
	}
}

/* ---- in a stack ---------------------------------------------------------------------------------------------------------- */

static double worst_conditioning(const snw_scene *fitted) {
	double most = 0;
	for (uint32_t f = 0; f < fitted->field_count; f++) {
		if (strstr(fitted->fields[f].name, "conditioning")) {
			for (uint32_t i = 0; i < fitted->fields[f].count; i++) {
				most = fmax(most, fitted->fields[f].values[i]);
			}
		}
	}
	assert_true(most >= 1);
	return most;
}

static void sculpts_over_a_fitted_model_come_back_and_stay_well_conditioned(void **state) {
	(void)state;
	snw_scene *base = must_fit(arm, "inverse-psd", ""), *rows = must_fit(arm, method, ""),
			  *fitted = must_fit(rows, "inverse-psd", "");
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	const uint32_t count = fitted->meshes[0].point_count;
	double *points = malloc(sizeof *points * 3 * count);
	for (uint32_t e = 0; e < fitted->example_count; e++) {
		const snw_pose *pose = &fitted->poses[fitted->examples[e].pose];
		fitting_truth(&stack, snw_pose_view_make(fitted, pose, fitted->arena), 0, points);
		assert_true(fitting_distance(count, points, fitted->examples[e].points_posed) < 1e-6 * snw_scene_diagonal(arm, 0));
	}
	const double before = worst_conditioning(base), after = worst_conditioning(fitted);
	print_message("conditioning %.6g, over the fitted model %.6g\n", before, after);
	assert_true(after < 2 * before);
	free(points);
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
	snw_scene_destroy(rows);
	snw_scene_destroy(base);
}

static void over_a_black_box_it_is_refused_by_name(void **state) {
	(void)state;
	must_refuse_a_black_box(arm, method);
}

/* ---- poor samples -------------------------------------------------------------------------------------------------------- */

static void fit_without_samples_names_the_command_that_adds_them(void **state) {
	(void)state;
	must_name_the_command_for_samples(arm, method);
}

/* Fits to the fixture's examples alone; `words` must be logged. */
static void check_warning(arm_fixture *fixture, const char *words) {
	snw_error error;
	fixture->scene->group_count = 0;
	check_ok(snw_scene_check(fixture->scene, &error), error);
	snw_scene *fitted = must_fit(fixture->scene, method, "");
	if (!fitting_logged(words)) {
		fail_msg("'%s' was not logged; the first line is '%s'", words, fitting_log[0]);
	}
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
}

static void one_example_is_named(void **state) {
	(void)state;
	arm_fixture fixture;
	arm_open(&fixture);
	arm_example(&fixture, "bent", 1, 0, 0, 0.3);
	check_warning(&fixture, "one sample");
	arm_close(&fixture);
}

static void joints_at_rest_are_named(void **state) {
	(void)state;
	arm_fixture fixture;
	arm_open(&fixture);
	arm_example(&fixture, "bent", 1, 0, 0, 0.3);
	arm_example(&fixture, "more", 1.5, 0, 0, 0.3);
	check_warning(&fixture, "do not move in the samples");
	assert_true(fitting_logged(fixture.scene->skeleton.names[2]));
	arm_close(&fixture);
}

/* The tip moves in the samples; its points are given to the joint above it. */
static void joints_that_no_point_follows_are_named(void **state) {
	(void)state;
	arm_fixture fixture;
	arm_open(&fixture);
	arm_example(&fixture, "bent", 1, 0, 0, 0.3);
	arm_example(&fixture, "more", 1.5, 0, 0, 0.3);
	snw_scene *scene = fixture.scene;
	const uint32_t tip = scene->slot_joints[2];
	const double vector[3] = {0, 0, 0.5};
	snw_pose *pose = (snw_pose *)(uintptr_t)&scene->poses[scene->examples[1].pose];
	memcpy(pose->rotation_vectors + 3 * (size_t)tip, vector, sizeof vector);
	snw_quat_from_rotation_vector(vector, pose->local[tip].rotation);
	uint32_t *slots = (uint32_t *)(uintptr_t)scene->meshes[0].influence_slots;
	for (uint32_t k = 0; k < scene->meshes[0].influence_offsets[scene->meshes[0].point_count]; k++) {
		slots[k] = slots[k] == 2 ? 1 : slots[k];
	}
	char words[200];
	snprintf(words, sizeof words, "1 joint moves in the samples and no point follows: %s", scene->skeleton.names[tip]);
	check_warning(&fixture, words);
	arm_close(&fixture);
}

static void contradicting_examples_are_named(void **state) {
	(void)state;
	arm_fixture fixture;
	arm_open(&fixture);
	arm_example(&fixture, "flat", 1, 0, 0, 0.3);
	arm_example(&fixture, "dented", 1, 0, 0.02, 0.3);
	check_warning(&fixture, "example 'flat' and example 'dented' have the same pose");
	arm_close(&fixture);
}

static void coincident_points_are_named(void **state) {
	(void)state;
	arm_fixture fixture;
	arm_open(&fixture);
	arm_example(&fixture, "bent", 1, 0, 0, 0.3);
	arm_example(&fixture, "more", 1.5, 0, 0, 0.3);
	double *points = (double *)(uintptr_t)fixture.scene->meshes[0].points_rest;
	memcpy(points + 3 * 101, points + 3 * 100, 3 * sizeof *points);
	check_warning(&fixture, "from 100 to 101");
	arm_close(&fixture);
}

TEST_GROUP(animation_space) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(planted_rows_are_found_again),
		cmocka_unit_test(weights_sum_to_one),
		cmocka_unit_test(a_strong_ridge_is_the_linear_blend),
		cmocka_unit_test(masked_points_keep_their_linear_blend_exactly),
		cmocka_unit_test(smoothness_brings_neighbours_together),
		cmocka_unit_test(smoothness_means_the_same_on_a_finer_mesh),
		cmocka_unit_test(iteration_equals_the_factorisation),
		cmocka_unit_test(threads_do_not_change_a_bit),
		cmocka_unit_test(influences_are_limited_to_the_setting),
		cmocka_unit_test(strengths_are_chosen_by_leaving_samples_out),
		cmocka_unit_test(second_fit_is_the_first),
		cmocka_unit_test(refit_keeps_what_the_fit_has_chosen),
		cmocka_unit_test(fits_stop_at_every_step),
		cmocka_unit_test(sculpts_over_a_fitted_model_come_back_and_stay_well_conditioned),
		cmocka_unit_test(over_a_black_box_it_is_refused_by_name),
		cmocka_unit_test(fit_without_samples_names_the_command_that_adds_them),
		cmocka_unit_test(one_example_is_named),
		cmocka_unit_test(joints_at_rest_are_named),
		cmocka_unit_test(joints_that_no_point_follows_are_named),
		cmocka_unit_test(contradicting_examples_are_named),
		cmocka_unit_test(coincident_points_are_named),
	};
	return cmocka_run_group_tests(tests, open_arm, close_arm);
}
