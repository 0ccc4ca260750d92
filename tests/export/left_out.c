/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an export leaves out. Correctives over layers that glTF cannot play: each sculpt is inverted again through what the file
 * plays, so it is exact there. A named pose that a layer fails at: the file is written without it.
 */
#include "fixture.h"
#include "tiny_arm.h"

/* A clip that stands in the rest at 0 s and in each example's pose at a second of its own. */
static void add_clip_of_sculpts(snw_scene *scene) {
	const uint32_t joints = scene->skeleton.joint_count, keys = 1 + scene->example_count;
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, keys);
	snw_track *tracks = SNW_NEW_ARRAY(scene->arena, snw_track, joints);
	for (uint32_t j = 0; j < joints; j++) {
		double *values = SNW_NEW_ARRAY(scene->arena, double, 4 * (size_t)keys);
		for (uint32_t k = 0; k < keys; k++) {
			const snw_transform *local = k == 0 ? scene->skeleton.rest_local : scene->poses[scene->examples[k - 1].pose].local;
			seconds[k] = k;
			memcpy(values + 4 * (size_t)k, local[j].rotation, sizeof local->rotation);
		}
		tracks[j] = (snw_track){.target = j,
								.path = SNW_PATH_ROTATION,
								.interpolation = SNW_LINEAR,
								.key_count = keys,
								.seconds = seconds,
								.values = values};
	}
	snw_clip *clip = SNW_NEW(scene->arena, snw_clip);
	*clip = (snw_clip){.id = 77, .name = "sculpts", .duration_seconds = keys - 1, .track_count = joints, .tracks = tracks};
	scene->clips = clip;
	scene->clip_count = 1;
	scene->target_count = 0;
}

/* The small arm's two sculpts over linear blend and a layer. */
static fixture sculpted_over(const char *deformer, const char *key, double value) {
	fixture f = {.registry = kept_registry()};
	snw_error error = {0};
	snw_scene *fitted = NULL;
	check_ok(make_tiny_arm(&f.scene, &error), error);
	add_clip_of_sculpts(f.scene);
	add_layer(f.scene, "below", deformer, key, value);
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	const snw_fit_request request = {.method = "inverse-psd", .left_out_example = SNW_NONE};
	assert_true(!snw_failed(snw_fit_run(f.scene, f.registry, &request, NULL, &outcome, &error)));
	check_ok(snw_fit_apply(f.scene, &outcome, &fitted, &error), error);
	snw_arena_destroy(outcome.arena);
	snw_scene_destroy(f.scene);
	f.scene = fitted;
	build_stack(&f);
	return f;
}

static double exported_without_correctives(const fixture *f) {
	snw_error error = {0};
	fixture bare = *f;
	const snw_stack_options options = {.method = "linear-blend"};
	check_ok(snw_stack_build(f->scene, f->registry, &options, NULL, &bare.stack, &error), error);
	check_ok(export_to(&bare, check_scratch("bare.glb"), 4, NULL, &error), error);
	snw_stack_destroy(bare.stack);
	/* Played by the file, compared with the whole stack. */
	double worst = 0;
	for (int i = 0; i <= 40; i++) {
		fixture whole = *f;
		whole.path = bare.path;
		worst = fmax(worst, compare_at(&whole, 0, f->scene->clips[0].duration_seconds * i / 40));
	}
	return 100 * worst;
}

static void check_layer(const char *deformer, const char *key, double value) {
	snw_error error = {0};
	fixture f = sculpted_over(deformer, key, value);
	check_ok(export_to(&f, place("left-out.glb"), 4, NULL, &error), error);
	const double without = exported_without_correctives(&f);
	print_message("%s: at the sculpts %.2g %%, anywhere %.3g %%, without correctives %.3g %%\n", deformer,
				  f.report.inverted_again_max_percent, f.report.playback_max_percent, without);
	assert_int_equal(f.report.inverted_again_count, f.scene->example_count);
	for (uint32_t e = 0; e < f.scene->example_count; e++) {
		check_near(compare_at(&f, 0, 1 + e), 0, 1e-4);
	}
	check_near(f.report.inverted_again_max_percent, 0, 1e-2);
	assert_true(f.report.playback_max_percent < 0.5 * without);
	end(&f);
}

