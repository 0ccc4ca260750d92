/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pose-regression: what the blend leaves of the samples is predicted, whole or reduced, over a blend or a black box; sculpts on
 * top are exact.
 */
#include "arms/shared_arm.h"
#include "coefficient_change.h"
#include "learned.h"

#include "scene/scene.h"

static const char method[] = "pose-regression";

static void samples_are_predicted(void **state) {
	(void)state;
	const double before = distance_to_targets(arm);
	snw_scene *whole = must_fit(arm, method, "displacements=0");
	const double after = distance_to_targets(whole);
	print_message("%.3g m before, %.3g m after\n", before, after);
	assert_true(after < 0.25 * before);
	assert_int_equal(whole->field_count, arm->field_count + 2);
	assert_true(fitting_logged("held-out"));
	snw_scene_destroy(whole);
}

static void error_falls_with_the_budget_to_that_of_the_whole(void **state) {
	(void)state;
	static const char *const budgets[] = {"displacements=2", "displacements=6", "displacements=64", "displacements=0"};
	double errors[4];
	for (int i = 0; i < 4; i++) {
		snw_scene *fitted = must_fit(arm, method, budgets[i]);
		errors[i] = distance_to_targets(fitted);
		print_message("%s: %.4g m, %u displacements\n", budgets[i], errors[i], displacement_count(fitted));
		assert_true(i > 1 || displacement_count(fitted) == (i == 0 ? 2 : 6));
		snw_scene_destroy(fitted);
	}
	assert_true(errors[1] < errors[0]);
	assert_true(errors[2] < errors[1]);
	assert_true(fabs(errors[2] - errors[3]) < 1e-3 * errors[3]);
}

static void vectors_are_features_too(void **state) {
	(void)state;
	snw_scene *fitted = must_fit(arm, method, "features=vectors displacements=0");
	assert_true(distance_to_targets(fitted) < 0.25 * distance_to_targets(arm));
	snw_scene_destroy(fitted);
}

static void black_boxes_below_are_corrected_as_well(void **state) {
	(void)state;
	snw_scene *scene = snw_scene_copy(arm);
	const snw_layer layers[2] = {
		arm->layers[0], {.name = "smooth", .deformer = "org.sinew.smooth", .deformer_version = "1.0", .model = SNW_NONE}};
	scene->layers = layers;
	scene->layer_count = 2;
	snw_scene *fitted = must_fit(scene, method, "");
	const double before = distance_to_targets(scene), after = distance_to_targets(fitted);
	print_message("over smooth: %.3g m before, %.3g m after\n", before, after);
	assert_true(after < 0.4 * before);
	snw_scene_destroy(fitted);
	snw_scene_destroy(scene);
}

static void sculpts_on_top_are_exact(void **state) {
	(void)state;
	snw_scene *sculpted = make_arm();
	must_reproduce_sculpts_above(sculpted, method, "");
	snw_scene_destroy(sculpted);
}

static void refit_keeps_what_the_fit_has_chosen(void **state) {
	(void)state;
	snw_scene *sculpted = make_arm();
	sculpted->target_count = 0;
	must_keep_choices(sculpted, method, "");
	snw_scene *fitted = must_fit(sculpted, method, "guard=off");
	const char *found = NULL;
	char choices[120];
	double ridge = 0;
	for (uint32_t i = 0; i < 16 && !found; i++) {
		found = strstr(fitting_log[i], "ridge ");
	}
	assert_non_null(found);
	assert_int_equal(sscanf(found, "ridge %lg", &ridge), 1);
	snprintf(choices, sizeof choices, "guard=off ridge=%g mirror=%s", ridge,
			 fitting_logged("and their mirror images") ? "auto" : "off");
	must_equal_the_fit_with(fitted, method, choices);
	snw_scene_destroy(fitted);
	snw_scene_destroy(sculpted);
}

/* The arm of the program with a few frames. */
static snw_scene *with_frames(uint32_t count) {
	snw_scene *scene = NULL;
	snw_error error;
	check_ok(snw_sample_make("arm", &scene, &error), error);
	snw_target *target = snw_arena_copy(scene->arena, scene->targets, sizeof *target);
	target->frame_count = count;
	scene->targets = target;
	scene->target_count = 1;
	scene->example_count = scene->group_count = 0;
	return scene;
}

/* In the second clip the wrist alone rotates. */
static void joints_that_never_rotate_drive_nothing(void **state) {
	(void)state;
	snw_scene *twisted = snw_scene_copy(arm);
	twisted->targets = &arm->targets[1];
	twisted->target_count = 1;
	static const double about_all[3] = {0.5, 0.5, 0.5};
	for (int reduced = 0; reduced < 2; reduced++) {
		snw_scene *fitted = must_fit(twisted, method, reduced ? "clamp=off" : "displacements=0 clamp=off");
		assert_true(largest_coefficient_change(fitted, "wrist", about_all) > 0.01);
		assert_true(largest_coefficient_change(fitted, "elbow", about_all) == 0);
		assert_true(largest_coefficient_change(fitted, "shoulder", about_all) == 0);
		snw_scene_destroy(fitted);
	}
	snw_scene_destroy(twisted);
}

