/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plug-ins in processes of their own give what they give in this one.
 */
#include "check.h"

#include <signal.h>
#include <sys/wait.h>

#include "open_layer.h"
#include "stack/stack.h"

/* The place of one point far from point 3, whose coordinates are not finite. */
static void run_far_point(snw_isolation isolation, double posed[3]) {
	snw_scene *scene;
	snw_error error = {0};
	snw_registry *registry = open_layer("deforms-alone-to-nan", isolation, &scene);
	const uint32_t far = 600, near = 3; /* of 608 points */
	snw_stack *stack;
	check_ok(snw_stack_build(scene, registry, NULL, NULL, &stack, &error), error);
	assert_int_equal(snw_stack_rings(stack, 0), 0);
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	const snw_pose_view *pose = snw_pose_view_make(scene, snw_pose_rest(scene, scene->arena), scene->arena);
	check_ok(snw_stack_drive(stack, pose, evaluation, &error), error);
	const double *rest = scene->meshes[0].points_rest;
	double unused[3];
	check_ok(snw_stack_reference_at(stack, evaluation, 0, 1, &far, rest + (size_t)3 * far, posed, &error), error);
	assert_int_equal(snw_stack_reference_at(stack, evaluation, 0, 1, &near, rest + (size_t)3 * near, unused, &error),
					 SNW_ERROR_DATA);
	assert_non_null(strstr(error.text, "point 3 of mesh"));
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
	snw_scene_destroy(scene);
	snw_registry_close(registry);
}

static void points_that_are_not_asked_for_do_no_harm(void **state) {
	(void)state;
	double here[3], isolated[3];
	run_far_point(SNW_ISOLATE_NONE, here);
	run_far_point(SNW_ISOLATE_FOREIGN, isolated);
	assert_memory_equal(here, isolated, sizeof here);
}

/* A pass that is prepared may read the whole mesh, whatever the descriptor says. */
static uint32_t count_rings(const char *name, snw_isolation isolation) {
	snw_scene *scene;
	snw_stack *stack;
	snw_error error = {0};
	snw_registry *registry = open_layer(name, isolation, &scene);
	check_ok(snw_stack_build(scene, registry, NULL, NULL, &stack, &error), error);
	const uint32_t rings = snw_stack_rings(stack, 0);
	snw_stack_destroy(stack);
	snw_scene_destroy(scene);
	snw_registry_close(registry);
	return rings;
}

static void what_a_point_depends_on_is_the_same(void **state) {
	(void)state;
	assert_int_equal(count_rings("good", SNW_ISOLATE_NONE), SNW_NONE);
	assert_int_equal(count_rings("good", SNW_ISOLATE_FOREIGN), SNW_NONE);
	assert_int_equal(count_rings("deforms-alone-to-nan", SNW_ISOLATE_NONE), 0);
	assert_int_equal(count_rings("deforms-alone-to-nan", SNW_ISOLATE_FOREIGN), 0);
}

/* Of the first point, bent by that much. */
static void drive_bent(const snw_scene *scene, const snw_stack *stack, double angle, double place[3]) {
	snw_error error = {0};
	snw_arena *arena = snw_arena_create();
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	snw_pose *pose = snw_pose_rest(scene, arena);
	const uint32_t first = 0;
	pose->rotation_vectors[5] = angle;
	check_ok(snw_stack_drive(stack, snw_pose_view_make(scene, pose, arena), evaluation, &error), error);
	check_ok(snw_stack_reference_at(stack, evaluation, 0, 1, &first, scene->meshes[0].points_rest, place, &error), error);
	snw_evaluation_destroy(evaluation);
	snw_arena_destroy(arena);
}

/* A plug-in process that uses what is below it ends in the middle of a call: the next caller gets its own answer. */
static void answer_to_a_caller_that_has_ended_is_not_taken(void **state) {
	(void)state;
	snw_scene *scene;
	snw_stack *stack;
	snw_error error = {0};
	double bent[3], place[3];
	snw_registry *registry = open_layer("waits-in-drive", SNW_ISOLATE_FOREIGN, &scene);
	check_ok(snw_stack_build(scene, registry, NULL, NULL, &stack, &error), error);
	drive_bent(scene, stack, 2, bent);
	const pid_t caller = fork();
	if (caller == 0) {
		drive_bent(scene, stack, 1, place);
		_exit(0);
	}
	usleep(100000);
	kill(caller, SIGKILL);
	assert_int_equal(waitpid(caller, NULL, 0), caller);
	drive_bent(scene, stack, 2, place);
	assert_memory_equal(place, bent, sizeof bent);
	drive_bent(scene, stack, 1, place);
	check_near(place[1], bent[1] - 0.1, 1e-12);
	snw_stack_destroy(stack);
	snw_scene_destroy(scene);
	snw_registry_close(registry);
}

/* The bytes of a fit, or of a refit, of the scene's layer with another value of the parameter that a fit chooses by. */
static snw_saved_model fit_again(const snw_scene *scene, const snw_registry *registry, bool refits, snw_arena *arena) {
	snw_error error = {0};
	const snw_setting count = {"count", SNW_VALUE(7)};
	const snw_fit_request request = {
		.method = "test-small", .setting_count = 1, .settings = &count, .left_out_example = SNW_NONE, .refits = refits};
	snw_fit_outcome outcome = {.arena = arena};
	check_ok(snw_fit_run(scene, registry, &request, NULL, &outcome, &error), error);
	return outcome.model;
}

static bool are_same(const snw_saved_model *a, const snw_saved_model *b) {
	return a->byte_count == b->byte_count && memcmp(a->bytes, b->bytes, a->byte_count) == 0;
}

/* Its process gets the model that it follows. */
static void refit_keeps_what_the_fit_has_chosen(void **state) {
	(void)state;
	for (int isolated = 0; isolated < 2; isolated++) {
		snw_scene *scene;
		snw_registry *registry = open_layer("refits", isolated ? SNW_ISOLATE_FOREIGN : SNW_ISOLATE_NONE, &scene);
		const snw_saved_model refit = fit_again(scene, registry, true, scene->arena),
							  fit = fit_again(scene, registry, false, scene->arena);
		assert_true(are_same(&refit, &scene->models[0]));
		assert_false(are_same(&fit, &scene->models[0]));
		snw_scene_destroy(scene);
		snw_registry_close(registry);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_point_depends_on_is_the_same),
		cmocka_unit_test(points_that_are_not_asked_for_do_no_harm),
		cmocka_unit_test(answer_to_a_caller_that_has_ended_is_not_taken),
		cmocka_unit_test(refit_keeps_what_the_fit_has_chosen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
