/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which joint drives a sculpt: the one that moves its points, however far others are bent; and which group the sculpt joins.
 */
#include "check.h"

#include <math.h>
#include <string.h>

#include "example/groups.h"
#include "one_registry.h"
#include "pose/pose.h"
#include "sample/sample.h"
#include "stack/stack.h"

enum { ROOT, UPPER_L, LOWER_L, UPPER_R, LOWER_R, HELPER, JOINTS };

static snw_error error;

/* A tube along x with an arm to either side, and a joint beside it that moves no skin. */
typedef struct two_arms {
	snw_scene *scene;
	snw_layer layer;
	snw_pose *pose;
	double *original, *points;
} two_arms;

static double radius_of(double x) {
	(void)x;
	return 0.06;
}

static double ramp(double x, double begin, double end) {
	return fmin(fmax((x - begin) / (end - begin), 0), 1);
}

static void find_weights(const double rest[3], double *weights) {
	const double away = fabs(rest[0]), arm = ramp(away, 0, 0.04), low = ramp(away, 0.24, 0.36);
	const uint32_t upper = rest[0] > 0 ? UPPER_L : UPPER_R;
	memset(weights, 0, JOINTS * sizeof *weights);
	weights[ROOT] = 1 - arm;
	weights[upper] = arm * (1 - low);
	weights[upper + 1] = arm * low;
}

static void bend(const two_arms *arms, uint32_t joint, double angle) {
	snw_transform *local = &arms->pose->local[joint];
	const double quaternion[4] = {0, 0, sin(angle / 2), cos(angle / 2)};
	memcpy(local->rotation, quaternion, sizeof quaternion);
	arms->pose->rotation_vectors[3 * (size_t)joint + 2] = angle;
}

static void open_arms(two_arms *arms) {
	static const snw_tube tube = {.begin = -0.5, .end = 0.5, .dome = 0.2, .rings = 81, .sides = 12, .radius = radius_of};
	static const snw_rig_joint joints[] = {{"root", SNW_NONE, {0, 0, 0}},       {"upper_l", ROOT, {0.02, 0, 0}},
										   {"lower_l", UPPER_L, {0.28, 0, 0}},  {"upper_r", ROOT, {-0.02, 0, 0}},
										   {"lower_r", UPPER_R, {-0.28, 0, 0}}, {"helper", ROOT, {0, 0.5, 0}}};
	snw_scene *scene = snw_scene_create();
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	mesh->name = "arms";
	snw_tube_build(&tube, scene->arena, mesh);
	snw_rig_skin(mesh, JOINTS, find_weights, scene->arena);
	check_ok(snw_rig_make(scene, joints, JOINTS, &error), error);
	scene->meshes = mesh;
	scene->mesh_count = 1;
	snw_scene_add_baseline(scene);
	const size_t bytes = 3 * (size_t)mesh->point_count * sizeof(double);
	*arms = (two_arms){.scene = scene, .pose = snw_pose_rest(scene, scene->arena)};
	arms->points = snw_arena_copy(scene->arena, mesh->points_rest, bytes);
	arms->original = snw_arena_copy(scene->arena, mesh->points_rest, bytes);
}

/* Points around x are lifted by a centimetre, less at the edges. The choice counts edits alone, so the pose may be any. */
static void sculpt(const two_arms *arms, double x) {
	const snw_mesh *mesh = &arms->scene->meshes[0];
	for (size_t i = 0; i < mesh->point_count; i++) {
		const double away = (mesh->points_rest[3 * i] - x) / 0.04;
		arms->points[3 * i + 1] = arms->original[3 * i + 1] + 0.01 * fmax(1 - away * away, 0);
	}
}

static snw_driver *find(const two_arms *arms, uint32_t *count) {
	const snw_driver_query query = {
		.pose = arms->pose, .points_posed = arms->points, .points_original = arms->original, .corrective = SNW_NONE};
	snw_driver *drivers;
	check_ok(snw_find_drivers(arms->scene, registry, &query, arms->scene->arena, &drivers, count, &error), error);
	return drivers;
}

