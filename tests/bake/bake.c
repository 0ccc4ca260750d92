/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Budgets are read as they are written, poses that are held out are others than those that are fitted, the range of motion
 * turns one joint at a time, and a bake is stale when its clips have changed.
 */
#include "check.h"

#include <math.h>
#include <string.h>

#include "bake/bake.h"
#include "fit/samples.h"
#include "fit/stale.h"
#include "one_registry.h"
#include "pose/pose.h"
#include "sample/sample.h"
#include "sinew/algebra.h"
#include "tiny_arm.h"

static void budgets_are_read_in_any_order_with_defaults_for_the_rest(void **state) {
	(void)state;
	snw_budget budget;
	snw_error error = {0};
	check_ok(snw_budget_parse("", &budget, &error), error);
	assert_true(budget.influences == 4 && budget.joints == 255 && budget.helpers == 0 && budget.proxies == 0 &&
				budget.morphs == 0 && budget.bytes == 0);
	check_ok(snw_budget_parse("bytes=2.5M,helpers=24,morphs=8,proxies=40,joints=80,influences=2", &budget, &error), error);
	assert_true(budget.influences == 2 && budget.joints == 80 && budget.helpers == 24 && budget.proxies == 40 &&
				budget.morphs == 8 && budget.bytes == 2500000);
	snw_arena *arena = snw_arena_create();
	assert_string_equal(snw_budget_text(&budget, arena), "influences=2,joints=80,helpers=24,proxies=40,morphs=8,bytes=2500000");
	snw_arena_destroy(arena);
	static const char *const wrong[] = {
		"morphs",     "morphs=",      "morphs=x",  "morphs=1.5",  "bytes=1q",    "bytes=1kk",           "bytes=nan",
		"morphs=1e9", "bones=3",      "helpers=x", "proxies=321", "proxies=0.5", "proxies=1,proxies=1", "=3",
		",",          "influences=9", "joints=0",  "bytes=inf",   "morphs=-1",   "morphs=1,morphs=1"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		if (snw_budget_parse(wrong[i], &budget, &error) != SNW_ERROR_ARGUMENT) {
			fail_msg("%s is taken", wrong[i]);
		}
		assert_non_null(strstr(error.text, "expected"));
	}
}

static bool is_same(const snw_scene *scene, const snw_pose *a, const snw_pose *b) {
	return memcmp(a->local, b->local, scene->skeleton.joint_count * sizeof *a->local) == 0;
}

static bool has_pose(const snw_scene *scene, const snw_pose_set *set, uint32_t count, const snw_pose *pose) {
	bool has = false;
	for (uint32_t i = 0; i < count; i++) {
		has = has || is_same(scene, set->list[i], pose);
	}
	return has;
}

/* Whether each joint of a shuffled pose is as in some frame of its set. */
static bool is_made_of_frames(const snw_scene *scene, const snw_pose_set *set, const snw_pose *pose) {
	uint32_t known = 0;
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		bool found = false;
		for (uint32_t f = 0; f < set->frame_count; f++) {
			found = found || memcmp(&set->list[f]->local[j], &pose->local[j], sizeof *pose->local) == 0;
		}
		known += found;
	}
	return known == scene->skeleton.joint_count;
}

