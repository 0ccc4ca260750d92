/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which frames train a method: text, every n-th, and those that cover the poses; and fits that read them.
 */
#include "check.h"
#include "fit/fit.h"
#include "fit/samples.h"
#include "kept_registry.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "sample/sample.h"
#include "tiny_arm.h"

static snw_scene *make_arm(void) {
	snw_scene *scene = NULL;
	snw_error error;
	check_ok(make_tiny_arm(&scene, &error), error);
	return scene;
}

static void choice_is_parsed_and_written_alike(void **state) {
	(void)state;
	static const char *const good[] = {"all", "every:4", "cover:16"};
	static const char *const bad[] = {"", "every", "every:", "every:0", "cover:-3", "cover:3x", "some:3", "all:2"};
	snw_arena *arena = snw_arena_create();
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		snw_frame_choice choice;
		snw_error error = {0};
		check_ok(snw_frame_choice_parse(good[i], &choice, &error), error);
		assert_string_equal(snw_frame_choice_text(choice, arena), good[i]);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		snw_frame_choice choice;
		snw_error error = {0};
		assert_int_equal(snw_frame_choice_parse(bad[i], &choice, &error), SNW_ERROR_ARGUMENT);
		assert_non_null(strstr(error.text, "every:N"));
	}
	snw_arena_destroy(arena);
}

