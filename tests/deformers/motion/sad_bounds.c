/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SAD: what a few poses get without settings, a bound on the largest distance, and smooth weights.
 */
#include "sad_scenes.h"

static distances fit_distances(const snw_scene *scene, const char *settings) {
	snw_scene *fitted = fit_sad(scene, settings);
	const distances found = distances_to(&fitted->targets[0], fitted, NULL);
	snw_scene_destroy(fitted);
	return found;
}

/* ---- a few poses --------------------------------------------------------------------------------------------------------- */

static void few_poses_are_refined_without_settings(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, quarters);
	const double usual = fit_distance(scene, "joints=4"), plain = fit_distance(scene, "joints=4 blend=linear");
	print_message("four rigid parts in %d frames: %.3g m without settings, %.3g unrefined\n", FRAMES, usual, plain);
	assert_true(usual < 0.01 * plain);
	assert_true(usual < 0.01 * fit_distance(scene, "joints=4 blend=dual-quaternion"));
	snw_scene_destroy(scene);
}

static void few_poses_are_refined_as_often_as_is_set(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, quarters);
	assert_true(fit_distance(scene, "joints=4 refine=0") == fit_distance(scene, "joints=4 blend=linear refine=0"));
	assert_true(fit_distance(scene, "joints=4 refine=3") == fit_distance(scene, "joints=4 blend=linear refine=3"));
	assert_true(fit_distance(scene, "joints=4 refine=as-needed") == fit_distance(scene, "joints=4"));
	snw_scene_destroy(scene);
}

static void many_frames_are_not_refined_without_settings(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, 25, put_grid, wave);
	assert_true(fit_distance(scene, "joints=8") == fit_distance(scene, "joints=8 blend=dual-quaternion"));
	snw_scene_destroy(scene);
}

static void weights_of_a_rig_are_kept_without_settings(void **state) {
	(void)state;
	snw_scene *scene = rigged(blend_rigid);
	assert_true(fit_distance(scene, "joints=auto") == fit_distance(scene, "joints=auto blend=dual-quaternion"));
	snw_scene_destroy(scene);
}

static void bound_starts_from_the_weights_of_a_rig(void **state) {
	(void)state;
	snw_scene *scene = rigged(wave);
	const double bounded = fit_distance(scene, "joints=auto largest=1");
	assert_true(bounded == fit_distance(scene, "joints=auto largest=1 start=p-centre"));
	assert_true(bounded != fit_distance(scene, "joints=auto largest=1 start=clusters"));
	snw_scene_destroy(scene);
}

/* ---- the largest distance ------------------------------------------------------------------------------------------------ */

static void bound_on_the_largest_distance_holds(void **state) {
	(void)state;
	static const char *const kinds[] = {"rigid", "affine"};
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave);
	const double diagonal = snw_scene_diagonal(scene, 0);
	for (int k = 0; k < 2; k++) {
		char settings[100];
		snprintf(settings, sizeof settings, "joints=8 blend=linear refine=40 transforms=%s", kinds[k]);
		const distances plain = fit_distances(scene, settings);
		const double bound = 0.75 * plain.most / diagonal;
		snprintf(settings, sizeof settings, "joints=8 refine=40 transforms=%s largest=%.9g", kinds[k], 100 * bound);
		const distances bounded = fit_distances(scene, settings);
		print_message("%s: largest %.4f of the diagonal, %.4f with a bound of %.4f; mean %.4g and %.4g m\n", kinds[k],
					  plain.most / diagonal, bounded.most / diagonal, bound, plain.rms, bounded.rms);
		assert_true(bounded.most / diagonal <= bound * 1.0001);
		assert_true(bounded.rms < 1.25 * plain.rms);
		assert_false(fitting_logged("more than"));
	}
	snw_scene_destroy(scene);
}

static void bound_that_cannot_hold_is_approached_with_a_warning(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave);
	const distances plain = fit_distances(scene, "joints=4 blend=linear refine=40");
	const distances bounded = fit_distances(scene, "joints=4 refine=40 largest=0.001");
	assert_true(fitting_logged("more than the 0.001 % asked for"));
	assert_true(bounded.most < 0.85 * plain.most);
	snw_scene_destroy(scene);
}

