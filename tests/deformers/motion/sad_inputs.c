/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SAD: degenerate inputs (one frame, a still mesh, separate shells, points on a line, repeated frames) give a working fit,
 * and refining respects the settings.
 */
#include "sad_scenes.h"

/* ---- degenerate inputs --------------------------------------------------------------------------------------------------- */

static void put_line(uint32_t i, double *rest) {
	rest[0] = 0.1 * i;
	rest[1] = rest[2] = 0;
}

static void put_shells(uint32_t i, double *rest) {
	put_grid(i, rest);
	rest[0] += i % 2 ? 1000 : 0;
}

static void poor_inputs_end_in_a_working_fit(void **state) {
	(void)state;
	static const char *const settings[] = {"joints=5 blend=dual-quaternion",
										   "joints=5 blend=linear",
										   "joints=5 transforms=affine blend=linear",
										   "joints=5 blend=linear refine=6",
										   "joints=3 refine=2 blend=dual-quaternion",
										   "joints=5 eigen=2 blend=dual-quaternion",
										   "joints=5 transforms=affine refine=6 blend=linear"};
	snw_scene *scenes[] = {
		animate(POINTS, 1, put_grid, wave),    animate(POINTS, FRAMES, put_grid, stand_still),
		animate(30, FRAMES, put_line, tumble), animate(POINTS, FRAMES, put_shells, stand_still),
		animate(6, FRAMES, put_grid, wave),
	};
	static const double within[] = {0.2, 1e-6, 1e-5, 1e-3, 0.2};
	for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++) {
		for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
			const double distance = fit_distance(scenes[s], settings[k]);
			if (!(distance < within[s])) {
				fail_msg("scene %zu, %s: %g", s, settings[k], distance);
			}
		}
		snw_scene_destroy(scenes[s]);
	}
}

/* One shell tumbles, the other, a kilometre away, does not move. */
static void tumble_one_shell(uint32_t i, const double *rest, uint32_t f, double *posed) {
	if (i % 2) {
		stand_still(i, rest, f, posed);
	} else {
		tumble(i, rest, f, posed);
	}
}

static void shells_far_apart_move_each_by_itself(void **state) {
	(void)state;
	static const char *const settings[] = {"joints=2 blend=dual-quaternion",
										   "joints=8 blend=dual-quaternion",
										   "joints=8 blend=linear",
										   "joints=8 transforms=affine blend=linear",
										   "joints=2 blend=linear refine=auto",
										   "joints=2 refine=5 blend=dual-quaternion"};
	snw_scene *scene = animate(POINTS, FRAMES, put_shells, tumble_one_shell);
	for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
		const double distance = fit_distance(scene, settings[k]);
		if (!(distance < 1e-3)) {
			fail_msg("%s: %g", settings[k], distance);
		}
	}
	snw_scene_destroy(scene);
}

/* Each frame three times. */
static void wave_in_steps(uint32_t i, const double *rest, uint32_t f, double *posed) {
	wave(i, rest, f / 3, posed);
}

static void repeated_frames_are_fitted_alike(void **state) {
	(void)state;
	static const char *const settings[] = {"joints=8 blend=linear", "joints=8 transforms=affine blend=linear",
										   "joints=8 blend=dual-quaternion", "joints=6 blend=linear refine=8",
										   "joints=8 eigen=3 blend=dual-quaternion"};
	snw_scene *once = animate(POINTS, FRAMES / 3, put_grid, wave), *thrice = animate(POINTS, FRAMES, put_grid, wave_in_steps);
	for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
		const double single = fit_distance(once, settings[k]), repeated = fit_distance(thrice, settings[k]);
		if (!(fabs(repeated - single) < 0.25 * single)) {
			fail_msg("%s: %g once, %g repeated", settings[k], single, repeated);
		}
	}
	snw_scene_destroy(once);
	snw_scene_destroy(thrice);
}

static void refining_starts_where_the_setting_says(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave);
	const double clusters = fit_distance(scene, "joints=8 blend=linear refine=4 start=clusters"),
				 p_centre = fit_distance(scene, "joints=8 blend=linear refine=4 start=p-centre"),
				 best = fit_distance(scene, "joints=8 blend=linear refine=4"),
				 plain = fit_distance(scene, "joints=8 blend=linear");
	print_message("from clusters %.4g, from the p-centre %.4g, from the better one %.4g, not refined %.4g\n", clusters,
				  p_centre, best, plain);
	assert_true(clusters != p_centre);
	assert_true(best < 1.1 * fmin(clusters, p_centre));
	assert_true(clusters < plain && p_centre < plain);
	snw_scene_destroy(scene);
}

static void joints_without_extent_are_reported(void **state) {
	(void)state;
	snw_scene *line = animate(30, FRAMES, put_line, tumble), *grid = animate(POINTS, FRAMES, put_grid, tumble);
	snw_scene_destroy(fit_sad(line, "joints=3 blend=dual-quaternion"));
	assert_true(fitting_logged("on a line or in a plane"));
	snw_scene_destroy(fit_sad(grid, "joints=1 blend=dual-quaternion"));
	assert_false(fitting_logged("on a line or in a plane"));
	snw_scene_destroy(line);
	snw_scene_destroy(grid);
}

static void refining_returns_the_requested_joints(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave), *fitted = fit_sad(scene, "joints=13 blend=linear refine=12");
	fitting_stack stack = fitting_stack_of(fitted, registry, "sad");
	const snw_program *program = snw_stack_segment(stack.stack, 0, 0).program;
	assert_int_equal(program->slot_count, 13);
	for (uint32_t i = 0; i < POINTS; i++) {
		assert_in_range(program->influence_offsets[i + 1] - program->influence_offsets[i], 1, 4);
	}
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
	snw_scene_destroy(scene);
}

static void coordinates_that_are_not_finite_are_refused_by_name(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave);
	((float *)(uintptr_t)scene->targets[0].points_posed)[3 * POINTS * 4 + 8] = NAN;
	snw_error error;
	assert_null(fitting_try(scene, registry, "sad", 0, NULL, &error));
	assert_non_null(strstr(error.text, "finite"));
	snw_scene_destroy(scene);
}

TEST_GROUP(sad_inputs) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(poor_inputs_end_in_a_working_fit),
		cmocka_unit_test(shells_far_apart_move_each_by_itself),
		cmocka_unit_test(repeated_frames_are_fitted_alike),
		cmocka_unit_test(refining_starts_where_the_setting_says),
		cmocka_unit_test(refining_returns_the_requested_joints),
		cmocka_unit_test(coordinates_that_are_not_finite_are_refused_by_name),
		cmocka_unit_test(joints_without_extent_are_reported),
	};
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