static void joint_that_bends_the_sculpt_drives_it_however_far_others_are_bent(void **state) {
	(void)state;
	two_arms arms;
	uint32_t count;
	open_arms(&arms);
	bend(&arms, LOWER_L, 0.8);
	bend(&arms, LOWER_R, 1.6);
	bend(&arms, HELPER, 3);
	sculpt(&arms, 0.3);
	const snw_driver *drivers = find(&arms, &count);
	assert_int_equal(count, 3);
	assert_int_equal(drivers[0].joint, LOWER_L);
	assert_true(drivers[0].share > 0.7 && drivers[1].share < SNW_LEAST_DRIVEN && drivers[2].share < SNW_LEAST_DRIVEN);
	sculpt(&arms, -0.3);
	drivers = find(&arms, &count);
	assert_int_equal(drivers[0].joint, LOWER_R);
	sculpt(&arms, 0); /* of the root, to which the helper belongs */
	drivers = find(&arms, &count);
	for (uint32_t i = 0; i < count; i++) {
		assert_true(drivers[i].joint != HELPER || drivers[i].share == 0);
	}
	snw_scene_destroy(arms.scene);
}

static void of_two_that_bend_the_sculpt_the_one_farther_from_rest_drives_it(void **state) {
	(void)state;
	two_arms arms;
	uint32_t count;
	for (int farther = 0; farther < 2; farther++) {
		open_arms(&arms);
		bend(&arms, UPPER_L, farther ? 1.2 : 0.3);
		bend(&arms, UPPER_R, farther ? 0.3 : 1.2);
		sculpt(&arms, 0); /* the middle, which both shoulders bend */
		assert_int_equal(find(&arms, &count)[0].joint, farther ? UPPER_L : UPPER_R);
		snw_scene_destroy(arms.scene);
	}
}

static void sculpt_that_no_joint_bends_is_driven_by_the_nearest(void **state) {
	(void)state;
	two_arms arms;
	uint32_t count;
	open_arms(&arms);
	bend(&arms, UPPER_L, 0.5);
	bend(&arms, LOWER_L, 0.5);
	bend(&arms, LOWER_R, 1.6);
	sculpt(&arms, 0.45); /* the forearm, which moves rigidly */
	const snw_driver *drivers = find(&arms, &count);
	assert_int_equal(drivers[0].joint, LOWER_L);
	assert_true(drivers[0].share > 0.9);
	bend(&arms, UPPER_L, 0);
	sculpt(&arms, 0.15); /* the biceps: its joint is at rest, but the one below it bends */
	drivers = find(&arms, &count);
	assert_int_equal(drivers[0].joint, LOWER_L);
	assert_true(drivers[0].share > 0.9);
	snw_scene_destroy(arms.scene);
}

static void joint_that_moves_no_point_of_the_sculpt_says_so(void **state) {
	(void)state;
	two_arms arms;
	uint32_t count;
	open_arms(&arms);
	bend(&arms, LOWER_R, 1.6);
	sculpt(&arms, 0.45);
	const snw_driver *drivers = find(&arms, &count);
	assert_int_equal(count, 1);
	assert_true(drivers[0].joint == LOWER_R && drivers[0].share < SNW_LEAST_DRIVEN);
	bend(&arms, LOWER_R, 0);
	find(&arms, &count);
	assert_int_equal(count, 0);
	snw_scene_destroy(arms.scene);
}

static void without_edits_the_joint_that_moves_skin_farthest_drives(void **state) {
	(void)state;
	two_arms arms;
	uint32_t count;
	open_arms(&arms);
	bend(&arms, LOWER_L, 0.8);
	bend(&arms, LOWER_R, 1.6);
	bend(&arms, HELPER, 3);
	assert_int_equal(find(&arms, &count)[0].joint, LOWER_R);
	snw_scene_destroy(arms.scene);
}

static void black_box_is_measured_where_no_program_moves_the_points(void **state) {
	(void)state;
	two_arms arms;
	uint32_t count;
	open_arms(&arms);
	arms.layer =
		(snw_layer){.name = "box", .deformer = "org.sinew.test.joint-box", .deformer_version = "1.0", .model = SNW_NONE};
	arms.scene->layers = &arms.layer;
	bend(&arms, LOWER_L, 0.8);
	bend(&arms, LOWER_R, 1.6);
	sculpt(&arms, 0.45);
	const snw_driver *drivers = find(&arms, &count);
	assert_int_equal(drivers[0].joint, LOWER_L);
	assert_true(drivers[0].share > 0.9 && drivers[1].share < SNW_LEAST_DRIVEN);
	snw_scene_destroy(arms.scene);
}

