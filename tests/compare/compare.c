/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The comparison of methods on the small arm: its figures are those of single fits, and whoever fails has a row that says why.
 */
#include "compare/compare.h"
#include "check.h"
#include "fit/fit.h"
#include "kept_registry.h"
#include "pose/pose.h"
#include "sample/sample.h"
#include "tiny_arm.h"

enum { BEND = 0, TWIST = 1, BOTH = 2 };

typedef struct fixture {
	snw_scene *scene;
	snw_registry *registry;
	snw_arena *arena;
} fixture;

static fixture fixture_make(void) {
	fixture f = {.registry = kept_registry(), .arena = snw_arena_create()};
	snw_error error;
	check_ok(make_tiny_arm(&f.scene, &error), error);
	return f;
}

static void fixture_destroy(fixture *f) {
	snw_scene_destroy(f->scene);
	snw_arena_destroy(f->arena);
}

/* Another clip with the same frames: errors at frames that the fits saw. */
static uint32_t add_twin(snw_scene *scene, uint32_t target) {
	snw_clip *clips = SNW_NEW_ARRAY(scene->arena, snw_clip, scene->clip_count + 1u);
	snw_target *targets = SNW_NEW_ARRAY(scene->arena, snw_target, scene->target_count + 1u);
	memcpy(clips, scene->clips, scene->clip_count * sizeof *clips);
	memcpy(targets, scene->targets, scene->target_count * sizeof *targets);
	clips[scene->clip_count] = clips[targets[target].clip];
	clips[scene->clip_count].name = "twin";
	clips[scene->clip_count].id += 1000;
	targets[scene->target_count] = targets[target];
	targets[scene->target_count].name = "twin";
	targets[scene->target_count].id += 1000;
	targets[scene->target_count].clip = scene->clip_count;
	scene->clips = clips;
	scene->clip_count++;
	scene->targets = targets;
	return scene->target_count++;
}

static snw_comparison compare(const fixture *f, const snw_compare_request *request) {
	snw_comparison comparison = {0};
	snw_error error = {0};
	check_ok(snw_compare_run(f->scene, f->registry, request, NULL, f->arena, &comparison, &error), error);
	return comparison;
}

/* The stack of a scene, measured as 'sinew measure' does. */
static snw_measure measure_of(const fixture *f, const snw_scene *scene, uint32_t target) {
	const snw_measure_request request = {.target = target};
	snw_measure measure;
	snw_error error = {0};
	check_ok(snw_measure_run(scene, f->registry, &request, NULL, &measure, &error), error);
	return measure;
}

static snw_scene *fit(const fixture *f, const snw_scene *scene, const char *method, const char *samples) {
	const snw_fit_request request = {.method = method, .samples = samples, .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = f->arena};
	snw_scene *fitted = NULL;
	snw_error error = {0};
	assert_true(snw_fit_run(scene, f->registry, &request, NULL, &outcome, &error) >= 0);
	check_ok(snw_fit_apply(scene, &outcome, &fitted, &error), error);
	return fitted;
}

static void assert_same_measure(const snw_measure *a, const snw_measure *b) {
	assert_true(a->erms == b->erms && a->max_percent == b->max_percent && a->enveloping_error == b->enveloping_error);
	assert_true(a->distortion_percent == b->distortion_percent && a->normals_degrees == b->normals_degrees);
	assert_int_equal(a->frame_count, b->frame_count);
}

