/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inverse kinematics: known answers, limits, unreachable places, straight chains, joints that stay in place.
 */
#include "check.h"

#include "pose/pose.h"
#include "scene/scene.h"
#include "sinew/algebra.h"

enum { HIPS, CHEST, ARM_L, ELBOW_L, TWIST_L, HAND_L, FINGER_L, ARM_R, ELBOW_R, HAND_R, FINGER_R, JOINTS };

/* A trunk with two arms along x, each of two bones of length 1; the left one has a joint for twist. */
static snw_scene *make_body(void) {
	static const char *names[] = {"hips",     "chest", "arm.l",   "elbow.l", "twist.l", "hand.l",
								  "finger.l", "arm.r", "elbow.r", "hand.r",  "finger.r"};
	static const uint32_t parents[] = {SNW_NONE, HIPS, CHEST, ARM_L, ARM_L, ELBOW_L, HAND_L, CHEST, ARM_R, ELBOW_R, HAND_R};
	static const double offsets[][3] = {{0},         {0, 0.5, 0},    {0.2, 0.5, 0}, {1, 0, 0},  {0.5, 0, 0}, {1, 0, 0},
										{0.1, 0, 0}, {-0.2, 0.5, 0}, {-1, 0, 0},    {-1, 0, 0}, {-0.1, 0, 0}};
	snw_scene *scene = snw_scene_create();
	snw_skeleton *skeleton = &scene->skeleton;
	snw_error error;
	skeleton->joint_count = JOINTS;
	skeleton->names = snw_arena_copy(scene->arena, names, sizeof names);
	skeleton->parents = snw_arena_copy(scene->arena, parents, sizeof parents);
	skeleton->rest_local = SNW_NEW_ARRAY(scene->arena, snw_transform, JOINTS);
	for (int j = 0; j < JOINTS; j++) {
		skeleton->rest_local[j] = (snw_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
		memcpy(skeleton->rest_local[j].translation, offsets[j], sizeof offsets[j]);
	}
	check_ok(snw_skeleton_finish(skeleton, scene->arena, &error), error);
	return scene;
}

typedef struct fixture {
	snw_scene *scene;
	snw_arena *arena;
	snw_pose *pose;
	bool turning[JOINTS];
	double limits[JOINTS];
	snw_reach_goal goals[2];
	snw_reach reach;
	double missed;
} fixture;

/* The left hand is dragged. `bent`: the elbow at first, radians about z. */
static void open_fixture(fixture *f, double bent) {
	*f = (fixture){.scene = make_body(), .arena = snw_arena_create()};
	f->pose = snw_pose_rest(f->scene, f->arena);
	const double vector[3] = {0, 0, bent};
	snw_quat_from_rotation_vector(vector, f->pose->local[ELBOW_L].rotation);
	memcpy(f->pose->rotation_vectors + 3 * (size_t)ELBOW_L, vector, sizeof vector);
	snw_reach_chain(f->scene, HAND_L, NULL, f->turning);
	f->goals[0].joint = HAND_L;
	f->reach = (snw_reach){.goal_count = 1, .goals = f->goals, .turning = f->turning};
}

static void close_fixture(fixture *f) {
	snw_arena_destroy(f->arena);
	snw_scene_destroy(f->scene);
}

static void reach_for(fixture *f, double x, double y, double z) {
	const double place[3] = {x, y, z};
	snw_error error = {0};
	memcpy(f->goals[0].place, place, sizeof place);
	check_ok(snw_pose_reach(f->scene, &f->reach, f->pose, &f->missed, &error), error);
	for (int j = 0; j < JOINTS; j++) {
		check_near(sqrt(snw_quat_dot(f->pose->local[j].rotation, f->pose->local[j].rotation)), 1, 1e-9);
	}
}

static void place_of(const fixture *f, uint32_t joint, double dest[3]) {
	const snw_pose_view *view = snw_pose_view_make(f->scene, f->pose, f->arena);
	for (size_t c = 0; c < 3; c++) {
		dest[c] = view->global[12 * (size_t)joint + 4 * c + 3];
	}
}

/* How far a joint is rotated away from rest, radians. */
static double angle_of(const fixture *f, uint32_t joint) {
	return snw_length3(f->pose->rotation_vectors + 3 * (size_t)joint);
}

static void chain_ends_where_limbs_begin_or_at_a_pin(void **state) {
	(void)state;
	snw_scene *scene = make_body();
	bool turning[JOINTS], pinned[JOINTS] = {false};
	assert_int_equal(snw_reach_chain(scene, HAND_L, NULL, turning), 2); /* not the chest, which has two arms */
	assert_true(turning[ARM_L] && turning[ELBOW_L] && !turning[CHEST] && !turning[HAND_L]);
	pinned[HIPS] = true;
	assert_int_equal(snw_reach_chain(scene, HAND_L, pinned, turning), 3);
	assert_true(turning[CHEST] && !turning[HIPS]);
	pinned[ARM_L] = true;
	assert_int_equal(snw_reach_chain(scene, HAND_L, pinned, turning), 1);
	assert_int_equal(snw_reach_chain(scene, HIPS, pinned, turning), 0);
	snw_scene_destroy(scene);
}

/* The shoulder is at (0.2, 1, 0). In the plane of the elbow's bend the law of cosines gives both angles. */
static void hand_reaches_its_place_with_the_angles_of_the_law_of_cosines(void **state) {
	(void)state;
	static const double places[][3] = {{1.2, 2, 0}, {0.7, 1.3, 0.9}, {1.5, 0.2, -0.3}, {0.4, 0.5, 0.3}, {1.7, 2.1, 0}};
	for (size_t k = 0; k < 5; k++) {
		fixture f;
		open_fixture(&f, 0.4);
		reach_for(&f, places[k][0], places[k][1], places[k][2]);
		double hand[3];
		place_of(&f, HAND_L, hand);
		for (int c = 0; c < 3; c++) {
			check_near(hand[c], places[k][c], 1e-6);
		}
		const double x = places[k][0] - 0.2, y = places[k][1] - 1, bend = acos((x * x + y * y) / 2 - 1);
		if (places[k][2] == 0) {
			check_near(f.pose->rotation_vectors[3 * ELBOW_L + 2], bend, 1e-5);
			check_near(f.pose->rotation_vectors[3 * ARM_L + 2], atan2(y, x) - bend / 2, 1e-5);
		}
		assert_true(angle_of(&f, CHEST) == 0 && angle_of(&f, ARM_R) == 0);
		close_fixture(&f);
	}
}

static void limits_are_respected(void **state) {
	(void)state;
	fixture f;
	open_fixture(&f, 0.4);
	f.reach.limits = f.limits;
	f.limits[ARM_L] = 1;
	f.limits[ELBOW_L] = 0.8;
	for (int k = 0; k < 50; k++) {
		reach_for(&f, 0.2 + 2.2 * cos(0.13 * k), 1 + 1.5 * sin(0.29 * k), 1.2 * sin(0.4 * k));
		assert_true(angle_of(&f, ARM_L) <= 1 + 1e-9 && angle_of(&f, ELBOW_L) <= 0.8 + 1e-9);
	}
	close_fixture(&f);
	open_fixture(&f, 0.4); /* what is within them is reached */
	f.reach.limits = f.limits;
	f.limits[ARM_L] = 1;
	f.limits[ELBOW_L] = 0.8;
	reach_for(&f, 0.2 + 1.8, 1 + 0.6, 0);
	check_near(f.missed, 0, 1e-6);
	close_fixture(&f);
}

static void unreachable_place_is_pointed_at_and_the_way_there_is_smooth(void **state) {
	(void)state;
	fixture f;
	open_fixture(&f, 0.4);
	double last[3 * JOINTS], longest = 0;
	for (int k = 0; k <= 400; k++) {
		const double distance = 1 + 0.01 * k; /* from half of the arm's length to 2.5 times */
		reach_for(&f, 0.2 + distance * 0.6, 1 + distance * 0.8, 0.1);
		for (int i = 0; i < 3 * JOINTS && k > 0; i++) {
			longest = fmax(longest, fabs(f.pose->rotation_vectors[i] - last[i]));
		}
		memcpy(last, f.pose->rotation_vectors, sizeof last);
	}
	/* Radians for a two-hundredth of the arm's length; the law of cosines alone asks for 0.2 in the last one before full
	 * stretch. */
	assert_true(longest < 0.21);
	double hand[3];
	place_of(&f, HAND_L, hand);
	const double way[3] = {hand[0] - 0.2, hand[1] - 1, hand[2]};
	check_near(snw_length3(way), 2, 2e-3);
	check_near(way[0] / snw_length3(way), 0.6, 0.01);
	close_fixture(&f);
}

static void straight_arm_bends_about_the_given_axis(void **state) {
	(void)state;
	const double axis[3] = {0, 0, 1};
	fixture f;
	open_fixture(&f, 0);
	reach_for(&f, 1.4, 1, 0);
	check_near(f.missed, 0.8, 1e-6); /* straight, and nothing says how to bend */
	f.reach.bend_axis = axis;
	reach_for(&f, 1.4, 1, 0);
	check_near(f.missed, 0, 1e-5);
	check_near(f.pose->rotation_vectors[3 * ELBOW_L + 2], -2 * acos(0.6), 1e-4);
	close_fixture(&f);
}

static void second_goal_stays_in_place(void **state) {
	(void)state;
	fixture f;
	open_fixture(&f, 0.4);
	f.turning[CHEST] = f.turning[ARM_R] = f.turning[ELBOW_R] = true;
	f.goals[1].joint = HAND_R;
	place_of(&f, HAND_R, f.goals[1].place);
	f.goals[1].place[0] += 0.2;
	f.reach.goal_count = 2;
	reach_for(&f, 1.6, 1.8, 0.4);
	double hand[3];
	place_of(&f, HAND_R, hand);
	for (int c = 0; c < 3; c++) {
		check_near(hand[c], f.goals[1].place[c], 1e-4);
	}
	check_near(f.missed, 0, 1e-4);
	close_fixture(&f);
}

static void wrong_requests_change_nothing(void **state) {
	(void)state;
	fixture f;
	open_fixture(&f, 0.4);
	snw_error error = {0};
	snw_pose *before = snw_pose_copy(f.scene, f.pose, f.arena);
	f.goals[0].place[1] = NAN;
	assert_int_equal(snw_pose_reach(f.scene, &f.reach, f.pose, &f.missed, &error), SNW_ERROR_ARGUMENT);
	assert_non_null(strstr(error.text, "hand.l"));
	f.goals[0].joint = JOINTS;
	assert_int_equal(snw_pose_reach(f.scene, &f.reach, f.pose, &f.missed, &error), SNW_ERROR_ARGUMENT);
	f.reach.goal_count = SNW_REACH_MOST_GOALS + 1;
	assert_int_equal(snw_pose_reach(f.scene, &f.reach, f.pose, &f.missed, &error), SNW_ERROR_ARGUMENT);
	assert_memory_equal(before->local, f.pose->local, JOINTS * sizeof *before->local);
	close_fixture(&f);
}

TEST_GROUP(reach) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chain_ends_where_limbs_begin_or_at_a_pin),
		cmocka_unit_test(hand_reaches_its_place_with_the_angles_of_the_law_of_cosines),
		cmocka_unit_test(limits_are_respected),
		cmocka_unit_test(unreachable_place_is_pointed_at_and_the_way_there_is_smooth),
		cmocka_unit_test(straight_arm_bends_about_the_given_axis),
		cmocka_unit_test(second_goal_stays_in_place),
		cmocka_unit_test(wrong_requests_change_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