/* The arm's joints at these angles. */
static snw_pose *posed(const two_arms *arms, double lower_l, double lower_r, double upper_r) {
	two_arms copy = *arms;
	copy.pose = snw_pose_rest(arms->scene, arms->scene->arena);
	bend(&copy, LOWER_L, lower_l);
	bend(&copy, LOWER_R, lower_r);
	bend(&copy, UPPER_R, upper_r);
	return copy.pose;
}

static void expect_group(const two_arms *arms, const snw_pose *pose, uint32_t group, const char *name, uint32_t second) {
	static const uint32_t joints[] = {LOWER_L, LOWER_R, UPPER_R};
	const snw_group_choice choice = snw_choose_group(arms->scene, 0, pose, SNW_NONE, 3, joints, arms->scene->arena);
	assert_int_equal(choice.group, group);
	assert_string_equal(choice.name, name);
	assert_int_equal(choice.joint_count, second == SNW_NONE ? 1 : 2);
	assert_int_equal(choice.joints[0], LOWER_L);
	assert_true(second == SNW_NONE || choice.joints[1] == second);
	assert_int_equal(choice.twin, SNW_NONE);
}

static void group_is_chosen_by_its_joints_and_has_no_twin_of_the_sculpt(void **state) {
	(void)state;
	two_arms arms;
	open_arms(&arms);
	const snw_pose poses[] = {*posed(&arms, 1.5, 0, 0), *posed(&arms, 1.5, 0.8, 0)};
	const snw_example examples[] = {{.name = "a", .pose = 0}, {.name = "b", .pose = 1}};
	const snw_member a = {.example = 0, .mask = SNW_NONE}, b = {.example = 1, .mask = SNW_NONE};
	uint32_t upper[] = {UPPER_L}, lower[] = {LOWER_L}, both[] = {LOWER_R, LOWER_L};
	snw_group groups[] = {{.name = "lower_l", .joint_count = 1, .joints = upper},
						  {.name = "elbow", .member_count = 1, .members = &a, .joint_count = 1, .joints = lower},
						  {.name = "arms", .member_count = 1, .members = &b, .joint_count = 2, .joints = both}};
	arms.scene->poses = poses;
	arms.scene->pose_count = 2;
	arms.scene->examples = examples;
	arms.scene->example_count = 2;
	arms.scene->groups = groups;
	arms.scene->group_count = 1;
	expect_group(&arms, &poses[0], SNW_NONE, "Left lower", SNW_NONE); /* another joint drives the one of that name */
	groups[0].joint_count = 0;
	expect_group(&arms, &poses[0], 0, "lower_l", SNW_NONE); /* its method chooses */
	arms.scene->group_count = 2;
	expect_group(&arms, posed(&arms, 1, 0, 0), 1, "elbow", SNW_NONE);
	expect_group(&arms, &poses[1], SNW_NONE, "Left lower + Right lower", LOWER_R);
	arms.scene->group_count = 3;
	expect_group(&arms, posed(&arms, 1.5, -0.8, 0), 2, "arms", LOWER_R);
	expect_group(&arms, posed(&arms, 1.5, 0.8, 0.5), SNW_NONE, "Left lower + Right upper", UPPER_R);
	static const uint32_t joints[] = {LOWER_L, LOWER_R};
	assert_int_equal(snw_choose_group(arms.scene, 0, &poses[1], SNW_NONE, 2, joints, arms.scene->arena).twin, 0);
	assert_int_equal(snw_choose_group(arms.scene, 0, &poses[1], 1, 2, joints, arms.scene->arena).group,
					 2); /* no twin of itself */
	snw_scene_destroy(arms.scene);
}

/* ---- both sides ---------------------------------------------------------------------------------------------------------- */

