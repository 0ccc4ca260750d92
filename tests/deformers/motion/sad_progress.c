/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SAD: with any settings, a fit's progress never decreases, and a fit ends soon after it is stopped: with the best so far if
 * it was refining or searching its number of joints, otherwise with nothing changed.
 */
#include "sad_scenes.h"

/* ---- every setting, every moment ----------------------------------------------------------------------------------------- */

enum { SMALL_POINTS = 3 * SIDE, SMALL_FRAMES = 9 };
static uint32_t settings_step = 5; /* every choice is among every fifth of the settings; "long" takes them all */

typedef struct watch {
	double last;
	uint32_t calls, stop_at; /* SNW_NONE: never */
	char fault[200];
} watch;

static bool look(void *context, double fraction, const char *activity) {
	watch *w = context;
	if (!(fraction >= w->last) || !(fraction <= 1)) {
		snprintf(w->fault, sizeof w->fault, "%g follows %g at '%s'", fraction, w->last, activity);
	}
	w->last = fraction;
	return w->calls++ < w->stop_at;
}

/* The settings by number; false after the last one. */
static bool write_settings(uint32_t number, char text[200]) {
	static const char *const kinds[] = {"blend=dual-quaternion", "blend=linear", "blend=linear transforms=affine"};
	static const char *const refinements[] = {"", "refine=12 start=auto", "refine=9 start=clusters", "refine=3 start=p-centre"};
	static const char *const joints[] = {"joints=5", "joints=auto error=12"};
	static const char *const details[] = {"normals=off", "eigen=2 normals=off", "eigen=2 normals=on"};
	snprintf(text, 200, "%s %s %s %s", joints[number / 12 % 2], kinds[number % 3], refinements[number / 3 % 4],
			 details[number / 24 % 3]);
	return number < 72;
}

/* A kept fit is usable: its distance from the frames is smaller than the rest's. */
static void check_kept(const snw_scene *scene, const snw_fit_outcome *outcome, double at_rest, const char *text) {
	snw_scene *fitted = NULL;
	snw_error error = {0};
	check_ok(snw_fit_apply(scene, outcome, &fitted, &error), error);
	for (uint32_t t = 0; t < fitted->target_count; t++) {
		const double distance = distances_to(&fitted->targets[t], fitted, NULL).rms;
		if (!(distance < at_rest)) {
			fail_msg("%s: what was kept of mesh %u is %g off, the rest %g", text, t, distance, at_rest);
		}
	}
	snw_scene_destroy(fitted);
}

/* Stops at call number `stop_at`. Returns whether the fit made that many calls. */
static bool check_stopped(const snw_scene *scene, const char *text, uint32_t stop_at, double at_rest) {
	watch w = {.stop_at = stop_at};
	snw_fit_outcome outcome;
	const snw_status status = fit_watched(scene, "sad", text, look, &w, &outcome);
	if (w.fault[0]) {
		fail_msg("%s, stopped at %u: %s", text, stop_at, w.fault);
	}
	const bool thorough = strstr(text, "refine") || strstr(text, "auto");
	if (status == SNW_CANCELLED) {
		assert_null(outcome.model.bytes);
	} else {
		assert_true(status == SNW_OK || (status == SNW_NOT_CONVERGED && thorough && w.calls > stop_at));
		check_kept(scene, &outcome, at_rest, text);
	}
	if (status == SNW_OK && w.last < 1) {
		fail_msg("%s: ends at %g", text, w.last);
	}
	snw_arena_destroy(outcome.arena);
	return w.calls > stop_at;
}

