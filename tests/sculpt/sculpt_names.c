/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Titles of joints with the names that programs give them, and names of sculpts after what their pose does.
 */
#include "check.h"

#include <math.h>
#include <string.h>

#include "example/examples.h"
#include "pose/pose.h"
#include "sample/sample.h"

static snw_error error;

static void expect_title(const char *above, const char *name, const char *below, const char *title) {
	const char *names[] = {above, name, below};
	uint32_t parents[] = {SNW_NONE, 0, 1};
	const snw_skeleton skeleton = {.joint_count = 3, .names = names, .parents = parents};
	snw_arena *arena = snw_arena_create();
	assert_string_equal(snw_joint_title(&skeleton, 1, arena), title);
	snw_arena_destroy(arena);
}

static void title_of_a_joint_is_its_part_of_the_body_whatever_program_named_it(void **state) {
	(void)state;
	static const char *const names[][2] = {
		{"upperarm_r", "Right shoulder"},
		{"mixamorig:RightArm", "Right shoulder"},
		{"mixamorig1:RightForeArm", "Right elbow"},
		{"mixamorig_RightUpLeg", "Right hip"},
		{"Bip01 R UpperArm", "Right shoulder"},
		{"Bip001_L_Calf", "Left knee"},
		{"J_Bip_R_UpperArm", "Right shoulder"},
		{"J_Bip_C_UpperChest", "Upper chest"},
		{"右腕", "Right shoulder"},
		{"左ひじ", "Left elbow"},
		{"右人指２", "Right index finger 2"},
		{"ValveBiped.Bip01_R_Forearm", "Right elbow"},
		{"DEF-upper_arm.L.001", "Left shoulder 1"},
		{"lThighBend", "Left thigh bend"},
		{"LeftHandIndex1", "Left index finger 1"},
		{"index_01_l", "Left index finger 1"},
		{"spine_02", "Spine 2"},
		{"upperarm_twist_01_r", "Right upper arm twist 1"},
		{"elbow", "Elbow"},
		{"ponytail_03", "Ponytail 3"},
		{"Хвост", "Хвост"},
		{"joint", "joint"},
		{"joint-5", "joint-5"},
		{"Bone.003", "Bone.003"},
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		expect_title("root", names[i][0], "end", names[i][1]);
	}
}

static void arm_leg_and_shoulder_mean_what_their_neighbours_say(void **state) {
	(void)state;
	expect_title("Chest", "Shoulder.R", "Arm.R", "Right clavicle");
	expect_title("Chest", "Shoulder.R", "Elbow.R", "Right shoulder");
	expect_title("Shoulder.R", "Arm.R", "ForeArm.R", "Right shoulder");
	expect_title("UpperArm.R", "Arm.R", "Hand.R", "Right elbow");
	expect_title("RightUpLeg", "RightLeg", "RightFoot", "Right knee");
	expect_title("Hips", "leg_r", "shin_r", "Right hip");
}

static void expect_titles(uint32_t count, const char **names, const uint32_t *parents, const char *const *titles) {
	const snw_skeleton skeleton = {.joint_count = count, .names = names, .parents = (uint32_t *)(uintptr_t)parents};
	snw_arena *arena = snw_arena_create();
	for (uint32_t j = 0; j < count; j++) {
		assert_string_equal(snw_joint_title(&skeleton, j, arena), titles[j]);
	}
	snw_arena_destroy(arena);
}