/* Points around both elbows are lifted. */
static void sculpt_sides(const two_arms *arms, double left, double right) {
	const snw_mesh *mesh = &arms->scene->meshes[0];
	for (size_t i = 0; i < mesh->point_count; i++) {
		const double x = mesh->points_rest[3 * i], away = (fabs(x) - 0.3) / 0.04;
		arms->points[3 * i + 1] = arms->original[3 * i + 1] + (x > 0 ? left : right) * fmax(1 - away * away, 0);
	}
}

static snw_groups_of_sides find_sides(two_arms *arms, snw_pose *pose, uint32_t example) {
	const snw_driver_query query = {
		.pose = pose, .points_posed = arms->points, .points_original = arms->original, .corrective = SNW_NONE};
	uint32_t count;
	arms->pose = pose;
	const snw_driver *drivers = find(arms, &count);
	return snw_choose_groups_of_sides(arms->scene, &query, &(snw_mirror_plane){0}, example, count, drivers, arms->scene->arena);
}

/* Two examples with the same bend of the left elbow, in the group of that joint. */
static void open_elbow_group(two_arms *arms, snw_pose poses[2], const snw_example examples[2], snw_group *group) {
	static const snw_member members[] = {{.example = 0, .mask = SNW_NONE}, {.example = 1, .mask = SNW_NONE}};
	static uint32_t lower[] = {LOWER_L};
	open_arms(arms);
	poses[0] = *posed(arms, 1.2, -1.2, 0);
	poses[1] = *posed(arms, 1.2, -1.2, 0.5);
	*group = (snw_group){.name = "elbow", .member_count = 2, .members = members, .joint_count = 1, .joints = lower};
	arms->scene->poses = poses;
	arms->scene->examples = examples;
	arms->scene->groups = group;
	arms->scene->pose_count = arms->scene->example_count = 2;
	arms->scene->group_count = 1;
}

/* The first symmetric stroke on a large sculpt moves the other side little. */
static void side_that_is_sculpted_little_is_driven_by_its_joint_all_the_same(void **state) {
	(void)state;
	static const snw_example examples[] = {{.name = "a", .pose = 0}, {.name = "b", .pose = 1}};
	two_arms arms;
	snw_pose poses[2];
	snw_group group;
	open_elbow_group(&arms, poses, examples, &group);
	sculpt_sides(&arms, 0.01, 0.0005);
	const snw_groups_of_sides sides = find_sides(&arms, posed(&arms, 1.2, -1.2, 0), 0);
	assert_int_equal(sides.sides, SNW_SIDES_APART);
	assert_int_equal(sides.other.joints[0], LOWER_R);
	assert_int_equal(find_sides(&arms, posed(&arms, 1.2, 0, 0), 0).sides, SNW_SIDES_UNBENT);
	const snw_driver alone = {.joint = LOWER_L, .share = 1}; /* the other one is bent, but moves nothing of the sculpt */
	const snw_driver_query query = {.pose = posed(&arms, 1.2, -1.2, 0),
									.points_posed = arms.points,
									.points_original = arms.original,
									.corrective = SNW_NONE};
	assert_int_equal(
		snw_choose_groups_of_sides(arms.scene, &query, &(snw_mirror_plane){0}, 0, 1, &alone, arms.scene->arena).sides,
		SNW_SIDES_UNMOVED);
	/* It stays in its group, although another example there has the same bend. */
	assert_int_equal(sides.group.group, 0);
	assert_int_equal(sides.group.joint_count, 1);
	snw_scene_destroy(arms.scene);
}

/* Whatever both sides would need. */
static void driver_that_the_user_has_chosen_keeps_both_sides(void **state) {
	(void)state;
	snw_example examples[] = {{.name = "a", .pose = 0}, {.name = "b", .pose = 1}};
	two_arms arms;
	snw_pose poses[2];
	snw_group group;
	open_elbow_group(&arms, poses, examples, &group);
	sculpt_sides(&arms, 0.01, 0.01);
	assert_int_equal(snw_group_to_part(arms.scene, 0), 0);
	assert_int_equal(find_sides(&arms, posed(&arms, 1.2, -1.2, 0), 0).sides, SNW_SIDES_APART);
	examples[0].has_chosen_driver = true;
	assert_int_equal(snw_group_to_part(arms.scene, 0), SNW_NONE);
	assert_int_equal(find_sides(&arms, posed(&arms, 1.2, -1.2, 0), 0).sides, SNW_SIDES_TOGETHER);
	snw_scene_destroy(arms.scene);
}

