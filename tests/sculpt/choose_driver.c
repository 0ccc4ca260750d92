/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which joint drives a sculpt: the one that moves its points, however far others are bent; and which group the sculpt joins.
 */
#include "check.h"

#include <math.h>
#include <string.h>

#include "edit/choose_driver.h"
#include "edit/groups.h"
#include "one_registry.h"
#include "pose/pose.h"
#include "sample/rig.h"
#include "sample/tube.h"
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

static int open_registry_with_box(void **state) {
	open_registry(state);
	check_ok(snw_registry_load(registry, TEST_JOINT_BOX, &error), error);
	return 0;
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joint_that_bends_the_sculpt_drives_it_however_far_others_are_bent),
		cmocka_unit_test(of_two_that_bend_the_sculpt_the_one_farther_from_rest_drives_it),
		cmocka_unit_test(sculpt_that_no_joint_bends_is_driven_by_the_nearest),
		cmocka_unit_test(joint_that_moves_no_point_of_the_sculpt_says_so),
		cmocka_unit_test(without_edits_the_joint_that_moves_skin_farthest_drives),
		cmocka_unit_test(black_box_is_measured_where_no_program_moves_the_points),
		cmocka_unit_test(group_is_chosen_by_its_joints_and_has_no_twin_of_the_sculpt),
	};
	return cmocka_run_group_tests(tests, open_registry_with_box, close_registry);
}
