/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measures whole stacks: the sample arm with the shipped deformers.
 */
#include "check.h"
#include "fit/fit.h"
#include "fit/samples.h"
#include "fit/stale.h"
#include "kept_registry.h"
#include "measure/measure.h"
#include "plugin/registry.h"
#include "pose/pose.h"
#include "sample/sample.h"
#include "stack/stack.h"

typedef struct measure_fixture {
	snw_registry *registry;
	snw_scene *scene;
} measure_fixture;

static measure_fixture fixture_make(void) {
	measure_fixture fixture = {.registry = kept_registry()};
	snw_error error;
	check_ok(snw_sample_make("tiny-arm", &fixture.scene, &error), error);
	return fixture;
}

static void fixture_destroy(measure_fixture *fixture) {
	snw_scene_destroy(fixture->scene);
}

static snw_measure measure_of(const measure_fixture *fixture, uint32_t target, const char *method) {
	const snw_measure_request request = {.mesh = 0, .target = target, .method = method};
	snw_measure measure;
	snw_error error;
	check_ok(snw_measure_run(fixture->scene, fixture->registry, &request, NULL, &measure, &error), error);
	return measure;
}

static void linear_blend_of_the_arm_misses_its_targets(void **state) {
	(void)state;
	measure_fixture fixture = fixture_make();
	assert_true(fixture.scene->target_count > 0);
	for (uint32_t t = 0; t < fixture.scene->target_count; t++) {
		const snw_measure measure = measure_of(&fixture, t, "linear-blend");
		print_message("%s: erms %.3f, distortion %.2f %%, enveloping error %.3f, largest %.2f %%\n",
					  fixture.scene->targets[t].name, measure.erms, measure.distortion_percent, measure.enveloping_error,
					  measure.max_percent);
		assert_true(measure.erms > 0.1 && measure.erms < 100);
		assert_true(measure.distortion_percent > 0 && measure.distortion_percent < 100);
		assert_true(measure.enveloping_error > 0 && measure.enveloping_error < 1.5);
		assert_int_equal(measure.frame_count, fixture.scene->targets[t].frame_count);
	}
	fixture_destroy(&fixture);
}

/* One example whose first half is edited, which is 1 mm off there; linear blend is dual quaternions below. */
static void unedited_points_have_no_error_and_spill_apart(void **state) {
	(void)state;
	measure_fixture fixture = fixture_make();
	snw_scene *scene = fixture.scene;
	const uint32_t count = scene->meshes[0].point_count, half = count / 2;
	uint32_t *edited = SNW_NEW_ARRAY(scene->arena, uint32_t, half);
	snw_example *example = (snw_example *)(uintptr_t)&scene->examples[0];
	double *below = SNW_NEW_ARRAY(scene->arena, double, 3 * (size_t)count), *points = below;
	const snw_pose *pose = &scene->poses[example->pose];
	snw_error error;
	check_ok(snw_reference_points(scene, fixture.registry, 0, 1, &pose, &points, &error), error);
	for (uint32_t i = 0; i < half; i++) {
		edited[i] = i;
		below[3 * (size_t)i] += 0.001;
	}
	example->points_posed = below;
	example->edited = edited;
	example->edited_count = half;
	scene->example_count = 1;
	const double diagonal = snw_scene_diagonal(scene, 0);
	const snw_measure same = measure_of(&fixture, SNW_NONE, "linear-blend");
	check_near(same.erms, 1000 * 0.001 * sqrt((double)half / (3.0 * count)) / (diagonal / 2), 1e-9);
	check_near(same.max_percent, 100 * 0.001 / diagonal, 1e-9);
	assert_true(same.spill_mm < 1e-9 && same.spill_max_mm < 1e-9);
	const snw_measure other = measure_of(&fixture, SNW_NONE, "dual-quaternion");
	assert_true(other.max_point < half && other.spill_max_mm > 1 && other.spill_mm > 0 && other.spill_mm < other.spill_max_mm);
	/* What spills is the part of the error that counts once all points are edited. */
	example->edited = NULL;
	const snw_measure whole = measure_of(&fixture, SNW_NONE, "dual-quaternion");
	const double squares =
		3.0 * count * (whole.erms * whole.erms - other.erms * other.erms) * diagonal * diagonal / 4; /* mm² */
	check_near(other.spill_mm, sqrt(squares / (count - half)), 1e-6);
	example->edited = edited;
	const snw_moment moment = {.pose = example->pose, .clip = SNW_NONE};
	const snw_ground_truth truth = snw_ground_truth_at(scene, &moment, 0);
	float *shown = SNW_NEW_ARRAY(scene->arena, float, 3 * (size_t)count);
	double *distances = SNW_NEW_ARRAY(scene->arena, double, count);
	for (size_t i = 0; i < 3 * (size_t)count; i++) {
		shown[i] = (float)below[i] + 0.002f;
	}
	const double most = snw_ground_truth_distances(&truth, shown, count, distances);
	check_near(most, 2 * sqrt(3), 1e-3);
	check_near(distances[half - 1], 2 * sqrt(3), 1e-3);
	check_near(distances[half], 0, 0);
	fixture_destroy(&fixture);
}

