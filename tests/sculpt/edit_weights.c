/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skin weights edited as a whole: pruned, mirrored, copied, with locked joints. Sums stay 1.
 */
#include "edit/edit_weights.h"

#include "check.h"
#include "sample/rig.h"
#include "scene/skeleton.h"

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

static void pruned_points_keep_their_largest_weights(void **state) {
	strip *s = *state;
	const snw_mesh two = snw_skin_prune(&s->mesh, 2, 0, s->arena), large = snw_skin_prune(&s->mesh, SNW_NONE, 0.31, s->arena);
	expect_weights(&two, 4, 1.0 / 3, 2.0 / 3, 0);
	expect_weights(&large, 4, 0, 1, 0);
	expect_weights(&large, 2, 0.5, 0.5, 0);
	const snw_mesh one = snw_skin_prune(&s->mesh, 1, 0, s->arena);
	assert_int_equal(one.influence_offsets[POINTS], POINTS);
}

static snw_mesh mirrored(strip *s, bool from_larger) {
	const snw_mirror_options options = {.method = SNW_MIRROR_POSITION};
	snw_mirror_map map;
	snw_mirror_joints joints;
	snw_error error = {0};
	check_ok(snw_mirror_map_build(&s->mesh, &options, s->arena, &map, &error), error);
	snw_mirror_joints_find(s->scene, &options.plane, 0, s->arena, &joints);
	return snw_skin_mirror(s->scene, &s->mesh, &map, &joints, from_larger, s->arena);
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

/* A strip a little in front of the first, whose points are at its edges' middles. */
static void copied_weights_are_those_of_the_nearest_place(void **state) {
	strip *s = *state;
	static const double between[3][3] = {{0.5, 0, 0.1}, {0, 0.5, 0.1}, {-9, 1, 0}};
	const snw_mesh other = {.name = "other", .point_count = 3, .points_rest = between[0]};
	const snw_mesh copied = snw_skin_copy(&other, &s->mesh, s->arena);
	expect_weights(&copied, 0, 0.4, 0.55, 0.05);
	expect_weights(&copied, 1, 0.75, 0.25, 0);
	expect_weights(&copied, 2, 0, 0, 1);
	const snw_mesh same = snw_skin_copy(&s->mesh, &s->mesh, s->arena);
	for (uint32_t i = 0; i < POINTS; i++) {
		expect_weights(&same, i, weight_at(&s->mesh, i, MIDDLE), weight_at(&s->mesh, i, LEFT), weight_at(&s->mesh, i, RIGHT));
	}
}

static void locked_joints_keep_their_weights(void **state) {
	strip *s = *state;
	const uint32_t locked[] = {MIDDLE};
	const snw_mesh wanted = snw_skin_prune(&s->mesh, 1, 0, s->arena);
	const snw_mesh kept = snw_skin_lock(s->scene, &s->mesh, &wanted, 1, locked, s->arena);
	expect_weights(&kept, 4, 0.3, 0.7, 0);
	expect_weights(&kept, 2, 0.5, 0.5, 0); /* the only wanted joint is locked: the others stay */
	expect_weights(&kept, 3, 1, 0, 0);
	expect_weights(&kept, 5, 0, 1, 0);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(pruned_points_keep_their_largest_weights, open_strip, close_strip),
		cmocka_unit_test_setup_teardown(one_side_is_mirrored_onto_the_other, open_strip, close_strip),
		cmocka_unit_test_setup_teardown(copied_weights_are_those_of_the_nearest_place, open_strip, close_strip),
		cmocka_unit_test_setup_teardown(locked_joints_keep_their_weights, open_strip, close_strip),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