/* The second joint is one of the same side, if that tells them apart; a joint that does not is of no use. */
static void joints_of_each_side_distinguish_poses_of_the_same_bend(void **state) {
	(void)state;
	static const snw_example examples[] = {{.name = "a", .pose = 0}, {.name = "b", .pose = 1}};
	two_arms arms, up;
	snw_pose poses[2];
	snw_group group;
	open_elbow_group(&arms, poses, examples, &group);
	up = arms;
	up.pose = posed(&arms, 1.2, -1.2, -0.5);
	bend(&up, UPPER_L, 0.5);
	sculpt_sides(&arms, 0.01, 0.01);
	const snw_groups_of_sides sides = find_sides(&arms, up.pose, SNW_NONE);
	const snw_group_choice *left = sides.other_is_left ? &sides.other : &sides.group;
	assert_int_equal(sides.sides, SNW_SIDES_APART);
	assert_int_equal(left->joint_count, 2);
	assert_int_equal(left->joints[1], UPPER_L);
	snw_scene_destroy(arms.scene);
}

/* In one group of both joints each side would replace the mask of the other, and half of the sculpt would be lost. */
static void sides_that_need_the_same_joints_stay_together(void **state) {
	(void)state;
	static const snw_example examples[] = {{.name = "a", .pose = 0}, {.name = "b", .pose = 1}};
	static const snw_member members[] = {{.example = 0, .mask = SNW_NONE}, {.example = 1, .mask = SNW_NONE}};
	static uint32_t left[] = {LOWER_L}, right[] = {LOWER_R}, both[] = {LOWER_L, LOWER_R};
	two_arms arms;
	open_arms(&arms);
	const snw_pose poses[] = {*posed(&arms, 1.2, -1.2, 0), *posed(&arms, 0.7, -0.7, 0)};
	snw_group groups[] = {{.name = "left", .member_count = 2, .members = members, .joint_count = 1, .joints = left},
						  {.name = "right", .member_count = 2, .members = members, .joint_count = 1, .joints = right},
						  {.name = "both", .joint_count = 2, .joints = both}};
	arms.scene->poses = poses;
	arms.scene->examples = examples;
	arms.scene->groups = groups;
	arms.scene->pose_count = arms.scene->example_count = 2;
	sculpt_sides(&arms, 0.01, 0.01);
	for (arms.scene->group_count = 2; arms.scene->group_count <= 3; arms.scene->group_count++) {
		assert_int_equal(find_sides(&arms, posed(&arms, 1.2, -0.7, 0), SNW_NONE).sides, SNW_SIDES_TOGETHER);
		assert_int_equal(find_sides(&arms, posed(&arms, 1.4, -0.7, 0), SNW_NONE).sides, SNW_SIDES_APART);
	}
	snw_scene_destroy(arms.scene);
}

static int open_registry_with_box(void **state) {
	open_registry(state);
	check_ok(snw_registry_load(registry, TEST_JOINT_BOX, &error), error);
	return 0;
}

TEST_GROUP(choose_driver) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joint_that_bends_the_sculpt_drives_it_however_far_others_are_bent),
		cmocka_unit_test(of_two_that_bend_the_sculpt_the_one_farther_from_rest_drives_it),
		cmocka_unit_test(sculpt_that_no_joint_bends_is_driven_by_the_nearest),
		cmocka_unit_test(joint_that_moves_no_point_of_the_sculpt_says_so),
		cmocka_unit_test(without_edits_the_joint_that_moves_skin_farthest_drives),
		cmocka_unit_test(black_box_is_measured_where_no_program_moves_the_points),
		cmocka_unit_test(group_is_chosen_by_its_joints_and_has_no_twin_of_the_sculpt),
		cmocka_unit_test(side_that_is_sculpted_little_is_driven_by_its_joint_all_the_same),
		cmocka_unit_test(driver_that_the_user_has_chosen_keeps_both_sides),
		cmocka_unit_test(joints_of_each_side_distinguish_poses_of_the_same_bend),
		cmocka_unit_test(sides_that_need_the_same_joints_stay_together),
	};
	return cmocka_run_group_tests(tests, open_registry_with_box, close_registry);
}