/* The arm follows its wrist as a whole, so no joint bends it; in all samples it stands beside its rest. */
static void where_no_joint_bends_nothing_is_validated(void **state) {
	(void)state;
	snw_scene *stiff = with_frames(6);
	snw_mesh *mesh = SNW_NEW(stiff->arena, snw_mesh);
	*mesh = stiff->meshes[0];
	const uint32_t influences = mesh->influence_offsets[mesh->point_count];
	uint32_t *slots = SNW_NEW_ARRAY(stiff->arena, uint32_t, influences);
	for (uint32_t k = 0; k < influences; k++) {
		slots[k] = mesh->influence_slots[0];
		while (strcmp(stiff->skeleton.names[stiff->slot_joints[slots[k]]], "wrist") != 0) {
			slots[k] = (slots[k] + 1) % stiff->slot_count;
		}
	}
	mesh->influence_slots = slots;
	stiff->meshes = mesh;
	snw_target *target = SNW_NEW(stiff->arena, snw_target);
	*target = stiff->targets[0];
	const size_t numbers = (size_t)3 * mesh->point_count;
	float *points = SNW_NEW_ARRAY(stiff->arena, float, target->frame_count *numbers);
	for (size_t i = 0; i < target->frame_count * numbers; i++) {
		points[i] = (float)(mesh->points_rest[i % numbers] + 0.05);
	}
	target->points_posed = points;
	double *seconds = SNW_NEW_ARRAY(stiff->arena, double, target->frame_count);
	for (uint32_t f = 0; f < target->frame_count; f++) {
		seconds[f] = 1e-6 * f;
	}
	target->seconds = seconds;
	stiff->targets = target;
	snw_scene *fitted = must_fit(stiff, method, "");
	assert_int_equal(displacement_count(fitted), 0);
	assert_true(fitting_logged("does not predict samples that were held out"));
	snw_scene_destroy(fitted);
	snw_scene_destroy(stiff);
}

/* The arm, and a copy without a skin that has the same targets. */
static snw_scene *with_bare_mesh(void) {
	snw_scene *scene = snw_scene_copy(arm);
	snw_mesh *meshes = SNW_NEW_ARRAY(scene->arena, snw_mesh, 2);
	snw_target *targets = SNW_NEW_ARRAY(scene->arena, snw_target, 2);
	meshes[0] = meshes[1] = arm->meshes[0];
	targets[0] = targets[1] = arm->targets[0];
	targets[1].mesh = 1;
	meshes[1].name = targets[1].name = "bare";
	meshes[1].influence_offsets = meshes[1].influence_slots = NULL;
	meshes[1].influence_weights = NULL;
	scene->meshes = meshes;
	scene->targets = targets;
	scene->mesh_count = scene->target_count = 2;
	scene->field_count = 0;
	return scene;
}

static void meshes_without_weights_are_skipped(void **state) {
	(void)state;
	snw_scene *both = with_bare_mesh(), *fitted = must_fit(both, method, "");
	assert_true(fitting_logged("'bare' has no skin weights"));
	assert_true(fitting_logged("mesh 'arm': "));
	assert_false(fitting_logged("mesh 'bare': "));
	snw_scene_destroy(fitted);
	both->targets++;
	both->target_count = 1;
	snw_error error;
	assert_null(fitting_try(both, registry, method, 0, NULL, &error));
	assert_non_null(strstr(error.text, "no mesh with skin weights"));
	snw_scene_destroy(both);
}

static void threads_do_not_change_a_bit(void **state) {
	(void)state;
	check_threads(arm, method, "");
}

static void without_samples_the_line_names_what_adds_them(void **state) {
	(void)state;
	must_name_the_command_for_samples(arm, method);
}

static void cancelled_fit_leaves_nothing(void **state) {
	(void)state;
	static const char *const activities[] = {"inverting samples", "summing up the samples", "choosing the ridge",
											 "fitting the regression", "reducing the regression"};
	for (size_t i = 0; i < sizeof activities / sizeof *activities; i++) {
		must_stop_at(arm, method, "", activities[i]);
	}
}

TEST_GROUP(pose_regression) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_predicted),
		cmocka_unit_test(error_falls_with_the_budget_to_that_of_the_whole),
		cmocka_unit_test(vectors_are_features_too),
		cmocka_unit_test(black_boxes_below_are_corrected_as_well),
		cmocka_unit_test(sculpts_on_top_are_exact),
		cmocka_unit_test(refit_keeps_what_the_fit_has_chosen),
		cmocka_unit_test(joints_that_never_rotate_drive_nothing),
		cmocka_unit_test(threads_do_not_change_a_bit),
		cmocka_unit_test(without_samples_the_line_names_what_adds_them),
		cmocka_unit_test(cancelled_fit_leaves_nothing),
		cmocka_unit_test(where_no_joint_bends_nothing_is_validated),
		cmocka_unit_test(meshes_without_weights_are_skipped),
	};
	return cmocka_run_group_tests(tests, open_arm_without_sculpts, close_arm);
}
