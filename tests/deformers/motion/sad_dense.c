/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SAD with influences=all: a blend of all joints at every point, by weights of either sign.
 */
#include "sad_scenes.h"

static void blends_with_a_known_answer_are_found_again(void **state) {
	(void)state;
	motion *const motions[] = {blend_affine, quarters};
	static const char *const settings[] = {"joints=3 influences=all", "joints=4 influences=all"};
	for (int k = 0; k < 2; k++) {
		snw_scene *scene = animate(POINTS, FRAMES, put_grid, motions[k]);
		assert_true(fit_distance(scene, settings[k]) < 1e-5);
		snw_scene_destroy(scene);
	}
}

static void weights_of_either_sign_leave_less_than_few_positive_ones(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave);
	const double all = fit_distance(scene, "joints=6 influences=all");
	const double few = fit_distance(scene, "joints=6 influences=4 transforms=affine refine=auto");
	print_message("%.3g m, %.3g m with four influences\n", all, few);
	assert_true(all < 0.2 * few);
	snw_scene_destroy(scene);
}

/* A joint is the motion of a point, so its weight there is 1. */
static void every_joint_moves_every_point_by_weights_that_sum_to_one(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave);
	snw_scene *fitted = fit_sad(scene, "joints=6 influences=all");
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	const snw_program *program = snw_stack_segment(stack.stack, 0, snw_stack_segment_count(stack.stack, 0) - 1).program;
	uint32_t corners = 0, negative = 0;
	assert_int_equal(program->slot_count, 6);
	for (uint32_t i = 0; i < POINTS; i++) {
		double sum = 0, most = 0;
		assert_int_equal(program->influence_offsets[i + 1] - program->influence_offsets[i], 6);
		for (uint32_t k = program->influence_offsets[i]; k < program->influence_offsets[i + 1]; k++) {
			sum += program->influence_weights[k];
			most = fmax(most, program->influence_weights[k]);
			negative += program->influence_weights[k] < 0;
			assert_true(fabs(program->influence_weights[k]) < 10);
		}
		assert_true(fabs(sum - 1) < 1e-9);
		corners += fabs(most - 1) < 1e-9;
	}
	assert_true(corners >= 6);
	assert_true(negative > 0);
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
	snw_scene_destroy(scene);
}

static void more_iterations_and_more_joints_leave_less(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave);
	const double once = fit_distance(scene, "joints=4 influences=all refine=1");
	const double often = fit_distance(scene, "joints=4 influences=all refine=40");
	const double more = fit_distance(scene, "joints=6 influences=all refine=40");
	print_message("%.3g m after one iteration, %.3g after 40, %.3g with two more joints\n", once, often, more);
	assert_true(often < 0.95 * once);
	assert_true(more < 0.5 * often);
	snw_scene_destroy(scene);
}

/* Then frames determine the weights hardly, or not at all. */
static void more_joints_than_frames_determine_end_in_a_working_fit(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, 2, put_grid, wave), *still = animate(POINTS, FRAMES, put_grid, stand_still);
	assert_true(fit_distance(scene, "joints=12 influences=all") < 1e-5);
	assert_true(fit_distance(still, "joints=5 influences=all") < 1e-5);
	snw_scene_destroy(still);
	snw_scene_destroy(scene);
}

static void displacements_add_what_the_joints_leave(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave);
	assert_true(fit_distance(scene, "joints=4 influences=all refine=10 eigen=3") <
				0.9 * fit_distance(scene, "joints=4 influences=all refine=10"));
	snw_scene_destroy(scene);
}

static void fit_that_is_stopped_keeps_the_best_so_far(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave);
	char activity[] = "fitting dense weights";
	snw_fit_outcome outcome;
	assert_int_equal(fit_watched(scene, "sad", "joints=4 influences=all", stops_at, activity, &outcome), SNW_NOT_CONVERGED);
	assert_non_null(outcome.model.bytes);
	snw_arena_destroy(outcome.arena);
	snw_scene_destroy(scene);
}

static void settings_that_it_cannot_have_are_refused(void **state) {
	(void)state;
	static const char *const refused[][2] = {
		{"joints=4 influences=all blend=dual-quaternion", "leave out blend=dual-quaternion"},
		{"joints=4 influences=all largest=1", "largest"},
		{"joints=4 influences=all smoothness=1e-4", "smoothness"},
		{"joints=4 influences=all refine=0", "refine=0"},
		{"joints=201 influences=all", "at most 200 joints"}};
	snw_scene *scene = animate(2 * POINTS, FRAMES, put_grid, wave);
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		snw_setting settings[8];
		snw_error error;
		const uint32_t count = settings_of("sad", refused[i][0], settings);
		assert_null(fitting_try(scene, registry, "sad", count, settings, &error));
		if (!strstr(error.text, refused[i][1])) {
			fail_msg("'%s' does not say '%s'", error.text, refused[i][1]);
		}
	}
	snw_scene_destroy(scene);
}

static void threads_do_not_change_a_bit(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave);
	add_faces(scene);
	check_threads(scene, "sad", "joints=6 influences=all refine=15");
	snw_scene_destroy(scene);
}

TEST_GROUP(sad_dense) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blends_with_a_known_answer_are_found_again),
		cmocka_unit_test(weights_of_either_sign_leave_less_than_few_positive_ones),
		cmocka_unit_test(every_joint_moves_every_point_by_weights_that_sum_to_one),
		cmocka_unit_test(more_iterations_and_more_joints_leave_less),
		cmocka_unit_test(more_joints_than_frames_determine_end_in_a_working_fit),
		cmocka_unit_test(displacements_add_what_the_joints_leave),
		cmocka_unit_test(fit_that_is_stopped_keeps_the_best_so_far),
		cmocka_unit_test(settings_that_it_cannot_have_are_refused),
		cmocka_unit_test(threads_do_not_change_a_bit),
	};
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