static void method_measured_against_its_result_has_the_error_of_floats(void **state) {
	(void)state;
	measure_fixture fixture = fixture_make();
	snw_target *target = (snw_target *)(uintptr_t)&fixture.scene->targets[0];
	const uint32_t point_count = fixture.scene->meshes[0].point_count;
	float *points = SNW_NEW_ARRAY(fixture.scene->arena, float, 3 * (size_t)point_count * target->frame_count);
	snw_pose **poses = SNW_NEW_ARRAY(fixture.scene->arena, snw_pose *, target->frame_count);
	snw_pose_sample_series(fixture.scene, target->clip, target->frame_count, target->seconds, fixture.scene->arena, poses);
	const snw_stack_options options = {.method = "dual-quaternion"};
	snw_stack *stack;
	snw_error error;
	check_ok(snw_stack_build(fixture.scene, fixture.registry, &options, NULL, &stack, &error), error);
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	for (uint32_t f = 0; f < target->frame_count; f++) {
		check_ok(snw_stack_drive(stack, snw_pose_view_make(fixture.scene, poses[f], fixture.scene->arena), evaluation, &error),
				 error);
		check_ok(snw_stack_run(stack, evaluation, 0, points + 3 * (size_t)point_count * f, &error), error);
	}
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
	target->points_posed = points;
	const snw_measure measure = measure_of(&fixture, 0, "dual-quaternion");
	print_message("the fast evaluator: erms %.3g, largest %.3g %%\n", measure.erms, measure.max_percent);
	assert_true(measure.max_percent < 1e-3);
	assert_true(measure.max_percent > 0);
	fixture_destroy(&fixture);
}

/* Fits inverse PSD to the arm and replaces the scene by the result. */
static void fit_inverse_psd(measure_fixture *fixture, uint32_t left_out) {
	snw_error error;
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	const snw_fit_request request = {.method = "inverse-psd", .left_out_example = left_out};
	snw_scene *fitted;
	check_ok(snw_fit_run(fixture->scene, fixture->registry, &request, NULL, &outcome, &error), error);
	check_ok(snw_fit_apply(fixture->scene, &outcome, &fitted, &error), error);
	snw_arena_destroy(outcome.arena);
	snw_scene_destroy(fixture->scene);
	fixture->scene = fitted;
}

static bool stop_at_half(void *context, double fraction, const char *activity) {
	(void)activity;
	double *last = context;
	assert_true(fraction >= *last && fraction <= 1.0000001);
	*last = fraction;
	return fraction < 0.5;
}

/* The scene as a bake leaves it: a baked layer, without a model here, on top of those that it read. */
static snw_scene baked_of(const snw_scene *scene) {
	const snw_bake_record record = {.budget = ""};
	const uint32_t count = scene->layer_count;
	snw_scene baked = *scene;
	snw_layer *layers = SNW_NEW_ARRAY(scene->arena, snw_layer, count + 1u);
	baked.layers = layers;
	for (uint32_t i = 0; i < count; i++) {
		layers[i] = scene->layers[i];
		layers[i].id = i + 1;
	}
	layers[count] = (snw_layer){.name = "baked",
								.deformer = "org.sinew.linear-blend-fit",
								.deformer_version = "1.0",
								.model = SNW_NONE,
								.samples = snw_bake_record_write(&baked, 0, NULL, &record, scene->arena)};
	for (uint32_t i = 0; i < count; i++) {
		layers[i].muted = true;
	}
	baked.layer_count++;
	return baked;
}