static void figures_are_those_of_single_fits(void **state) {
	(void)state;
	fixture f = fixture_make();
	static const char *const methods[] = {"linear-blend", "linear-blend-fit", "inverse-psd", "linear-blend-fit+inverse-psd"};
	const snw_compare_request request = {.train = BEND, .test = TWIST, .method_count = 4, .methods = methods};
	const snw_comparison comparison = compare(&f, &request);
	assert_int_equal(comparison.row_count, 4);
	snw_scene *learned = fit(&f, f.scene, "linear-blend-fit", "bend"), *sculpted = fit(&f, f.scene, "inverse-psd", NULL);
	snw_scene *stacked = fit(&f, learned, "inverse-psd", NULL);
	const snw_scene *const scenes[] = {f.scene, learned, sculpted, stacked};
	for (uint32_t r = 0; r < 4; r++) {
		const snw_compare_row *row = &comparison.rows[r];
		const snw_measure train = measure_of(&f, scenes[r], BEND), test = measure_of(&f, scenes[r], TWIST);
		assert_null(row->failure);
		assert_string_equal(row->name, methods[r]);
		assert_same_measure(&row->train.measure, &train);
		assert_same_measure(&row->test.measure, &test);
		/* Figure 11: mean and spread over the points make up the enveloping error. */
		check_near(hypot(row->test.point_mean_percent, row->test.point_spread_percent), 100 * test.enveloping_error, 1e-9);
		assert_false(row->left_out.is_known);
		assert_true(row->cost.ratio > 0 && row->cost.is_counted && row->loss.is_known);
	}
	assert_null(comparison.rows[0].trained_on);
	assert_string_equal(comparison.rows[1].trained_on, "25 frames");
	assert_string_equal(comparison.rows[2].trained_on, "2 sculpts");
	assert_string_equal(comparison.rows[3].trained_on, "25 frames, 2 sculpts");
	assert_int_equal(comparison.rows[1].model_bytes, learned->models[0].byte_count);
	/* Four influences of a linear blend: 24 operations for each, and 18 a point. */
	const snw_mesh *mesh = &f.scene->meshes[0];
	const uint64_t influences = mesh->influence_offsets[mesh->point_count];
	assert_int_equal(comparison.rows[0].cost.influences, influences);
	assert_int_equal(comparison.rows[0].cost.operations, 24 * influences + 18 * (uint64_t)mesh->point_count);
	assert_true(comparison.rows[2].cost.displaced > 0 && comparison.rows[0].cost.displaced == 0);
	assert_true(comparison.rows[0].loss.erms < 1e-3 && comparison.rows[2].loss.morph_count > 0);
	snw_scene_destroy(stacked);
	snw_scene_destroy(sculpted);
	snw_scene_destroy(learned);
	fixture_destroy(&f);
}

/* The frames of one of two parts, as a target: all but those of the other. */
static snw_target held_out_frames(const fixture *f, uint32_t fold, bool is_set) {
	return snw_scene_without_frames(f->scene, BEND, snw_frame_part_of(25, 2, 1 - fold, is_set), f->arena).targets[BEND];
}

/* The error over both parts, each predicted by a fit without it. */
static double error_of_parts(const fixture *f, bool is_set) {
	double squares = 0;
	for (uint32_t fold = 0; fold < 2; fold++) {
		const snw_frame_part part = snw_frame_part_of(25, 2, fold, is_set);
		const snw_scene without = snw_scene_without_frames(f->scene, BEND, part, f->arena);
		const snw_target held_out = held_out_frames(f, fold, is_set);
		assert_int_equal(without.targets[BEND].frame_count + held_out.frame_count, 25);
		snw_scene *fitted = fit(f, &without, "linear-blend-fit", "bend");
		*(snw_target *)(uintptr_t)&fitted->targets[BEND] = held_out;
		const double erms = measure_of(f, fitted, BEND).erms;
		squares += erms * erms * held_out.frame_count;
		snw_scene_destroy(fitted);
	}
	return sqrt(squares / 25);
}