static void check_every_moment(snw_scene *scene, uint32_t step) {
	double squares = 0;
	char text[200];
	for (size_t i = 0; i < (size_t)3 * SMALL_POINTS * SMALL_FRAMES; i++) {
		const double gap =
			(double)scene->targets[0].points_posed[i] - scene->meshes[0].points_rest[i % ((size_t)3 * SMALL_POINTS)];
		squares += gap * gap;
	}
	const double at_rest = sqrt(squares / SMALL_POINTS / SMALL_FRAMES);
	uint32_t fits = 0;
	for (uint32_t number = 0; write_settings(number, text); number += step) {
		uint32_t stop_at = 0;
		/* A search or a refinement calls often: there every fifth call is enough. */
		while (check_stopped(scene, text, stop_at, at_rest)) {
			stop_at += stop_at > 12 ? 5 : 1;
			fits++;
		}
		check_stopped(scene, text, SNW_NONE, at_rest);
	}
	print_message("%u fits were stopped\n", fits);
}

static void progress_never_falls_and_every_stop_is_clean(void **state) {
	(void)state;
	snw_scene *scene = animate(SMALL_POINTS, SMALL_FRAMES, put_grid, wave);
	add_faces(scene);
	check_every_moment(scene, settings_step);
	snw_scene_destroy(scene);
}

static void progress_of_several_meshes_never_falls_and_every_stop_is_clean(void **state) {
	(void)state;
	snw_scene *scene = animate(SMALL_POINTS, SMALL_FRAMES, put_grid, wave);
	add_faces(scene);
	double_mesh(scene);
	check_every_moment(scene, 11);
	snw_scene_destroy(scene);
}

/* ---- results that are kept ----------------------------------------------------------------------------------------------- */

typedef struct stop_there {
	const char *activity;
	int passes; /* times that it may pass there */
} stop_there;

static bool go_until(void *context, double fraction, const char *activity) {
	stop_there *stop = context;
	(void)fraction;
	return strcmp(activity, stop->activity) != 0 || stop->passes-- > 0;
}

static void refinement_that_is_stopped_keeps_the_best_so_far(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave);
	for (int looks = 0; looks < 4; looks++) {
		stop_there stop = {"refining", looks};
		snw_fit_outcome outcome;
		assert_int_equal(fit_watched(scene, "sad", "joints=8 refine=auto blend=dual-quaternion", go_until, &stop, &outcome),
						 SNW_NOT_CONVERGED);
		assert_non_null(outcome.model.bytes);
		snw_arena_destroy(outcome.arena);
	}
	snw_scene_destroy(scene);
}

static void refined_result_survives_a_stop_at_its_details(void **state) {
	(void)state;
	static const char *const whats[] = {"fitting eigen-displacements", "fitting normals",
										"fitting eigen-displacements of normals"};
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave);
	add_faces(scene);
	const double refined = fit_distance(scene, "joints=8 blend=linear refine=6");
	for (size_t i = 0; i < sizeof whats / sizeof *whats; i++) {
		stop_there stop = {whats[i], 0};
		snw_fit_outcome outcome;
		snw_scene *fitted = NULL;
		snw_error error = {0};
		assert_int_equal(
			fit_watched(scene, "sad", "joints=8 blend=linear refine=6 eigen=2 normals=on", go_until, &stop, &outcome),
			SNW_NOT_CONVERGED);
		check_ok(snw_fit_apply(scene, &outcome, &fitted, &error), error);
		assert_true(distance_of(fitted) < 1.0001 * refined);
		snw_scene_destroy(fitted);
		snw_arena_destroy(outcome.arena);
	}
	snw_scene_destroy(scene);
}

static void fit_by_the_papers_way_that_is_cancelled_leaves_nothing(void **state) {
	(void)state;
	static const char *const whats[] = {"fitting transforms", "refining transforms", "fitting eigen-displacements",
										"fitting normals"};
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave);
	add_faces(scene);
	for (size_t i = 0; i < sizeof whats / sizeof *whats; i++) {
		stop_there stop = {whats[i], 0};
		snw_fit_outcome outcome;
		assert_int_equal(
			fit_watched(scene, "sad", "joints=8 eigen=2 normals=on blend=dual-quaternion", go_until, &stop, &outcome),
			SNW_CANCELLED);
		assert_null(outcome.model.bytes);
		snw_arena_destroy(outcome.arena);
	}
	snw_scene_destroy(scene);
}

