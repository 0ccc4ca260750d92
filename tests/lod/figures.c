/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Levels of a human, made from one clip and measured in all frames of another, are within the figures that docs/levels.md has.
 */
#include "check.h"

#include "import/import.h"
#include "lod/lod.h"
#include "one_registry.h"
#include "pose/clip.h"
#include "pose/pose.h"

static void measure_in(const snw_scene *scene, const char *clip, snw_arena *arena, snw_lod_made *made) {
	snw_error error = {0};
	snw_stack *stack;
	const snw_stack_options whole = {0};
	double *seconds;
	uint32_t count;
	check_ok(snw_stack_build(scene, registry, &whole, NULL, &stack, &error), error);
	snw_clip_times(scene, snw_scene_find_clip(scene, clip), arena, &seconds, &count);
	snw_pose **poses = SNW_NEW_ARRAY(arena, snw_pose *, count);
	snw_pose_sample_series(scene, snw_scene_find_clip(scene, clip), count, seconds, arena, poses);
	check_ok(lod_levels_measure(scene, stack, &count, poses, made->count, made->levels, NULL, &error), error);
	snw_stack_destroy(stack);
}

static void levels_of_a_human_are_within_their_goals_in_a_clip_that_they_were_not_made_from(void **state) {
	(void)state;
	static const char *const texts[] = {"triangles=6688", "triangles=3344", "triangles=1672,joints=30"};
	static const double goals[][2] = {{0.020, 0.22}, {0.048, 0.40}, {0.093, 0.70}};
	const snw_import_request file = {.file = check_data("human-rig/human.glb")};
	snw_scene *scene;
	snw_error error = {0};
	check_ok(snw_import(&file, NULL, &scene, &error), error);
	snw_arena *arena = snw_arena_create();
	snw_lod_limits limits[3];
	for (int i = 0; i < 3; i++) {
		check_ok(snw_lod_limits_parse(texts[i], &limits[i], &error), error);
	}
	const uint32_t rom = snw_scene_find_clip(scene, "rom");
	const snw_lod_request request = {
		.level_count = 3, .levels = limits, .texts = texts, .mesh = SNW_NONE, .clip_count = 1, .clips = &rom};
	snw_lod_made made;
	check_ok(snw_lod_make(scene, registry, &request, NULL, arena, &made, &error), error);
	measure_in(scene, "dance", arena, &made);
	for (int i = 0; i < 3; i++) {
		print_message("%s: %.4f %.3f\n", texts[i], made.levels[i].rms_percent, made.levels[i].largest_percent);
		assert_true(made.levels[i].rms_percent <= goals[i][0] && made.levels[i].largest_percent <= goals[i][1]);
	}
	assert_int_equal(made.levels[2].joint_count, 30);
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

/* The root mean square of the horse's level in the frames of its gallop, made from ten poses or at rest alone. */
static double horse_error(bool from_poses) {
	const char *const poses_rest = check_data("horse-poses-rest.obj"), *const gallop_rest = check_data("horse-gallop-rest.obj");
	char poses_path[1100], gallop_path[1100];
	snprintf(poses_path, sizeof poses_path, "%s/*.obj", check_data("horse-poses"));
	snprintf(gallop_path, sizeof gallop_path, "%s/*.obj", check_data("horse-gallop"));
	const snw_import_request poses = {.sequence = poses_path, .rest = poses_rest, .is_set = true};
	const snw_import_request gallop = {.sequence = gallop_path, .rest = gallop_rest};
	snw_scene *scene, *moving;
	snw_error error = {0};
	check_ok(snw_import(&poses, NULL, &scene, &error), error);
	check_ok(snw_import(&gallop, NULL, &moving, &error), error);
	snw_arena *arena = snw_arena_create();
	static const char *const texts[] = {"triangles=4200"};
	snw_lod_limits limits;
	check_ok(snw_lod_limits_parse(texts[0], &limits, &error), error);
	const snw_lod_request request = {.level_count = 1, .levels = &limits, .texts = texts, .mesh = SNW_NONE};
	snw_lod_made made;
	scene->clip_count = from_poses ? scene->clip_count : 0;
	check_ok(snw_lod_make(scene, registry, &request, NULL, arena, &made, &error), error);
	measure_in(moving, moving->clips[0].name, arena, &made);
	const double found = made.levels[0].rms_percent;
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
	snw_scene_destroy(moving);
	return found;
}

static void a_horse_made_from_ten_poses_is_nearer_to_its_gallop_than_one_made_at_rest(void **state) {
	(void)state;
	const double from_poses = horse_error(true), at_rest = horse_error(false);
	print_message("from poses %.4f, at rest %.4f\n", from_poses, at_rest);
	assert_true(from_poses <= 0.75 * at_rest);
}

TEST_GROUP(lod_figures) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_horse_made_from_ten_poses_is_nearer_to_its_gallop_than_one_made_at_rest),
		cmocka_unit_test(levels_of_a_human_are_within_their_goals_in_a_clip_that_they_were_not_made_from),
	};
	(void)argc;
	(void)argv;
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