/* A clip is cut into ranges; a set's poses are dealt out. */
static void parts_are_ranges_of_a_clip_and_spread_over_a_set(void **state) {
	(void)state;
	static const snw_frame_part ranges[] = {{0, 12, 1}, {12, 25, 1}}, dealt[] = {{0, 25, 2}, {1, 25, 2}};
	static const char *const methods[] = {"linear-blend-fit"}, *const words[] = {"2 parts of the clip", "2 parts of the set"};
	const snw_compare_request request = {.train = BEND, .test = TWIST, .method_count = 1, .methods = methods, .fold_count = 2};
	double errors[2];
	for (int is_set = 0; is_set < 2; is_set++) {
		fixture f = fixture_make();
		((snw_target *)(uintptr_t)&f.scene->targets[BEND])->is_set = is_set;
		for (uint32_t fold = 0; fold < 2; fold++) {
			const snw_frame_part part = snw_frame_part_of(25, 2, fold, is_set),
								 *expected = is_set ? &dealt[fold] : &ranges[fold];
			assert_true(part.begin == expected->begin && part.end == expected->end && part.step == expected->step);
			const snw_target held_out = held_out_frames(&f, fold, is_set);
			assert_true(held_out.seconds[1] == f.scene->targets[BEND].seconds[part.begin + part.step]);
		}
		const snw_comparison comparison = compare(&f, &request);
		errors[is_set] = error_of_parts(&f, is_set);
		check_near(comparison.rows[0].left_out.measure.erms, errors[is_set], 1e-9);
		assert_int_equal(comparison.rows[0].left_out.measure.frame_count, 25);
		assert_string_equal(comparison.rows[0].left_out_words, words[is_set]);
		if (is_set) { /* it needs no other to be tested with */
			snw_compare_request alone = request;
			alone.test = BEND;
			check_near(compare(&f, &alone).rows[0].test.measure.erms, errors[1], 1e-9);
		}
		fixture_destroy(&f);
	}
	assert_true(errors[1] < errors[0]); /* between frames of a motion there is little to guess */
}

/* Each part is predicted by a fit without it; the sums over the parts are the figures. */
static void left_out_parts_are_not_seen(void **state) {
	(void)state;
	fixture f = fixture_make();
	static const char *const methods[] = {"linear-blend", "linear-blend-fit", "inverse-psd"};
	const snw_compare_request request = {.train = BEND, .test = TWIST, .method_count = 3, .methods = methods, .fold_count = 2};
	const snw_comparison comparison = compare(&f, &request);
	check_near(comparison.rows[1].left_out.measure.erms, error_of_parts(&f, false), 1e-9);
	assert_int_equal(comparison.rows[1].left_out.measure.frame_count, 25);
	assert_true(comparison.rows[1].left_out.measure.erms > comparison.rows[1].train.measure.erms);
	/* What needs no fit is the same; what learns from sculpts has them left out. */
	assert_same_measure(&comparison.rows[0].left_out.measure, &comparison.rows[0].train.measure);
	snw_measure sculpts[2];
	snw_error error = {0};
	snw_scene *sculpted = fit(&f, f.scene, "inverse-psd", NULL);
	check_ok(snw_measure_leave_one_out(sculpted, f.registry, "inverse-psd", NULL, sculpts, &error), error);
	check_near(comparison.rows[2].left_out.measure.erms,
			   sqrt((sculpts[0].erms * sculpts[0].erms + sculpts[1].erms * sculpts[1].erms) / 2), 1e-9);
	assert_string_equal(comparison.rows[2].left_out_words, "each of 2 sculpts");
	snw_scene_destroy(sculpted);
	fixture_destroy(&f);
}

static void frames_become_sculpts_where_there_are_none(void **state) {
	(void)state;
	fixture f = fixture_make();
	f.scene->example_count = f.scene->group_count = 0;
	static const char *const methods[] = {"inverse-psd"};
	const uint32_t curve[] = {1, 3};
	const snw_compare_request request = {.train = BEND,
										 .test = add_twin(f.scene, BEND),
										 .method_count = 1,
										 .methods = methods,
										 .sculpt_count = 4,
										 .curve_count = 2,
										 .curve = curve};
	const snw_comparison comparison = compare(&f, &request);
	const snw_compare_row *row = &comparison.rows[0];
	assert_string_equal(row->trained_on, "4 frames");
	assert_int_equal(row->curve_count, 2);
	assert_int_equal(row->curve[1].frame_count, 3);
	assert_true(row->test.measure.erms < row->curve[1].erms && row->curve[1].erms < row->curve[0].erms);
	fixture_destroy(&f);
}