/* As Khronos' CesiumMan has them: from the shoulder to the wrist the numbers fall on the left and rise on the right. */
static void joints_of_a_limb_with_the_same_name_are_numbered_by_their_order(void **state) {
	(void)state;
	const char *arms[] = {"Skeleton_torso_joint_2",   "Skeleton_arm_joint_L__4_", "Skeleton_arm_joint_L__3_",
						  "Skeleton_arm_joint_L__2_", "Skeleton_arm_joint_R",     "Skeleton_arm_joint_R__2_",
						  "Skeleton_arm_joint_R__3_"};
	static const uint32_t arm_parents[] = {SNW_NONE, 0, 1, 2, 0, 4, 5};
	static const char *const arm_titles[] = {"Torso 2",        "Left shoulder", "Left elbow", "Left wrist",
											 "Right shoulder", "Right elbow",   "Right wrist"};
	expect_titles(7, arms, arm_parents, arm_titles);
	const char *legs[] = {"torso_joint_1", "leg_joint_L_1", "leg_joint_L_2", "leg_joint_L_3", "leg_joint_L_5"};
	static const uint32_t chain[] = {SNW_NONE, 0, 1, 2, 3, 4, 5};
	static const char *const leg_titles[] = {"Torso 1", "Left hip", "Left knee", "Left ankle", "Left toes"};
	expect_titles(5, legs, chain, leg_titles);
	const char *tentacle[] = {"root", "arm_1", "arm_2", "arm_3", "arm_4", "arm_5"}; /* no arm of a body has five joints */
	static const char *const tentacle_titles[] = {"Root", "Arm 1", "Arm 2", "Arm 3", "Arm 4", "Arm 5"};
	expect_titles(6, tentacle, chain, tentacle_titles);
}

enum { ROOT, UPPER, LOWER, HAND, JOINTS };

/* An arm along x. */
static snw_scene *make_arm(void) {
	static const snw_rig_joint joints[] = {{"root", SNW_NONE, {0, 0, 0}},
										   {"upperarm_l", ROOT, {0.2, 0, 0}},
										   {"lowerarm_l", UPPER, {0.3, 0, 0}},
										   {"hand_l", LOWER, {0.3, 0, 0}}};
	snw_scene *scene = snw_scene_create();
	check_ok(snw_rig_make(scene, joints, JOINTS, &error), error);
	return scene;
}

static const snw_pose *rotated(const snw_scene *scene, uint32_t joint, size_t axis, double degrees) {
	snw_pose *pose = snw_pose_rest(scene, scene->arena);
	pose->rotation_vectors[3 * (size_t)joint + axis] = degrees * M_PI / 180;
	return pose;
}

static void expect_name(const snw_scene *scene, const snw_pose *pose, uint32_t joint, const char *name) {
	assert_string_equal(snw_sculpt_example_name(scene, pose, joint, scene->arena), name);
}

static void sculpt_is_called_after_its_driver_and_stays_the_only_one_of_its_name(void **state) {
	(void)state;
	snw_scene *scene = make_arm();
	const snw_pose *up = rotated(scene, UPPER, 2, 80);
	expect_name(scene, up, UPPER, "Left shoulder 80°");
	expect_name(scene, rotated(scene, UPPER, 0, -45), UPPER, "Left shoulder twist 45°");
	expect_name(scene, rotated(scene, HAND, 0, 45), HAND, "Left wrist twist 45°"); /* along the forearm */
	expect_name(scene, rotated(scene, ROOT, 0, 0), LOWER, "Left elbow moved");
	const snw_example taken[] = {{.name = "Left shoulder 80°"}, {.name = "Left shoulder 80° up"}};
	scene->examples = taken;
	scene->example_count = 1;
	expect_name(scene, up, UPPER, "Left shoulder 80° up");
	expect_name(scene, rotated(scene, UPPER, 2, -80), UPPER, "Left shoulder 80° down");
	expect_name(scene, rotated(scene, UPPER, 1, -80), UPPER, "Left shoulder 80° forward");
	expect_name(scene, rotated(scene, UPPER, 1, 80), UPPER, "Left shoulder 80° back");
	scene->example_count = 2;
	expect_name(scene, up, UPPER, "Left shoulder 80° up-2");
	scene->example_count = 0;
	const snw_pose posed = {.name = "Left shoulder 80°"};
	scene->poses = &posed;
	scene->pose_count = 1;
	expect_name(scene, up, UPPER, "Left shoulder 80° up");
	snw_scene_destroy(scene);
}