static void a_sculpt_over_smoothing_is_exact_in_the_file(void **state) {
	(void)state;
	check_layer("org.sinew.smooth", NULL, 0);
}

static void a_sculpt_over_delta_mush_is_exact_in_the_file(void **state) {
	(void)state;
	check_layer("org.sinew.delta-mush", NULL, 0);
}

static char notices[4000];

static void keep_notice(void *context, snw_log_level level, const char *line) {
	(void)context;
	(void)level;
	snprintf(notices + strlen(notices), sizeof notices - strlen(notices), "%s\n", line);
}

static snw_pose *add_pose_at_rest(snw_scene *scene, const char *name) {
	const uint32_t count = scene->pose_count;
	snw_pose *poses = SNW_NEW_ARRAY(scene->arena, snw_pose, (size_t)count + 1);
	memcpy(poses, scene->poses, count * sizeof *poses);
	poses[count] = *snw_pose_rest(scene, scene->arena);
	poses[count].name = name;
	scene->poses = poses;
	scene->pose_count = count + 1;
	return &poses[count];
}

/* The sample arm with a layer that fails at a pose of this name. */
static fixture arm_with_a_pose_that_fails(const char *name) {
	fixture f = sample_arm();
	add_layer(f.scene, "shapes", "org.sinew.test.corrective", NULL, 0);
	add_pose_at_rest(f.scene, name)->rotation_vectors[6] = 200;
	build_stack(&f);
	notices[0] = 0;
	return f;
}

static void a_pose_that_fails_is_left_out_and_named(void **state) {
	(void)state;
	snw_error error = {0};
	const snw_task task = {.notice = keep_notice};
	fixture f = arm_with_a_pose_that_fails("spun");
	check_ok(export_to(&f, place("left-out-pose.glb"), 4, &task, &error), error);
	assert_non_null(strstr(notices, "pose 'spun' is left out of what the export measures"));
	assert_non_null(strstr(notices, "shapes"));
	/* Without clips, poses are what playback is measured at. */
	f.scene->clip_count = 0;
	check_ok(export_to(&f, place("left-out-still.glb"), 4, &task, &error), error);
	end(&f);
}

/* A layer that is no program fails only when it runs. */
static void a_pose_that_a_black_box_fails_at_is_left_out_and_named(void **state) {
	(void)state;
	snw_error error = {0};
	const snw_task task = {.notice = keep_notice};
	fixture f = sample_arm();
	add_layer(f.scene, "smoothed", "org.sinew.smooth", NULL, 0);
	snw_pose *far = add_pose_at_rest(f.scene, "far");
	far->local[0].translation[0] = 1e100;
	build_stack(&f);
	notices[0] = 0;
	check_ok(export_to(&f, place("left-out-far.glb"), 4, &task, &error), error);
	assert_non_null(strstr(notices, "pose 'far' is left out of what the export measures"));
	assert_non_null(strstr(notices, "smoothed"));
	f.scene->clip_count = 0;
	check_ok(export_to(&f, place("left-out-far-still.glb"), 4, &task, &error), error);
	end(&f);
}

static void a_pose_of_the_nodes_that_fails_ends_the_export_with_its_name(void **state) {
	(void)state;
	snw_error error = {0};
	fixture f = arm_with_a_pose_that_fails("default");
	assert_true(snw_failed(export_to(&f, check_scratch("refused.glb"), 4, NULL, &error)));
	assert_non_null(strstr(error.text, "pose 'default'"));
	end(&f);
}

TEST_GROUP(left_out) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sculpt_over_smoothing_is_exact_in_the_file),
		cmocka_unit_test(a_sculpt_over_delta_mush_is_exact_in_the_file),
		cmocka_unit_test(a_pose_that_fails_is_left_out_and_named),
		cmocka_unit_test(a_pose_that_a_black_box_fails_at_is_left_out_and_named),
		cmocka_unit_test(a_pose_of_the_nodes_that_fails_ends_the_export_with_its_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