static void curve_falls_to_the_error_of_the_whole_clip(void **state) {
	(void)state;
	fixture f = fixture_make();
	static const char *const methods[] = {"pose-regression"};
	const uint32_t curve[] = {2, 8, 100};
	const snw_compare_request request = {.train = BOTH,
										 .test = add_twin(f.scene, BOTH),
										 .method_count = 1,
										 .methods = methods,
										 .curve_count = 3,
										 .curve = curve,
										 .picture_count = 2};
	const snw_comparison comparison = compare(&f, &request);
	const snw_compare_row *row = &comparison.rows[0];
	assert_int_equal(row->curve_count, 3); /* 100 are more than there are */
	assert_int_equal(row->curve[2].frame_count, 25);
	assert_true(row->curve[2].erms == row->test.measure.erms);
	assert_true(row->curve[0].erms > row->curve[1].erms && row->curve[1].erms > row->curve[2].erms);
	/* The pictured frames, and the points there. */
	assert_int_equal(comparison.picture_count, 2);
	assert_true(comparison.picture_frames[0] < comparison.picture_frames[1]);
	const size_t numbers = 3 * (size_t)f.scene->meshes[0].point_count;
	const float *truth = f.scene->targets[BOTH].points_posed + comparison.picture_frames[0] * numbers;
	double most = 0;
	for (size_t i = 0; i < numbers; i++) {
		most = fmax(most, fabs((double)row->pictures[0][i] - (double)truth[i]));
	}
	assert_true(most > 0 && most < 0.1);
	fixture_destroy(&f);
}

/* Two sculpts of one pose contradict each other. */
static void failures_are_rows_and_unknown_methods_are_errors(void **state) {
	(void)state;
	fixture f = fixture_make();
	snw_example *examples = (snw_example *)(uintptr_t)f.scene->examples;
	examples[1].pose = examples[0].pose;
	f.scene->group_count = 0;
	static const char *const methods[] = {"linear-blend+inverse-psd", "linear-blend"}, *const unknown[] = {
																						   "linear-blend+nonsense"};
	snw_compare_request request = {.train = BEND, .test = TWIST, .method_count = 2, .methods = methods, .fold_count = 2};
	const snw_comparison comparison = compare(&f, &request);
	print_message("%s\n", comparison.rows[0].failure ? comparison.rows[0].failure : "no failure");
	assert_non_null(strstr(comparison.rows[0].failure, "inverse-psd"));
	assert_false(comparison.rows[0].train.is_known || comparison.rows[0].left_out.is_known);
	assert_null(comparison.rows[0].pictures);
	assert_true(comparison.rows[1].train.is_known);
	request.methods = unknown;
	request.method_count = 1;
	snw_comparison untouched = {.row_count = 7};
	snw_error error = {0};
	assert_int_equal(snw_compare_run(f.scene, f.registry, &request, NULL, f.arena, &untouched, &error), SNW_ERROR_MISSING);
	assert_non_null(strstr(error.text, "nonsense"));
	assert_int_equal(untouched.row_count, 7);
	fixture_destroy(&f);
}

/* What has learned from the test clip, or learns from all of them, would win. */
static void no_fit_sees_the_test_clip(void **state) {
	(void)state;
	fixture f = fixture_make();
	const uint32_t twin = add_twin(f.scene, BEND);
	snw_target *targets = (snw_target *)(uintptr_t)f.scene->targets;
	targets[twin].clip = targets[BEND].clip;
	const uint32_t tests[] = {BEND, twin};
	snw_error error = {0};
	for (size_t i = 0; i < 2; i++) {
		const snw_compare_request request = {.train = BEND, .test = tests[i]};
		snw_comparison untouched = {.row_count = 7};
		assert_int_equal(snw_compare_run(f.scene, f.registry, &request, NULL, f.arena, &untouched, &error), SNW_ERROR_ARGUMENT);
		assert_non_null(strstr(error.text, "'bend'"));
		assert_int_equal(untouched.row_count, 7);
	}
	static const char *const proposers[] = {"skin-weights", "motion-skeleton", "linear-blend+skin-weights"};
	for (size_t i = 0; i < sizeof proposers / sizeof *proposers; i++) {
		snw_contender contender;
		assert_int_equal(snw_contender_parse(f.registry, proposers[i], f.arena, &contender, &error), SNW_ERROR_MISSING);
		assert_non_null(strstr(error.text, "not a layer"));
	}
	fixture_destroy(&f);
}