static void selection_holds_names_and_frames(void **state) {
	(void)state;
	snw_scene *scene = make_arm();
	snw_arena *arena = snw_arena_create();
	const snw_frame_choice cover = {SNW_FRAMES_COVER, 5}, all = {SNW_FRAMES_ALL, 0};
	const char *both = snw_samples_with_frames("bend\nexamples", cover, arena),
			   *frames = snw_samples_with_frames(NULL, cover, arena);
	assert_int_equal(snw_samples_frames(both).number, 5);
	assert_int_equal(snw_samples_frames(NULL).rule, SNW_FRAMES_ALL);
	assert_true(snw_samples_have_target(scene, both, &scene->targets[0]));
	assert_false(snw_samples_have_target(scene, both, &scene->targets[1]));
	assert_true(snw_samples_have_examples(both));
	/* Frames alone select everything. */
	assert_true(snw_samples_have_target(scene, frames, &scene->targets[1]) && snw_samples_have_examples(frames));
	assert_string_equal(snw_samples_text(both, arena), "bend,examples");
	assert_string_equal(snw_samples_text(frames, arena), "all");
	assert_string_equal(snw_samples_with_frames(both, all, arena), "bend\nexamples");
	assert_null(snw_samples_with_frames(frames, all, arena));
	assert_int_equal(snw_samples_frames(snw_samples_with_names(both, "twist", arena)).number, 5);
	assert_string_equal(snw_samples_with_names(NULL, "", arena), "");
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

/* The chosen frames of the first clip. */
static uint32_t *choose(const snw_scene *scene, snw_frame_choice choice, snw_arena *arena, uint32_t *count) {
	uint32_t *frames;
	snw_error error = {0};
	check_ok(snw_frames_choose(scene, &scene->targets[0], choice, NULL, arena, &frames, count, &error), error);
	return frames;
}

/* The clip "bend" goes from 0 to its largest angle at frame 12 and back: the farthest pose from the rest is frame 12, and the
 * farthest from both is halfway. */
static void cover_takes_the_farthest_poses(void **state) {
	(void)state;
	snw_scene *scene = make_arm();
	snw_arena *arena = snw_arena_create();
	const snw_target *bend = &scene->targets[0];
	snw_pose **poses = SNW_NEW_ARRAY(arena, snw_pose *, bend->frame_count);
	uint32_t *taken = SNW_NEW_ARRAY(arena, uint32_t, bend->frame_count), count;
	snw_pose_sample_series(scene, bend->clip, bend->frame_count, bend->seconds, arena, poses);
	snw_error error = {0};
	check_ok(snw_poses_cover(scene, bend->frame_count, (const snw_pose *const *)poses, 2, NULL, taken, &count, &error), error);
	assert_int_equal(count, 2);
	assert_int_equal(taken[0], 12);
	assert_true(taken[1] == 6 || taken[1] == 18);
	/* Frames of the way back are where those of the way there were, so no more than half are worth taking. */
	check_ok(snw_poses_cover(scene, bend->frame_count, (const snw_pose *const *)poses, bend->frame_count, NULL, taken, &count,
							 &error),
			 error);
	assert_true(count == 12);
	uint32_t *frames = choose(scene, (snw_frame_choice){SNW_FRAMES_COVER, 3}, arena, &count);
	assert_int_equal(count, 3);
	assert_true(frames[0] < frames[1] && frames[1] < frames[2]);
	frames = choose(scene, (snw_frame_choice){SNW_FRAMES_EVERY, 10}, arena, &count);
	assert_int_equal(count, 3);
	assert_true(frames[0] == 0 && frames[1] == 10 && frames[2] == 20);
	choose(scene, (snw_frame_choice){SNW_FRAMES_COVER, 1000}, arena, &count);
	assert_int_equal(count, bend->frame_count);
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

/* Before there are weights every joint counts. */
static void cover_chooses_without_weights(void **state) {
	(void)state;
	snw_scene *scene = make_arm();
	snw_arena *arena = snw_arena_create();
	((snw_mesh *)(uintptr_t)scene->meshes)[0].influence_offsets = NULL;
	uint32_t count;
	const uint32_t *frames = choose(scene, (snw_frame_choice){SNW_FRAMES_COVER, 1}, arena, &count);
	assert_int_equal(count, 1);
	assert_int_equal(frames[0], 12);
	const snw_training_range range = {.joint = 1, .most = {0, 0, 1}};
	snw_training_clip made;
	snw_error error = {0};
	check_ok(snw_training_clip_make(scene, 1, &range, 100, NULL, arena, &made, &error), error);
	assert_int_equal(made.pose_count, 3); /* the rest, halfway and the end */
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

/* Never all frames instead of a few. */
static void cover_says_that_it_cannot_choose(void **state) {
	(void)state;
	snw_scene *scene = make_arm();
	snw_arena *arena = snw_arena_create();
	snw_registry *registry = kept_registry();
	snw_target *bend = (snw_target *)(uintptr_t)&scene->targets[0];
	bend->seconds = SNW_NEW_ARRAY(arena, double, bend->frame_count); /* all at rest */
	uint32_t *frames, count;
	snw_error error = {0};
	const snw_frame_choice three = {SNW_FRAMES_COVER, 3};
	assert_int_equal(snw_frames_choose(scene, bend, three, NULL, arena, &frames, &count, &error), SNW_ERROR_MISSING);
	assert_non_null(strstr(error.text, "every:N"));
	const snw_fit_request request = {.method = "linear-blend-fit", .samples = "bend\n\tcover:3", .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = arena};
	assert_int_equal(snw_fit_run(scene, registry, &request, NULL, &outcome, &error), SNW_ERROR_MISSING);
	assert_non_null(strstr(error.text, "cover:3"));
	/* The root rotates the whole arm. */
	const snw_training_range range = {.joint = 0, .most = {0, 0, 1}};
	snw_training_clip made;
	assert_int_equal(snw_training_clip_make(scene, 1, &range, 100, NULL, arena, &made, &error), SNW_ERROR_MISSING);
	assert_non_null(strstr(error.text, "--range"));
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

static bool stop(void *context, double fraction, const char *activity) {
	(void)fraction;
	(void)activity;
	return --*(int *)context > 0;
}

static void choice_can_be_cancelled(void **state) {
	(void)state;
	snw_scene *scene = make_arm();
	snw_arena *arena = snw_arena_create();
	int reports = 3;
	const snw_task task = {.context = &reports, .progress = stop};
	uint32_t *frames, count;
	snw_error error = {0};
	const snw_frame_choice eight = {SNW_FRAMES_COVER, 8};
	assert_int_equal(snw_frames_choose(scene, &scene->targets[0], eight, &task, arena, &frames, &count, &error), SNW_CANCELLED);
	assert_int_equal(reports, 0);
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

/* The bytes of a model fitted to a selection; freed with the arena. */
static snw_fit_outcome fit_on(const snw_scene *scene, const snw_registry *registry, const char *samples, snw_arena *arena) {
	const snw_fit_request request = {.method = "linear-blend-fit", .samples = samples, .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = arena};
	snw_error error = {0};
	assert_true(snw_fit_run(scene, registry, &request, NULL, &outcome, &error) >= 0);
	return outcome;
}

static void fit_reads_the_chosen_frames_alone(void **state) {
	(void)state;
	snw_scene *scene = make_arm();
	snw_arena *arena = snw_arena_create();
	snw_registry *registry = kept_registry();
	const snw_fit_outcome some = fit_on(scene, registry, "bend\n\tevery:6", arena);
	/* A target with these frames and no others gives the same model, bit for bit. */
	snw_target *bend = (snw_target *)(uintptr_t)&scene->targets[0];
	const size_t numbers = 3 * (size_t)scene->meshes[0].point_count;
	double seconds[5];
	float *points = SNW_NEW_ARRAY(arena, float, 5 * numbers);
	for (size_t f = 0; f < 5; f++) {
		seconds[f] = bend->seconds[6 * f];
		memcpy(points + f * numbers, bend->points_posed + 6 * f * numbers, numbers * sizeof *points);
	}
	const snw_fit_outcome whole = fit_on(scene, registry, "bend", arena);
	bend->frame_count = 5;
	bend->seconds = seconds;
	bend->points_posed = points;
	const snw_fit_outcome alone = fit_on(scene, registry, "bend", arena);
	assert_int_equal(some.model.byte_count, alone.model.byte_count);
	assert_memory_equal(some.model.bytes, alone.model.bytes, alone.model.byte_count);
	assert_true(whole.model.byte_count != some.model.byte_count ||
				memcmp(whole.model.bytes, some.model.bytes, some.model.byte_count) != 0);
	assert_string_equal(some.layer.samples, "bend\n\tevery:6");
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

TEST_GROUP(frames) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(choice_is_parsed_and_written_alike), cmocka_unit_test(selection_holds_names_and_frames),
		cmocka_unit_test(cover_takes_the_farthest_poses),     cmocka_unit_test(cover_chooses_without_weights),
		cmocka_unit_test(cover_says_that_it_cannot_choose),   cmocka_unit_test(choice_can_be_cancelled),
		cmocka_unit_test(fit_reads_the_chosen_frames_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
