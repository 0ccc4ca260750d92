/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * eigenskin: offsets that each joint's rotation explains are recovered, within a budget of displacements; the rest stays exact;
 * little is learned from few samples, and nothing from none; sculpts on top are exact.
 */
#include "arms/shared_arm.h"
#include "coefficient_change.h"
#include "learned.h"

#include "scene/scene.h"

static const char method[] = "eigenskin";

static void samples_are_predicted_within_the_budget(void **state) {
	(void)state;
	static const char *const budgets[] = {"displacements=1", "displacements=4", "displacements=32"};
	double error = distance_to_targets(arm);
	const double before = error;
	for (int i = 0; i < 3; i++) {
		snw_scene *fitted = must_fit(arm, method, budgets[i]);
		const double after = distance_to_targets(fitted);
		print_message("%s: %.4g m of %.4g m, %u displacements\n", budgets[i], after, before, displacement_count(fitted));
		assert_true(i == 2 || displacement_count(fitted) == (i == 0 ? 1 : 4));
		assert_true(after < error);
		error = after;
		snw_scene_destroy(fitted);
	}
	assert_true(error < 0.25 * before);
}

/* The targets of the arm become what a fit made of them: with one joint in them, which the second clip rotates alone, another
 * fit finds the same again. */
static void what_it_can_represent_is_recovered(void **state) {
	(void)state;
	snw_scene *twisted = snw_scene_copy(arm);
	snw_target *target = SNW_NEW(twisted->arena, snw_target);
	*target = arm->targets[1];
	twisted->targets = target;
	twisted->target_count = 1;
	snw_scene *known = must_fit(twisted, method, "guard=off");
	const uint32_t count = known->meshes[0].point_count;
	double *points = malloc(3 * (size_t)count * sizeof *points);
	float *made = SNW_NEW_ARRAY(twisted->arena, float, 3 * (size_t)count * target->frame_count);
	fitting_stack stack = fitting_stack_of(known, registry, NULL);
	for (uint32_t f = 0; f < target->frame_count; f++) {
		const snw_pose *pose = snw_pose_sample(known, target->clip, target->seconds[f], known->arena);
		fitting_truth(&stack, snw_pose_view_make(known, pose, known->arena), 0, points);
		for (size_t i = 0; i < 3 * (size_t)count; i++) {
			made[3 * (size_t)count * f + i] = (float)points[i];
		}
	}
	fitting_stack_drop(&stack);
	free(points);
	target->points_posed = made;
	const double before = distance_to_targets(twisted);
	snw_scene *found = must_fit(twisted, method, "guard=off ridge=1e-8");
	const double after = distance_to_targets(found);
	print_message("%.3g m before, %.3g m after\n", before, after);
	assert_true(before > 1e-4 && after < 1e-3 * before);
	snw_scene_destroy(found);
	snw_scene_destroy(known);
	snw_scene_destroy(twisted);
}

/* In the second clip the wrist alone rotates. */
static void joints_that_never_rotate_drive_nothing(void **state) {
	(void)state;
	snw_scene *twisted = snw_scene_copy(arm);
	twisted->targets = &arm->targets[1];
	twisted->target_count = 1;
	static const double about_all[3] = {0.5, 0.5, 0.5}, about_none[3] = {0, 0, 0};
	snw_scene *fitted = must_fit(twisted, method, "");
	assert_true(largest_coefficient_change(fitted, "wrist", about_all) > 0.01);
	assert_true(largest_coefficient_change(fitted, "wrist", about_none) == 0);
	assert_true(largest_coefficient_change(fitted, "elbow", about_all) == 0);
	snw_scene_destroy(fitted);
	snw_scene_destroy(twisted);
}

static void samples_at_rest_teach_nothing_and_a_line_says_so(void **state) {
	(void)state;
	snw_scene *still = snw_scene_copy(arm);
	snw_target *target = SNW_NEW(still->arena, snw_target);
	static const double start = 0;
	*target = arm->targets[0];
	target->frame_count = 1;
	target->seconds = &start;
	still->targets = target;
	still->target_count = 1;
	snw_scene *fitted = must_fit(still, method, "");
	assert_true(fitting_logged("1 sample, 0 displacements"));
	assert_true(fitting_logged("no joint that bends it rotates in the samples"));
	assert_true(displacement_count(fitted) == 0);
	snw_scene_destroy(fitted);
	snw_scene_destroy(still);
}

/* Two sculpts are all that is known; the poses of the targets are others. */
static void two_sculpts_bring_unseen_poses_nearer(void **state) {
	(void)state;
	const double before = distance_to_targets(arm);
	snw_scene *sculpted = make_arm();
	sculpted->target_count = 0;
	snw_scene *fitted = must_fit(sculpted, method, "");
	fitted->targets = arm->targets;
	fitted->target_count = arm->target_count;
	const double after = distance_to_targets(fitted);
	print_message("two sculpts: %.3g m of %.3g m\n", after, before);
	assert_true(after < 0.6 * before);
	snw_scene_destroy(fitted);
	snw_scene_destroy(sculpted);
}

static void sculpts_on_top_are_exact(void **state) {
	(void)state;
	snw_scene *sculpted = make_arm();
	must_reproduce_sculpts_above(sculpted, method, "");
	snw_scene_destroy(sculpted);
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
	must_stop_at(arm, method, "", "inverting samples");
	must_stop_at(arm, method, "", "fitting the functions");
}

TEST_GROUP(eigenskin) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_predicted_within_the_budget),
		cmocka_unit_test(what_it_can_represent_is_recovered),
		cmocka_unit_test(joints_that_never_rotate_drive_nothing),
		cmocka_unit_test(samples_at_rest_teach_nothing_and_a_line_says_so),
		cmocka_unit_test(two_sculpts_bring_unseen_poses_nearer),
		cmocka_unit_test(sculpts_on_top_are_exact),
		cmocka_unit_test(threads_do_not_change_a_bit),
		cmocka_unit_test(without_samples_the_line_names_what_adds_them),
		cmocka_unit_test(cancelled_fit_leaves_nothing),
	};
	return cmocka_run_group_tests(tests, open_arm_without_sculpts, close_arm);
}