static bool stop_after(void *context, double fraction, const char *activity) {
	(void)fraction;
	(void)activity;
	return --*(int *)context > 0;
}

static void cancel_stops_wherever_it_is(void **state) {
	(void)state;
	fixture f = fixture_make();
	static const char *const methods[] = {"linear-blend-fit", "delta-mush"};
	const uint32_t curve[] = {4};
	const snw_compare_request request = {
		.train = BEND, .test = TWIST, .method_count = 2, .methods = methods, .fold_count = 2, .curve_count = 1, .curve = curve};
	for (int after = 1; after < 200; after = 2 * after + 1) {
		int remaining = after;
		const snw_task task = {.context = &remaining, .progress = stop_after};
		snw_comparison comparison = {0};
		snw_error error = {0};
		assert_int_equal(snw_compare_run(f.scene, f.registry, &request, &task, f.arena, &comparison, &error), SNW_CANCELLED);
		assert_int_equal(comparison.row_count, 0);
	}
	fixture_destroy(&f);
}

static void methods_of_the_registry_are_those_that_learn_from_poses(void **state) {
	(void)state;
	fixture f = fixture_make();
	snw_contender *contenders;
	uint32_t count;
	snw_contenders_of_registry(f.scene, f.registry, f.arena, &contenders, &count);
	assert_string_equal(contenders[0].name, "linear-blend");
	bool has_psd = false, has_stack = false;
	for (uint32_t i = 0; i < count; i++) {
		has_stack = has_stack || (strcmp(contenders[i].name, "dual-quaternion+inverse-psd") == 0 &&
								  contenders[i].method_count == 2 && contenders[i].reads_sculpts);
		assert_string_not_equal(contenders[i].name, "sad");
		assert_string_not_equal(contenders[i].name, "motion-skeleton");
		assert_string_not_equal(contenders[i].name, "skin-weights");
		has_psd = has_psd || (contenders[i].reads_sculpts && !contenders[i].reads_frames);
	}
	assert_true(has_psd && has_stack && count >= 10);
	fixture_destroy(&f);
}

/* ---- by the sculpts ------------------------------------------------------------------------------------------------------ */

static double root_mean_square(const snw_measure *measures, uint32_t count) {
	double squares = 0;
	for (uint32_t i = 0; i < count; i++) {
		squares += measures[i].erms * measures[i].erms;
	}
	return sqrt(squares / count);
}

static void sculpts_are_left_out_as_leave_one_out_does(void **state) {
	(void)state;
	fixture f = fixture_make();
	static const char *const methods[] = {"inverse-psd", "pose-regression"};
	snw_error error = {0};
	snw_sculpts_comparison made;
	check_ok(snw_compare_sculpts(f.scene, f.registry, 2, methods, NULL, f.arena, &made, &error), error);
	assert_int_equal(made.row_count, 3);
	assert_int_equal(made.part_count, f.scene->example_count);
	assert_null(made.rows[0].method);
	for (uint32_t r = 1; r < 3; r++) {
		const snw_sculpts_row *row = &made.rows[r];
		const bool reads_clips = strcmp(row->method, "pose-regression") == 0;
		snw_scene *fitted = fit(&f, f.scene, row->method, reads_clips ? "examples" : NULL);
		snw_measure *measures = SNW_NEW_ARRAY(f.arena, snw_measure, f.scene->example_count);
		check_ok(snw_measure_leave_one_out(fitted, f.registry, row->method, NULL, measures, &error), error);
		assert_null(row->failure);
		check_near(row->left_out.erms, root_mean_square(measures, f.scene->example_count), 1e-9 * row->left_out.erms);
		assert_true(row->learned.erms < 1e-3 && made.rows[0].learned.erms > 1);
		assert_true(row->left_out.erms >= made.rows[r - 1].left_out.erms || r == 1);
		snw_scene_destroy(fitted);
	}
	/* The pictures are of the sculpt that is farthest from what all learn over. */
	const snw_example *example = &f.scene->examples[made.example];
	for (size_t i = 0; i < 3 * (size_t)f.scene->meshes[example->mesh].point_count; i++) {
		check_near((double)made.sculpt[i], example->points_posed[i], 1e-6);
	}
	fixture_destroy(&f);
}

