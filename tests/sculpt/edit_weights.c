/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skin weights edited as a whole: pruned, mirrored, copied, with locked joints. Sums stay 1.
 */
#include "weights/weights.h"

#include "check.h"
#include "sample/sample.h"
#include "scene/scene.h"

/* A strip of two quads across the plane x = 0, three columns of two points; joints in the middle and on both sides. */
enum { MIDDLE, LEFT, RIGHT, JOINTS, POINTS = 6, INFLUENCES = 9 };

typedef struct strip {
	snw_scene *scene;
	snw_arena *arena;
	snw_mesh mesh;
} strip;

static const double points[POINTS][3] = {{-1, 0, 0}, {-1, 1, 0}, {0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}};
static const uint32_t face_offsets[3] = {0, 4, 8}, face_points[8] = {0, 2, 3, 1, 2, 4, 5, 3};
static const uint32_t offsets[POINTS + 1] = {0, 1, 2, 4, 5, 8, 9};
static const uint32_t slots[INFLUENCES] = {RIGHT, RIGHT, MIDDLE, LEFT, MIDDLE, LEFT, MIDDLE, RIGHT, LEFT};
static const double weights[INFLUENCES] = {1, 1, 0.5, 0.5, 1, 0.6, 0.3, 0.1, 1};

static int open_strip(void **state) {
	strip *s = calloc(1, sizeof *s);
	s->scene = snw_scene_create();
	s->arena = snw_arena_create();
	const snw_rig_joint joints[JOINTS] = {
		{"middle", SNW_NONE, {0, 0, 0}}, {"arm_l", MIDDLE, {1, 0, 0}}, {"arm_r", MIDDLE, {-1, 0, 0}}};
	snw_error error = {0};
	check_ok(snw_rig_make(s->scene, joints, JOINTS, &error), error);
	s->mesh = (snw_mesh){.name = "strip",
						 .point_count = POINTS,
						 .points_rest = points[0],
						 .face_count = 2,
						 .face_offsets = face_offsets,
						 .face_points = face_points,
						 .influence_offsets = offsets,
						 .influence_slots = slots,
						 .influence_weights = weights};
	*state = s;
	return 0;
}

static int close_strip(void **state) {
	strip *s = *state;
	snw_arena_destroy(s->arena);
	snw_scene_destroy(s->scene);
	free(s);
	return 0;
}

static double weight_at(const snw_mesh *mesh, uint32_t point, uint32_t slot) {
	double weight = 0;
	for (uint32_t k = mesh->influence_offsets[point]; k < mesh->influence_offsets[point + 1]; k++) {
		weight += mesh->influence_slots[k] == slot ? mesh->influence_weights[k] : 0;
	}
	return weight;
}

static void expect_weights(const snw_mesh *mesh, uint32_t point, double middle, double left, double right) {
	check_near(weight_at(mesh, point, MIDDLE), middle, 1e-12);
	check_near(weight_at(mesh, point, LEFT), left, 1e-12);
	check_near(weight_at(mesh, point, RIGHT), right, 1e-12);
}

static snw_mesh pruned(strip *s, uint32_t most, double least) {
	return snw_skin_prune(s->scene, &s->mesh, most, least, 0, NULL, s->arena);
}

static void pruned_points_keep_their_largest_weights(void **state) {
	strip *s = *state;
	const snw_mesh two = pruned(s, 2, 0), large = pruned(s, SNW_NONE, 0.31);
	expect_weights(&two, 4, 1.0 / 3, 2.0 / 3, 0);
	expect_weights(&large, 4, 0, 1, 0);
	expect_weights(&large, 2, 0.5, 0.5, 0);
	const snw_mesh one = pruned(s, 1, 0);
	assert_int_equal(one.influence_offsets[POINTS], POINTS);
}

static char refused[1000];