static void poses_held_out_are_no_fitted_ones_and_the_same_in_each_run(void **state) {
	(void)state;
	snw_scene *scene = NULL;
	snw_error error = {0};
	check_ok(make_tiny_arm(&scene, &error), error);
	snw_arena *arena = snw_arena_create();
	const uint32_t clip = snw_scene_find_clip(scene, "bend");
	snw_pose_set fitted, held_out, fitted_again, held_again;
	check_ok(snw_pose_sets_choose(scene, 1, &clip, arena, &fitted, &held_out, &error), error);
	check_ok(snw_pose_sets_choose(scene, 1, &clip, arena, &fitted_again, &held_again, &error), error);
	assert_true(held_out.frame_count > 0 && held_out.count > held_out.frame_count && fitted.count > fitted.frame_count);
	assert_true(held_out.frame_count * 3 < fitted.frame_count);
	for (uint32_t i = 0; i < held_out.frame_count; i++) {
		assert_false(has_pose(scene, &fitted, fitted.frame_count, held_out.list[i]));
	}
	for (uint32_t i = held_out.frame_count; i < held_out.count; i++) {
		assert_true(is_made_of_frames(scene, &held_out, held_out.list[i]));
		assert_true(is_same(scene, held_out.list[i], held_again.list[i]));
	}
	for (uint32_t i = fitted.frame_count; i < fitted.count; i++) {
		assert_true(is_made_of_frames(scene, &fitted, fitted.list[i]));
		assert_true(is_same(scene, fitted.list[i], fitted_again.list[i]));
	}
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

static void too_few_frames_are_refused(void **state) {
	(void)state;
	snw_scene *scene = NULL;
	snw_error error = {0};
	check_ok(make_tiny_arm(&scene, &error), error);
	snw_arena *arena = snw_arena_create();
	snw_pose_set fitted, held_out;
	scene->pose_count = 1; /* the rest alone, and no clip */
	assert_int_equal(snw_pose_sets_choose(scene, 0, NULL, arena, &fitted, &held_out, &error), SNW_ERROR_MISSING);
	assert_non_null(strstr(error.text, "too few"));
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

static void clips_that_move_shapes_alone_are_no_clips_of_a_bake(void **state) {
	(void)state;
	snw_scene *scene = NULL;
	snw_error error = {0};
	check_ok(make_tiny_arm(&scene, &error), error);
	snw_arena *arena = snw_arena_create();
	static const double seconds[] = {0, 1, 2, 3}, weights[] = {0, 1, 0, 1};
	const snw_track smile = {.target = 0,
							 .path = SNW_PATH_CHANNEL,
							 .interpolation = SNW_LINEAR,
							 .key_count = 4,
							 .seconds = seconds,
							 .values = weights};
	snw_clip clips[] = {{.name = "face", .duration_seconds = 3, .track_count = 1, .tracks = &smile},
						scene->clips[snw_scene_find_clip(scene, "bend")]};
	scene->clips = clips;
	scene->clip_count = 2;
	snw_bake_request request = {0};
	snw_bake_take_all_clips(scene, arena, &request);
	assert_int_equal(request.clip_count, 1);
	assert_int_equal(request.clips[0], 1);
	snw_pose_set fitted, held_out;
	assert_int_equal(snw_pose_sets_choose(scene, 2, (const uint32_t[]){1, 0}, arena, &fitted, &held_out, &error),
					 SNW_ERROR_MISSING);
	assert_non_null(strstr(error.text, "clip 'face' moves no joint"));
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

/* The joint that a pose turns, and by what; it turns no other. */
static uint32_t rotated_joint(const snw_scene *scene, const snw_pose *pose, double *angle) {
	uint32_t rotated = SNW_NONE;
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		const double length = snw_length3(pose->rotation_vectors + 3 * (size_t)j);
		if (length > 0) {
			assert_int_equal(rotated, SNW_NONE);
			rotated = j;
			*angle = length;
		}
	}
	return rotated;
}

static void range_of_motion_rotates_each_joint_alone_to_its_limit(void **state) {
	(void)state;
	snw_scene *scene = NULL;
	snw_error error = {0};
	check_ok(make_tiny_arm(&scene, &error), error);
	const uint32_t elbow = snw_scene_find_joint(scene, "elbow"), wrist = snw_scene_find_joint(scene, "wrist");
	double limits[3] = {0, 0, 0};
	limits[wrist] = 0.4;
	const snw_field field = {
		.name = SNW_JOINT_LIMITS, .mesh = SNW_NONE, .domain = SNW_DOMAIN_JOINTS, .components = 1, .count = 3, .values = limits};
	scene->fields = &field;
	scene->field_count = 1;
	snw_pose_set range;
	snw_pose_set_range_of_motion(scene, scene->arena, &range);
	assert_int_equal(range.count, 12); /* both ways about three axes, of the two joints below the root */
	for (uint32_t i = 0; i < range.count; i++) {
		double angle = 0;
		const uint32_t joint = rotated_joint(scene, range.list[i], &angle);
		assert_int_equal(joint, i < 6 ? elbow : wrist);
		assert_true(fabs(angle - (joint == wrist ? 0.4 : M_PI / 3)) < 1e-12);
		for (uint32_t other = 0; other < i; other++) {
			assert_false(is_same(scene, range.list[i], range.list[other]));
		}
	}
	assert_string_equal(range.list[3]->name, "elbow x +60");
	snw_scene_destroy(scene);
}

/* The kinds of what a baked layer read that differ from `reads`. */
static uint32_t changed_since(const snw_scene *scene, const snw_layer *layer, const uint64_t reads[SNW_READ_KINDS]) {
	return snw_proposals_stale(scene, registry, layer, reads);
}

static void baked_layers_are_stale_when_the_clips_that_were_posed_change(void **state) {
	(void)state;
	snw_scene *scene = NULL;
	snw_error error = {0};
	check_ok(make_tiny_arm(&scene, &error), error);
	const uint32_t bend = snw_scene_find_clip(scene, "bend"), twist = snw_scene_find_clip(scene, "twist");
	const snw_layer layer = {.name = "baked",
							 .deformer = "org.sinew.linear-blend-fit",
							 .model = SNW_NONE,
							 .samples = snw_samples_of_poses(scene, 1, &bend, scene->arena)};
	const snw_layer posed = {.name = "baked",
							 .deformer = layer.deformer,
							 .model = SNW_NONE,
							 .samples = snw_samples_of_poses(scene, 0, NULL, scene->arena)};
	const snw_deformer *deformer = snw_registry_find(registry, layer.deformer);
	uint64_t reads[SNW_READ_KINDS], of_poses[SNW_READ_KINDS];
	snw_fit_reads(scene, registry, deformer, &layer, scene->layer_count, true, reads);
	snw_fit_reads(scene, registry, deformer, &posed, scene->layer_count, true, of_poses);
	assert_true(snw_samples_are_poses(layer.samples) && snw_samples_are_poses(posed.samples));
	assert_int_equal(changed_since(scene, &layer, reads), 0);
	((double *)(uintptr_t)scene->clips[twist].tracks[0].values)[0] += 0.01; /* not read */
	scene->target_count = 0;                                                /* nor are the targets */
	assert_int_equal(changed_since(scene, &layer, reads), 0);
	((double *)(uintptr_t)scene->clips[bend].tracks[0].values)[0] += 0.01;
	assert_int_equal(changed_since(scene, &layer, reads), 1u << SNW_READ_FRAMES);
	assert_int_equal(changed_since(scene, &posed, of_poses), 0);
	((snw_pose *)(uintptr_t)scene->poses)[1].rotation_vectors[0] += 0.01;
	assert_true(changed_since(scene, &posed, of_poses) & 1u << SNW_READ_FRAMES);
	snw_scene_destroy(scene);
}

TEST_GROUP(bake) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(budgets_are_read_in_any_order_with_defaults_for_the_rest),
		cmocka_unit_test(poses_held_out_are_no_fitted_ones_and_the_same_in_each_run),
		cmocka_unit_test(range_of_motion_rotates_each_joint_alone_to_its_limit),
		cmocka_unit_test(too_few_frames_are_refused),
		cmocka_unit_test(clips_that_move_shapes_alone_are_no_clips_of_a_bake),
		cmocka_unit_test(baked_layers_are_stale_when_the_clips_that_were_posed_change),
	};
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
