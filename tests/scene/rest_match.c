/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Joints of two characters that are paired by name: each has one partner at most, and a pose is taken over once.
 */
#include "transfer/transfer.h"

#include "pose/pose.h"
#include "scene/fixture.h"

/* Roots with hands below them, of these names, and a mesh whose point follows joint `mover`. */
static snw_scene *make_scene(uint32_t joint_count, const char *const *names, uint32_t mover) {
	snw_scene *scene = snw_scene_create();
	snw_arena *arena = scene->arena;
	snw_skeleton *skeleton = &scene->skeleton;
	snw_error error;
	skeleton->joint_count = joint_count;
	skeleton->names = snw_arena_copy(arena, names, joint_count * sizeof *names);
	skeleton->parents = SNW_NEW_ARRAY(arena, uint32_t, joint_count);
	skeleton->rest_local = SNW_NEW_ARRAY(arena, snw_transform, joint_count);
	for (uint32_t j = 0; j < joint_count; j++) {
		skeleton->parents[j] = j % 2 ? j - 1 : SNW_NONE;
		skeleton->rest_local[j] = (snw_transform){.translation = {j, 0, 0}, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	}
	check_ok(snw_skeleton_finish(skeleton, arena, &error), error);
	scene->slot_count = 1;
	scene->slot_joints = FIXTURE_COPY(arena, (uint32_t[]){mover});
	scene->mesh_count = 1;
	snw_mesh *mesh = SNW_NEW(arena, snw_mesh);
	*mesh = (snw_mesh){.name = "mesh",
					   .point_count = 1,
					   .points_rest = FIXTURE_COPY(arena, (double[]){1, 0, 0}),
					   .influence_offsets = FIXTURE_COPY(arena, (uint32_t[]){0, 1}),
					   .influence_slots = FIXTURE_COPY(arena, (uint32_t[]){0}),
					   .influence_weights = FIXTURE_COPY(arena, (double[]){1})};
	scene->meshes = mesh;
	return scene;
}

/* Two characters in one file, of which the mesh belongs to the second; here are its joints without their prefix. */
static void joint_of_the_mesh_is_paired_and_its_pose_taken_once(void **state) {
	(void)state;
	static const char *const there[] = {"a:root", "a:hand", "b:root", "b:hand"}, *const here[] = {"Root", "Hand"};
	snw_arena *arena = snw_arena_create();
	snw_scene *from = make_scene(4, there, 3), *to = make_scene(2, here, 1);
	snw_rest_match match;
	snw_rest_match_make(from, 0, to, arena, &match);
	assert_int_equal(match.partners[0], SNW_NONE);
	assert_int_equal(match.partners[1], SNW_NONE);
	assert_int_equal(match.partners[2], 0);
	assert_int_equal(match.partners[3], 1);
	snw_pose *pose = snw_pose_rest(from, arena);
	for (uint32_t j = 1; j < 4; j += 2) {
		pose->local[j].translation[1] += 0.5;
		pose->local[j].scale[0] = 3;
	}
	const snw_pose *taken = snw_rest_match_pose(&match, pose, arena);
	check_near(taken->local[1].scale[0], 3, 1e-12);
	check_near(taken->local[1].translation[1], 0.5 * match.joint_scales[2], 1e-12);
	snw_scene_destroy(from);
	snw_scene_destroy(to);
	snw_arena_destroy(arena);
}

static void equal_names_come_before_bare_ones(void **state) {
	(void)state;
	static const char *const there[] = {"a:root", "a:hand", "root", "hand"}, *const here[] = {"root", "hand"};
	snw_arena *arena = snw_arena_create();
	snw_scene *from = make_scene(4, there, 1), *to = make_scene(2, here, 1);
	snw_rest_match match;
	snw_rest_match_make(from, 0, to, arena, &match);
	assert_int_equal(match.partners[1], SNW_NONE);
	assert_int_equal(match.partners[3], 1);
	snw_rest_match_make(to, 0, from, arena, &match);
	assert_int_equal(match.partners[1], 3);
	snw_scene_destroy(from);
	snw_scene_destroy(to);
	snw_arena_destroy(arena);
}

TEST_GROUP(rest_match) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joint_of_the_mesh_is_paired_and_its_pose_taken_once),
		cmocka_unit_test(equal_names_come_before_bare_ones),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