static snw_status try_mirror(strip *s, bool from_larger, snw_mesh *result) {
	const snw_mirror_options options = {.method = SNW_MIRROR_POSITION};
	snw_mirror_map map;
	snw_mirror_joints joints;
	snw_error error = {0};
	check_ok(snw_mirror_map_build(&s->mesh, &options, s->arena, &map, &error), error);
	snw_mirror_joints_find(s->scene, &options.plane, 0, s->arena, &joints);
	const snw_status status = snw_skin_mirror(s->scene, &s->mesh, &map, &joints, from_larger, s->arena, result, &error);
	snprintf(refused, sizeof refused, "%s", snw_failed(status) ? error.text : "");
	return status;
}

static snw_mesh mirrored(strip *s, bool from_larger) {
	snw_mesh result = {0};
	assert_int_equal(try_mirror(s, from_larger, &result), SNW_OK);
	return result;
}

static void one_side_is_mirrored_onto_the_other(void **state) {
	strip *s = *state;
	const snw_mesh from_left = mirrored(s, true), from_right = mirrored(s, false);
	expect_weights(&from_left, 4, 0.3, 0.6, 0.1);
	expect_weights(&from_left, 0, 0.3, 0.1, 0.6);
	expect_weights(&from_left, 2, 0.5, 0.25, 0.25);
	expect_weights(&from_right, 0, 0, 0, 1);
	expect_weights(&from_right, 4, 0, 1, 0);
}

static void joint_that_can_take_no_weights_is_named(void **state) {
	strip *s = *state;
	snw_mesh result;
	static const uint32_t used[POINTS] = {MIDDLE, MIDDLE, MIDDLE, MIDDLE, LEFT, LEFT};
	static const uint32_t starts[POINTS + 1] = {0, 1, 2, 3, 4, 5, 6};
	static const double whole[POINTS] = {1, 1, 1, 1, 1, 1};
	s->mesh.influence_offsets = starts;
	s->mesh.influence_slots = used;
	s->mesh.influence_weights = whole;
	s->scene->slot_count = RIGHT; /* the last joint's is gone */
	assert_int_equal(try_mirror(s, true, &result), SNW_ERROR_MISSING);
	if (!strstr(refused, "'arm_r' has no bind matrix")) {
		fail_msg("%s", refused);
	}
	assert_int_equal(try_mirror(s, false, &result), SNW_OK);
}

/* Weights outside 0 to 1 are valid. */
static void normalised_weights_keep_their_signs(void **state) {
	strip *s = *state;
	static const double twice[INFLUENCES] = {2, 2, 1, 1, 2, 2.4, -0.6, 0.2, 2};
	s->mesh.influence_weights = twice;
	const snw_mesh result = snw_skin_normalise(&s->mesh, s->arena);
	expect_weights(&result, 4, -0.3, 1.2, 0.1);
	expect_weights(&result, 2, 0.5, 0.5, 0);
	assert_int_equal(result.influence_offsets[POINTS], INFLUENCES);
}

/* A strip a little in front of the first, whose points are at its edges' middles. */
static void copied_weights_are_those_of_the_nearest_place(void **state) {
	strip *s = *state;
	static const double between[3][3] = {{0.5, 0, 0.1}, {0, 0.5, 0.1}, {-9, 1, 0}};
	const snw_mesh other = {.name = "other", .point_count = 3, .points_rest = between[0]};
	snw_error error = {0};
	snw_mesh copied, same;
	check_ok(snw_skin_from_mesh(&other, &s->mesh, NULL, s->arena, &copied, &error), error);
	expect_weights(&copied, 0, 0.4, 0.55, 0.05);
	expect_weights(&copied, 1, 0.75, 0.25, 0);
	expect_weights(&copied, 2, 0, 0, 1);
	check_ok(snw_skin_from_mesh(&s->mesh, &s->mesh, NULL, s->arena, &same, &error), error);
	for (uint32_t i = 0; i < POINTS; i++) {
		expect_weights(&same, i, weight_at(&s->mesh, i, MIDDLE), weight_at(&s->mesh, i, LEFT), weight_at(&s->mesh, i, RIGHT));
	}
}

static bool refuse(void *context, double fraction, const char *activity) {
	(void)context;
	(void)fraction;
	(void)activity;
	return false;
}