/* Programs number copies of a bone, and the bones of a finger. */
static void number_of_a_joint_is_no_part_of_the_angle(void **state) {
	(void)state;
	static const snw_rig_joint joints[] = {{"root", SNW_NONE, {0, 0, 0}},
										   {"upper_arm.L", 0, {0.2, 0, 0}},
										   {"forearm.L.001", 1, {0.3, 0, 0}},
										   {"f_index.01.L", 2, {0.3, 0, 0}},
										   {"f_index.02.L", 3, {0.1, 0, 0}}};
	snw_scene *scene = snw_scene_create();
	check_ok(snw_rig_make(scene, joints, 5, &error), error);
	assert_string_equal(snw_joint_title(&scene->skeleton, 2, scene->arena), "Left elbow 1");
	expect_name(scene, rotated(scene, 2, 2, 90), 2, "Left elbow 90°");
	expect_name(scene, rotated(scene, 2, 0, 90), 2, "Left elbow twist 90°");
	const char *finger = snw_joint_title(&scene->skeleton, 4, scene->arena);
	expect_name(scene, rotated(scene, 4, 2, 90), 4, snw_arena_format(scene->arena, "%s at 90°", finger));
	assert_true(snw_sculpt_is_named_after(scene, rotated(scene, 2, 2, 90), 2, "Left elbow 90°"));
	snw_scene_destroy(scene);
}

static void pose_of_a_sculpt_is_called_after_all_that_it_does(void **state) {
	(void)state;
	snw_scene *scene = make_arm();
	snw_pose *pose = snw_pose_rest(scene, scene->arena);
	pose->rotation_vectors[3 * UPPER + 2] = 80 * M_PI / 180;
	assert_string_equal(snw_sculpt_pose_name(scene, pose, "Left shoulder 80°", UPPER, scene->arena), "Left shoulder 80°");
	pose->rotation_vectors[3 * LOWER + 1] = 0.5;
	assert_string_equal(snw_sculpt_pose_name(scene, pose, "Left shoulder 80°", UPPER, scene->arena),
						"Left shoulder 80°, Left elbow 29°");
	pose->rotation_vectors[3 * HAND + 1] = 0.5;
	assert_string_equal(snw_sculpt_pose_name(scene, pose, "Left shoulder 80°", UPPER, scene->arena),
						"Left shoulder 80° and 2 joints");
	const snw_clip clip = {.id = 7, .name = "dance"};
	scene->clips = &clip;
	scene->clip_count = 1;
	pose->clip = 7;
	pose->seconds = 1.25;
	assert_string_equal(snw_sculpt_pose_name(scene, pose, "Left shoulder 80°", UPPER, scene->arena), "dance 1.25 s");
	snw_scene_destroy(scene);
}

static void name_that_the_user_gave_is_not_after_a_joint(void **state) {
	(void)state;
	snw_scene *scene = make_arm();
	const snw_pose *up = rotated(scene, UPPER, 2, 80);
	assert_true(snw_sculpt_is_named_after(scene, up, UPPER, "Left shoulder 80° up-2"));
	assert_false(snw_sculpt_is_named_after(scene, up, UPPER, "raise"));
	assert_false(snw_sculpt_is_named_after(scene, up, LOWER, "Left shoulder 80°"));
	char *other = snw_mirror_name("Left shoulder 80° up", scene->arena);
	assert_string_equal(other, "Right shoulder 80° up");
	assert_string_equal(snw_mirror_name("Left hip + Right knee", scene->arena), "Right hip + Left knee");
	assert_string_equal(snw_mirror_name("arm_l+wrist_l", scene->arena), "arm_r+wrist_r");
	assert_string_equal(snw_mirror_name("右腕", scene->arena), "左腕");
	snw_scene_destroy(scene);
}

TEST_GROUP(sculpt_names) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(title_of_a_joint_is_its_part_of_the_body_whatever_program_named_it),
		cmocka_unit_test(arm_leg_and_shoulder_mean_what_their_neighbours_say),
		cmocka_unit_test(joints_of_a_limb_with_the_same_name_are_numbered_by_their_order),
		cmocka_unit_test(sculpt_is_called_after_its_driver_and_stays_the_only_one_of_its_name),
		cmocka_unit_test(number_of_a_joint_is_no_part_of_the_angle),
		cmocka_unit_test(pose_of_a_sculpt_is_called_after_all_that_it_does),
		cmocka_unit_test(name_that_the_user_gave_is_not_after_a_joint),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