static void layers_that_have_learned_from_the_sculpts_are_left_out_of_what_all_learn_over(void **state) {
	(void)state;
	fixture f = fixture_make();
	static const char *const methods[] = {"inverse-psd"};
	snw_error error = {0};
	snw_sculpts_comparison over_bare, over_learned;
	snw_scene *learned = fit(&f, f.scene, "linear-blend-fit", NULL), *both = fit(&f, learned, "inverse-psd", NULL);
	check_ok(snw_compare_sculpts(f.scene, f.registry, 1, methods, NULL, f.arena, &over_bare, &error), error);
	check_ok(snw_compare_sculpts(both, f.registry, 1, methods, NULL, f.arena, &over_learned, &error), error);
	for (uint32_t r = 0; r < 2; r++) {
		assert_same_measure(&over_bare.rows[r].left_out, &over_learned.rows[r].left_out);
		assert_same_measure(&over_bare.rows[r].learned, &over_learned.rows[r].learned);
	}
	/* One that has learned from clips alone stays below. */
	snw_scene *of_clips = fit(&f, f.scene, "linear-blend-fit", "bend");
	uint32_t its_layer;
	const snw_layer *layers =
		snw_layers_before_sculpts(of_clips, f.registry, snw_registry_find(f.registry, "inverse-psd"), f.arena, &its_layer);
	assert_true(layers[0].muted && !layers[1].muted && its_layer == SNW_NONE);
	layers = snw_layers_before_sculpts(both, f.registry, snw_registry_find(f.registry, "inverse-psd"), f.arena, &its_layer);
	assert_true(!layers[0].muted && layers[1].muted && !layers[2].muted && its_layer == 2);
	snw_scene_destroy(of_clips);
	snw_scene_destroy(both);
	snw_scene_destroy(learned);
	fixture_destroy(&f);
}

static void methods_that_cannot_be_compared_by_sculpts_are_refused(void **state) {
	(void)state;
	fixture f = fixture_make();
	static const char *const of_frames[] = {"sad"}, *const unknown[] = {"nobody"};
	snw_sculpts_comparison made = {0};
	snw_error error = {0};
	int left = 5;
	const snw_task task = {.context = &left, .progress = stop_after};
	assert_int_equal(snw_compare_sculpts(f.scene, f.registry, 1, of_frames, NULL, f.arena, &made, &error), SNW_ERROR_ARGUMENT);
	assert_int_equal(snw_compare_sculpts(f.scene, f.registry, 1, unknown, NULL, f.arena, &made, &error), SNW_ERROR_MISSING);
	assert_int_equal(snw_compare_sculpts(f.scene, f.registry, 0, NULL, &task, f.arena, &made, &error), SNW_CANCELLED);
	((snw_example *)(uintptr_t)f.scene->examples)[0].muted = true;
	assert_int_equal(snw_compare_sculpts(f.scene, f.registry, 0, NULL, NULL, f.arena, &made, &error), SNW_ERROR_MISSING);
	assert_int_equal(made.row_count, 0);
	fixture_destroy(&f);
}

TEST_GROUP(compare) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_those_of_single_fits),
		cmocka_unit_test(left_out_parts_are_not_seen),
		cmocka_unit_test(parts_are_ranges_of_a_clip_and_spread_over_a_set),
		cmocka_unit_test(frames_become_sculpts_where_there_are_none),
		cmocka_unit_test(curve_falls_to_the_error_of_the_whole_clip),
		cmocka_unit_test(failures_are_rows_and_unknown_methods_are_errors),
		cmocka_unit_test(no_fit_sees_the_test_clip),
		cmocka_unit_test(cancel_stops_wherever_it_is),
		cmocka_unit_test(methods_of_the_registry_are_those_that_learn_from_poses),
		cmocka_unit_test(sculpts_are_left_out_as_leave_one_out_does),
		cmocka_unit_test(layers_that_have_learned_from_the_sculpts_are_left_out_of_what_all_learn_over),
		cmocka_unit_test(methods_that_cannot_be_compared_by_sculpts_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