static void bound_under_dual_quaternions_is_refused(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave);
	snw_setting settings[8];
	snw_error error;
	const uint32_t count = settings_of("sad", "joints=4 blend=dual-quaternion largest=1", settings);
	assert_null(fitting_try(scene, registry, "sad", count, settings, &error));
	assert_non_null(strstr(error.text, "needs linear blend"));
	snw_scene_destroy(scene);
}

/* ---- smooth weights ------------------------------------------------------------------------------------------------------ */

static double weight_of(const snw_program *program, uint32_t point, uint32_t slot) {
	for (uint32_t k = program->influence_offsets[point]; k < program->influence_offsets[point + 1]; k++) {
		if (program->influence_slots[k] == slot) {
			return program->influence_weights[k];
		}
	}
	return 0;
}

/* The mean over the edges of the grid's rows of the squared difference of weights. */
static double roughness(const snw_scene *fitted) {
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	const snw_program *program = snw_stack_segment(stack.stack, 0, snw_stack_segment_count(stack.stack, 0) - 1).program;
	double sum = 0;
	for (uint32_t i = 0; i + 1 < POINTS; i++) {
		for (uint32_t slot = 0; slot < program->slot_count && i % SIDE + 1 < SIDE; slot++) {
			const double gap = weight_of(program, i, slot) - weight_of(program, i + 1, slot);
			sum += gap * gap;
		}
	}
	fitting_stack_drop(&stack);
	return sum / (SIDE * (SIDE - 1));
}

/* A wave with noise of its own at each point and frame, which weights should not follow. */
static void noisy_wave(uint32_t i, const double *rest, uint32_t f, double *posed) {
	wave(i, rest, f, posed);
	for (uint32_t c = 0; c < 3; c++) {
		posed[c] += 0.04 * sin(12.9898 * (3 * i + c) + 78.233 * f);
	}
}

static void smoothness_makes_weights_of_neighbours_alike(void **state) {
	(void)state;
	static const char *const blends[] = {"linear", "dual-quaternion"};
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, noisy_wave);
	add_faces(scene);
	for (int b = 0; b < 2; b++) {
		double rough[2], distance[2];
		for (int smooth = 0; smooth < 2; smooth++) {
			char settings[100];
			snprintf(settings, sizeof settings, "joints=8 refine=20 blend=%s smoothness=%s", blends[b], smooth ? "1e-3" : "0");
			snw_scene *fitted = fit_sad(scene, settings);
			rough[smooth] = roughness(fitted);
			distance[smooth] = distance_of(fitted);
			snw_scene_destroy(fitted);
		}
		print_message("%s: roughness %.4g and %.4g, distance %.4g and %.4g m\n", blends[b], rough[0], rough[1], distance[0],
					  distance[1]);
		assert_true(rough[1] < 0.7 * rough[0]);
		assert_true(distance[1] < 1.5 * distance[0]);
	}
	snw_scene_destroy(scene);
}

static void smoothness_without_refinement_is_said_to_have_no_effect(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave);
	snw_scene_destroy(fit_sad(scene, "joints=4 blend=linear smoothness=1e-4"));
	assert_true(fitting_logged("no effect without refine"));
	snw_scene_destroy(scene);
}

static void threads_do_not_change_a_bit(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave);
	add_faces(scene);
	check_threads(scene, "sad", "joints=6 refine=6 largest=0.5 smoothness=1e-5");
	snw_scene_destroy(scene);
}

TEST_GROUP(sad_bounds) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_poses_are_refined_without_settings),
		cmocka_unit_test(few_poses_are_refined_as_often_as_is_set),
		cmocka_unit_test(many_frames_are_not_refined_without_settings),
		cmocka_unit_test(weights_of_a_rig_are_kept_without_settings),
		cmocka_unit_test(bound_starts_from_the_weights_of_a_rig),
		cmocka_unit_test(bound_on_the_largest_distance_holds),
		cmocka_unit_test(bound_that_cannot_hold_is_approached_with_a_warning),
		cmocka_unit_test(bound_under_dual_quaternions_is_refused),
		cmocka_unit_test(smoothness_makes_weights_of_neighbours_alike),
		cmocka_unit_test(smoothness_without_refinement_is_said_to_have_no_effect),
		cmocka_unit_test(threads_do_not_change_a_bit),
	};
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