static void leave_one_out_is_worse_than_the_fit_and_no_worse_than_nothing(void **state) {
	(void)state;
	measure_fixture fixture = fixture_make();
	if (snw_registry_find(fixture.registry, "inverse-psd") == NULL) {
		fixture_destroy(&fixture);
		print_message("skipped: inverse-psd is not built\n");
		skip();
	}
	fit_inverse_psd(&fixture, SNW_NONE);
	const uint32_t count = fixture.scene->example_count;
	assert_true(count >= 2);
	snw_measure *measures = SNW_NEW_ARRAY(fixture.scene->arena, snw_measure, count);
	snw_error error;
	check_ok(snw_measure_leave_one_out(fixture.scene, fixture.registry, "inverse-psd", NULL, measures, &error), error);
	const snw_measure fitted = measure_of(&fixture, SNW_NONE, NULL), bare = measure_of(&fixture, SNW_NONE, "linear-blend");
	double squares = 0;
	for (uint32_t i = 0; i < count; i++) {
		print_message("without %s: erms %.4f, enveloping error %.4f\n", fixture.scene->examples[i].name, measures[i].erms,
					  measures[i].enveloping_error);
		assert_true(measures[i].erms > 100 * fitted.erms);
		assert_true(isnan(measures[i].distortion_percent));
		assert_int_equal(measures[i].frame_count, 1);
		squares += measures[i].erms * measures[i].erms / count;
	}
	print_message("with all: erms %.4g; linear blend: %.4f\n", fitted.erms, bare.erms);
	assert_true(sqrt(squares) < 1.1 * bare.erms);

	/* Below a bake the fit and the measure see what the bake reads. */
	const snw_scene baked = baked_of(fixture.scene);
	snw_measure *below = SNW_NEW_ARRAY(fixture.scene->arena, snw_measure, count);
	check_ok(snw_measure_leave_one_out(&baked, fixture.registry, "inverse-psd", NULL, below, &error), error);
	for (uint32_t i = 0; i < count; i++) {
		check_near(below[i].erms, measures[i].erms, 0);
	}

	double last = 0;
	const snw_task task = {.context = &last, .progress = stop_at_half};
	measures[0].erms = -1;
	assert_int_equal(snw_measure_leave_one_out(fixture.scene, fixture.registry, "inverse-psd", &task, measures, &error),
					 SNW_CANCELLED);
	check_near(measures[0].erms, -1, 0);
	assert_true(last >= 0.5);
	fixture_destroy(&fixture);
}

/* Four bends of the arm, in no order. */
static void poses_of_a_set_are_left_out_in_turn(void **state) {
	(void)state;
	measure_fixture fixture = fixture_make();
	snw_target *set = (snw_target *)(uintptr_t)&fixture.scene->targets[0];
	set->is_set = true;
	set->frame_count = 4;
	fixture.scene->target_count = 1;
	snw_fit_outcome outcome = {.arena = fixture.scene->arena};
	const snw_fit_request request = {.method = "linear-blend-fit", .left_out_example = SNW_NONE};
	snw_scene *fitted = NULL;
	snw_error error;
	check_ok(snw_fit_run(fixture.scene, fixture.registry, &request, NULL, &outcome, &error), error);
	check_ok(snw_fit_apply(fixture.scene, &outcome, &fitted, &error), error);
	snw_measure measures[4];
	check_ok(snw_measure_leave_poses_out(fitted, fixture.registry, "linear-blend-fit", 0, NULL, measures, &error), error);
	const snw_measure_request all = {.target = 0, .method = "linear-blend-fit"};
	snw_measure seen;
	check_ok(snw_measure_run(fitted, fixture.registry, &all, NULL, &seen, &error), error);
	double squares = 0;
	for (int i = 0; i < 4; i++) {
		assert_int_equal(measures[i].frame_count, 1);
		squares += measures[i].erms * measures[i].erms / 4;
	}
	print_message("left out: erms %.4f, seen: %.4f\n", sqrt(squares), seen.erms);
	assert_true(sqrt(squares) > seen.erms);
	set = (snw_target *)(uintptr_t)&fitted->targets[0];
	set->frame_count = 1;
	assert_int_equal(snw_measure_leave_poses_out(fitted, fixture.registry, "linear-blend-fit", 0, NULL, measures, &error),
					 SNW_ERROR_MISSING);
	assert_non_null(strstr(error.text, "two poses of a set"));
	snw_scene_destroy(fitted);
	fixture_destroy(&fixture);
}

static void leave_one_out_of_an_unknown_layer_says_so(void **state) {
	(void)state;
	measure_fixture fixture = fixture_make();
	snw_measure measures[16];
	snw_error error;
	assert_int_equal(snw_measure_leave_one_out(fixture.scene, fixture.registry, "nobody", NULL, measures, &error),
					 SNW_ERROR_MISSING);
	assert_non_null(strstr(error.text, "nobody"));
	fixture_destroy(&fixture);
}