static void copying_ends_without_points_and_when_it_is_stopped(void **state) {
	strip *s = *state;
	static const uint32_t none = 0;
	const snw_mesh empty = {.name = "nothing", .points_rest = points[0], .face_offsets = &none, .influence_offsets = &none};
	const snw_task task = {.progress = refuse};
	snw_error error = {0};
	snw_mesh copied;
	assert_int_equal(snw_skin_from_mesh(&s->mesh, &empty, NULL, s->arena, &copied, &error), SNW_ERROR_MISSING);
	assert_non_null(strstr(error.text, "'nothing' has no points"));
	assert_int_equal(snw_skin_from_mesh(&s->mesh, &s->mesh, &task, s->arena, &copied, &error), SNW_CANCELLED);
}

/* Values outside 0 to 1 count as these. */
static void mask_says_how_much_of_a_skin_is_taken(void **state) {
	strip *s = *state;
	static const double mask[POINTS] = {0, 1, 0.5, 0.25, -3, 7};
	static const uint32_t all_left[POINTS] = {LEFT, LEFT, LEFT, LEFT, LEFT, LEFT}, starts[POINTS + 1] = {0, 1, 2, 3, 4, 5, 6};
	static const double whole[POINTS] = {1, 1, 1, 1, 1, 1};
	snw_mesh wanted = s->mesh;
	wanted.influence_offsets = starts;
	wanted.influence_slots = all_left;
	wanted.influence_weights = whole;
	const snw_mesh mixed = snw_skin_mix(&s->mesh, &wanted, mask, s->arena);
	expect_weights(&mixed, 0, 0, 0, 1);
	expect_weights(&mixed, 1, 0, 1, 0);
	expect_weights(&mixed, 2, 0.25, 0.75, 0);
	expect_weights(&mixed, 3, 0.75, 0.25, 0);
	expect_weights(&mixed, 4, 0.3, 0.6, 0.1);
	expect_weights(&mixed, 5, 0, 1, 0);
	assert_int_equal(snw_skin_most_influences(&mixed), 3);
	assert_int_equal(snw_skin_most_influences(&wanted), 1);
}

/* Locked joints count among the most that may move a point. */
static void locked_joints_are_counted(void **state) {
	strip *s = *state;
	const uint32_t locked[] = {RIGHT};
	for (uint32_t most = 1; most <= 3; most++) {
		const snw_mesh wanted = snw_skin_prune(s->scene, &s->mesh, most, 0, 1, locked, s->arena);
		const snw_mesh kept = snw_skin_lock(s->scene, &s->mesh, &wanted, 1, locked, s->arena);
		expect_weights(&kept, 4, most < 3 ? 0 : 0.3, most < 3 ? 0.9 : 0.6, 0.1);
		assert_int_equal(kept.influence_offsets[5] - kept.influence_offsets[4], most < 3 ? 2 : 3);
		assert_int_equal(kept.influence_offsets[6] - kept.influence_offsets[5], 1);
	}
}

/* The point of three influences, of LEFT, MIDDLE and RIGHT, with these weights and the first two locked, where a skin wants
 * RIGHT. */
static snw_mesh locked_against_right(strip *s, double left, double middle, double right, uint32_t most) {
	static const uint32_t locked[] = {LEFT, MIDDLE}, starts[POINTS + 1] = {0, 1, 2, 3, 4, 5, 6};
	static const uint32_t all_right[POINTS] = {RIGHT, RIGHT, RIGHT, RIGHT, RIGHT, RIGHT};
	static const double whole[POINTS] = {1, 1, 1, 1, 1, 1};
	double *changed = snw_arena_copy(s->arena, weights, sizeof weights);
	changed[5] = left;
	changed[6] = middle;
	changed[7] = right;
	s->mesh.influence_weights = changed;
	snw_mesh wanted = s->mesh;
	wanted.influence_offsets = starts;
	wanted.influence_slots = all_right;
	wanted.influence_weights = whole;
	const snw_mesh kept = snw_skin_lock(s->scene, &s->mesh, &wanted, 2, locked, s->arena);
	const snw_mesh few = snw_skin_prune(s->scene, &kept, most, 0, 2, locked, s->arena);
	return snw_skin_lock(s->scene, &s->mesh, &few, 2, locked, s->arena);
}