/* The number of joints of the kept result, after this many numbers of joints were begun; 0 for none. */
static uint32_t joints_kept(const snw_scene *scene, const char *settings, int begun, char caveat[300]) {
	stop_there stop = {"fitting transforms", begun};
	snw_fit_outcome outcome;
	snw_scene *fitted = NULL;
	snw_error error = {0};
	uint32_t count = 0;
	const snw_status status = fit_watched(scene, "sad", settings, go_until, &stop, &outcome);
	if (status != SNW_CANCELLED) {
		check_ok(snw_fit_apply(scene, &outcome, &fitted, &error), error);
		fitting_stack stack = fitting_stack_of(fitted, registry, "sad");
		count = snw_stack_segment(stack.stack, 0, 0).program->slot_count;
		fitting_stack_drop(&stack);
		snprintf(caveat, 300, "%s", status == SNW_OK ? "" : outcome.caveat);
		snw_scene_destroy(fitted);
	}
	snw_arena_destroy(outcome.arena);
	return count;
}

static void search_for_a_number_of_joints_that_is_stopped_keeps_the_best_so_far(void **state) {
	(void)state;
	static const char settings[] = "joints=auto error=10 transforms=affine blend=linear";
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave), *whole = fit_sad(scene, settings);
	fitting_stack stack = fitting_stack_of(whole, registry, "sad");
	const uint32_t smallest = snw_stack_segment(stack.stack, 0, 0).program->slot_count;
	char caveat[300];
	uint32_t doubled = 1;
	assert_int_equal(joints_kept(scene, settings, 0, caveat), 0);
	int begun = 1;
	for (; doubled < smallest; doubled *= 2, begun++) {
		assert_int_equal(joints_kept(scene, settings, begun, caveat), doubled);
		assert_non_null(strstr(caveat, "more than the 10 % asked for"));
	}
	/* The error is met: from here on the numbers decrease. */
	uint32_t last = doubled;
	for (; last > smallest; begun++) {
		const uint32_t joints_of_model = joints_kept(scene, settings, begun, caveat);
		assert_in_range(joints_of_model, smallest, last);
		assert_true(!caveat[0] || strstr(caveat, "within the 10 % asked for"));
		last = joints_of_model;
	}
	fitting_stack_drop(&stack);
	snw_scene_destroy(whole);
	snw_scene_destroy(scene);
}

/* Stopping the first mesh's refinement must not leave the other at rest. */
static void stopping_one_mesh_leaves_the_others_fitted(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave), *fitted = NULL;
	double_mesh(scene);
	stop_there stop = {"refining", 1};
	snw_fit_outcome outcome;
	snw_error error = {0};
	assert_int_equal(fit_watched(scene, "sad", "joints=8 refine=auto blend=dual-quaternion", go_until, &stop, &outcome),
					 SNW_NOT_CONVERGED);
	check_ok(snw_fit_apply(scene, &outcome, &fitted, &error), error);
	fitting_stack stack = fitting_stack_of(fitted, registry, "sad");
	assert_non_null(snw_stack_segment(stack.stack, 1, 0).program);
	fitting_stack_drop(&stack);
	snw_arena_destroy(outcome.arena);
	snw_scene_destroy(fitted);
	snw_scene_destroy(scene);
}

TEST_GROUP(sad_progress) {
	settings_step = argc > 1 && strcmp(argv[1], "long") == 0 ? 1 : settings_step;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(progress_never_falls_and_every_stop_is_clean),
		cmocka_unit_test(progress_of_several_meshes_never_falls_and_every_stop_is_clean),
		cmocka_unit_test(refinement_that_is_stopped_keeps_the_best_so_far),
		cmocka_unit_test(refined_result_survives_a_stop_at_its_details),
		cmocka_unit_test(fit_by_the_papers_way_that_is_cancelled_leaves_nothing),
		cmocka_unit_test(search_for_a_number_of_joints_that_is_stopped_keeps_the_best_so_far),
		cmocka_unit_test(stopping_one_mesh_leaves_the_others_fitted),
	};
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