static void suggested_poses_reduce_the_error_as_predicted(void **state) {
	(void)state;
	measure_fixture fixture = fixture_make();
	if (snw_registry_find(fixture.registry, "inverse-psd") == NULL) {
		fixture_destroy(&fixture);
		print_message("skipped: inverse-psd is not built\n");
		skip();
	}
	const uint32_t target = fixture.scene->target_count - 1;
	const snw_suggest_request request = {.target = target, .method = "inverse-psd", .count = 2};
	snw_suggestions found;
	snw_error error;
	snw_arena *arena = snw_arena_create();
	check_ok(snw_suggest(fixture.scene, fixture.registry, &request, NULL, arena, &found, &error), error);
	assert_int_equal(found.count, 2);
	assert_true(found.list[0].erms < found.erms);
	assert_true(found.list[1].erms < found.list[0].erms);
	assert_int_not_equal(found.list[0].frame, found.list[1].frame);
	for (int i = 0; i < 2; i++) {
		check_near(found.list[i].seconds, fixture.scene->targets[target].seconds[found.list[i].frame], 0);
	}
	/* The figures equal those computed step by step. */
	const double without = found.erms_without[0], with_fit = found.erms,
				 bare = measure_of(&fixture, target, "linear-blend").erms;
	measure_fixture again = fixture_make();
	fit_inverse_psd(&fixture, SNW_NONE);
	check_near(measure_of(&fixture, target, "inverse-psd").erms, with_fit, 1e-9 * with_fit);
	fit_inverse_psd(&again, 0);
	check_near(measure_of(&again, target, "inverse-psd").erms, without, 1e-9 * without);
	print_message("linear blend %.3f, without the first example %.3f, with both %.3f, and one more %.3f, and another %.3f\n",
				  bare, without, with_fit, found.list[0].erms, found.list[1].erms);
	assert_true(with_fit < bare && with_fit < without);
	/* Below a bake too. */
	const snw_scene baked = baked_of(fixture.scene);
	const snw_suggest_request few = {.target = target, .method = "inverse-psd", .count = 0};
	snw_suggestions below;
	check_ok(snw_suggest(&baked, fixture.registry, &few, NULL, arena, &below, &error), error);
	check_near(below.erms, with_fit, 1e-9 * with_fit);
	snw_arena_destroy(arena);
	fixture_destroy(&again);
	fixture_destroy(&fixture);
}

/* No group has an example of the mesh, so a suggested example needs a new group. */
static void group_of_a_suggestion_gets_a_free_name(void **state) {
	(void)state;
	measure_fixture fixture = fixture_make();
	if (snw_registry_find(fixture.registry, "inverse-psd") == NULL) {
		fixture_destroy(&fixture);
		print_message("skipped: inverse-psd is not built\n");
		skip();
	}
	snw_group taken = {.name = "suggested"};
	fixture.scene->groups = &taken;
	fixture.scene->group_count = 1;
	fixture.scene->example_count = 0;
	const snw_suggest_request request = {.target = fixture.scene->target_count - 1, .method = "inverse-psd", .count = 1};
	snw_suggestions found;
	snw_error error;
	check_ok(snw_suggest(fixture.scene, fixture.registry, &request, NULL, fixture.scene->arena, &found, &error), error);
	assert_int_equal(found.count, 1);
	assert_int_equal(found.list[0].group_count, 1);
	assert_string_equal(found.list[0].groups[0], "suggested-2");
	fixture_destroy(&fixture);
}

static void suggesting_can_be_cancelled(void **state) {
	(void)state;
	measure_fixture fixture = fixture_make();
	double last = 0;
	const snw_task task = {.context = &last, .progress = stop_at_half};
	const snw_suggest_request request = {.target = 0, .method = "inverse-psd", .count = 1};
	snw_suggestions found;
	snw_error error;
	assert_int_equal(snw_suggest(fixture.scene, fixture.registry, &request, &task, fixture.scene->arena, &found, &error),
					 SNW_CANCELLED);
	fixture_destroy(&fixture);
}

TEST_GROUP(validation) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(linear_blend_of_the_arm_misses_its_targets),
		cmocka_unit_test(method_measured_against_its_result_has_the_error_of_floats),
		cmocka_unit_test(unedited_points_have_no_error_and_spill_apart),
		cmocka_unit_test(leave_one_out_is_worse_than_the_fit_and_no_worse_than_nothing),
		cmocka_unit_test(poses_of_a_set_are_left_out_in_turn),
		cmocka_unit_test(leave_one_out_of_an_unknown_layer_says_so),
		cmocka_unit_test(suggested_poses_reduce_the_error_as_predicted),
		cmocka_unit_test(group_of_a_suggestion_gets_a_free_name),
		cmocka_unit_test(suggesting_can_be_cancelled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