static uint32_t count_at(const snw_mesh *mesh, uint32_t point) {
	return mesh->influence_offsets[point + 1] - mesh->influence_offsets[point];
}

static void what_locked_joints_leave_is_taken_unless_it_is_rounding(void **state) {
	strip *s = *state;
	const snw_mesh rounded = locked_against_right(s, 0.6, 0.4 - 1e-12, 0, 2);
	expect_weights(&rounded, 4, 0.4, 0.6, 0);
	assert_int_equal(count_at(&rounded, 4), 2);
	const snw_mesh taken = locked_against_right(s, 0.6, 0.3, 0.1, 2);
	expect_weights(&taken, 4, 0.3, 0.6, 0.1);
	assert_int_equal(count_at(&taken, 4), 3);
	const snw_mesh above = locked_against_right(s, 0.9, 0.3, -0.2, 3);
	expect_weights(&above, 4, 0.3, 0.9, -0.2);
}

/* Also weights below 0, and those whose sum is not 1 to the last bit. */
static void points_outside_the_mask_stay_to_the_last_bit(void **state) {
	strip *s = *state;
	static const double changed[INFLUENCES] = {1, 1, 0.5, 0.5, 1, 0.2, 0.7, 0.1, 1}, mask[POINTS] = {0};
	s->mesh.influence_weights = changed;
	assert_true(0.2 + 0.7 + 0.1 != 1);
	const snw_mesh wanted = pruned(s, 1, 0), mixed = snw_skin_mix(&s->mesh, &wanted, mask, s->arena);
	assert_memory_equal(mixed.influence_offsets, offsets, sizeof offsets);
	assert_memory_equal(mixed.influence_slots, slots, sizeof slots);
	assert_memory_equal(mixed.influence_weights, changed, sizeof changed);
}

static void locked_joints_keep_their_weights(void **state) {
	strip *s = *state;
	const uint32_t locked[] = {MIDDLE};
	const snw_mesh wanted = pruned(s, 1, 0);
	const snw_mesh kept = snw_skin_lock(s->scene, &s->mesh, &wanted, 1, locked, s->arena);
	expect_weights(&kept, 4, 0.3, 0.7, 0);
	expect_weights(&kept, 2, 0.5, 0.5, 0); /* the only wanted joint is locked: the others stay */
	expect_weights(&kept, 3, 1, 0, 0);
	expect_weights(&kept, 5, 0, 1, 0);
}

TEST_GROUP(edit_weights) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(pruned_points_keep_their_largest_weights, open_strip, close_strip),
		cmocka_unit_test_setup_teardown(one_side_is_mirrored_onto_the_other, open_strip, close_strip),
		cmocka_unit_test_setup_teardown(joint_that_can_take_no_weights_is_named, open_strip, close_strip),
		cmocka_unit_test_setup_teardown(normalised_weights_keep_their_signs, open_strip, close_strip),
		cmocka_unit_test_setup_teardown(copying_ends_without_points_and_when_it_is_stopped, open_strip, close_strip),
		cmocka_unit_test_setup_teardown(mask_says_how_much_of_a_skin_is_taken, open_strip, close_strip),
		cmocka_unit_test_setup_teardown(locked_joints_are_counted, open_strip, close_strip),
		cmocka_unit_test_setup_teardown(copied_weights_are_those_of_the_nearest_place, open_strip, close_strip),
		cmocka_unit_test_setup_teardown(locked_joints_keep_their_weights, open_strip, close_strip),
		cmocka_unit_test_setup_teardown(what_locked_joints_leave_is_taken_unless_it_is_rounding, open_strip, close_strip),
		cmocka_unit_test_setup_teardown(points_outside_the_mask_stay_to_the_last_bit, open_strip, close_strip),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
