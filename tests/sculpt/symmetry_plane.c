/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a mesh is symmetric: across a plane beside x = 0, even if it holds something in one hand; and across x = 0 if its
 * joints or its counterpart say so.
 */
#include "meshes.h"

#include "sculpt/sculpt.h"

enum { HALF = 15, ROWS = 20, COUNT = (2 * HALF + 1) * ROWS, JOINTS = 2 };

static const double OFFSET = 0.37;
static const char *joint_names[JOINTS] = {"this", "that"}; /* without sides */

typedef struct fixture {
	snw_arena *arena;
	snw_scene scene;
	snw_mesh meshes[2];
	double *points; /* of the first mesh */
	double global[12 * JOINTS];
	uint32_t slots[JOINTS], offsets[COUNT + 1], influences[COUNT];
	double weights[COUNT];
} fixture;

/* A sheet beside x = 0, whose sides two joints move. */
static void setup(fixture *f) {
	*f = (fixture){.arena = snw_arena_create()};
	f->meshes[0] = make_sheet(f->arena, HALF, ROWS, 0.2).mesh;
	f->points = (double *)(uintptr_t)f->meshes[0].points_rest;
	for (uint32_t i = 0; i < COUNT; i++) {
		f->influences[i] = f->points[3 * (size_t)i] > 0;
		f->weights[i] = 1;
		f->offsets[i + 1] = i + 1;
		f->points[3 * (size_t)i] += OFFSET;
	}
	for (uint32_t j = 0; j < JOINTS; j++) {
		f->slots[j] = j;
		f->global[12 * (size_t)j + 3] = OFFSET + (j == 0 ? -0.5 : 0.5);
	}
	f->meshes[0].influence_offsets = f->offsets;
	f->meshes[0].influence_slots = f->influences;
	f->meshes[0].influence_weights = f->weights;
	f->scene = (snw_scene){.mesh_count = 1,
						   .meshes = f->meshes,
						   .slot_count = JOINTS,
						   .slot_joints = f->slots,
						   .skeleton = {.joint_count = JOINTS, .names = joint_names, .rest_global = f->global}};
}

static double plane_of(const fixture *f) {
	const snw_mirror_plane plane = snw_symmetry_plane(&f->scene, 0);
	assert_int_equal(plane.axis, 0);
	return plane.offset;
}

static void mesh_aside_is_symmetric_about_its_own_middle(void **state) {
	(void)state;
	fixture f;
	setup(&f);
	check_near(plane_of(&f), OFFSET, 1e-12);
	snw_arena_destroy(f.arena);
}

/* A part on one side moves the middle of the bounds, but not that of the points which have partners. */
static void what_one_side_alone_has_does_not_move_the_plane(void **state) {
	(void)state;
	fixture f;
	setup(&f);
	for (uint32_t i = 0; i < COUNT; i++) {
		double *point = f.points + 3 * (size_t)i;
		if (point[0] > OFFSET + 0.7) {
			point[0] += 1.1;
			point[1] += 0.3;
		}
	}
	check_near(plane_of(&f), OFFSET, 1e-12);
	snw_arena_destroy(f.arena);
}

/* A mesh that is nearly symmetric about x = 0 stays so, even if another plane pairs a few points more. */
static void mesh_in_the_middle_stays_there(void **state) {
	(void)state;
	fixture f;
	setup(&f);
	uint64_t random = random_seed();
	for (uint32_t i = 0; i < COUNT; i++) {
		f.points[3 * (size_t)i] += random_between(&random, -1e-4, 1e-4) - OFFSET;
	}
	assert_true(plane_of(&f) == 0);
	snw_arena_destroy(f.arena);
}

/* A sleeve over the elbow has the same shape on both sides of it, but its other joint is on one side alone. One joint may be
 * anywhere. */
static void joints_that_are_not_symmetric_keep_the_plane_at_the_origin(void **state) {
	(void)state;
	fixture f;
	setup(&f);
	f.global[3] = OFFSET - 2;
	f.global[15] = OFFSET;
	assert_true(plane_of(&f) == 0);
	memset(f.influences, 0, sizeof f.influences);
	check_near(plane_of(&f), OFFSET, 1e-12);
	snw_arena_destroy(f.arena);
}

/* Else a mirrored pose would leave the joints in the middle at rest. The faces may pair the points all the same. */
static void skin_a_little_beside_its_skeleton_keeps_the_plane_of_the_joints(void **state) {
	(void)state;
	fixture f;
	setup(&f);
	for (uint32_t i = 0; i < COUNT; i++) {
		f.points[3 * (size_t)i] += 0.02 - OFFSET;
	}
	f.global[3] = -0.5;
	f.global[15] = 0.5;
	assert_true(plane_of(&f) == 0);
	f.global[3] += 0.02;
	f.global[15] += 0.02;
	check_near(plane_of(&f), 0.02, 1e-12);
	snw_arena_destroy(f.arena);
}

static void mesh_with_a_counterpart_is_symmetric_with_it(void **state) {
	(void)state;
	fixture f;
	setup(&f);
	double *others = snw_arena_copy(f.arena, f.points, sizeof(double[3 * COUNT]));
	for (uint32_t i = 0; i < COUNT; i++) {
		f.points[3 * (size_t)i] += 2;
		others[3 * (size_t)i] = -f.points[3 * (size_t)i];
	}
	f.meshes[1] = f.meshes[0];
	f.meshes[1].points_rest = others;
	f.global[3] += 2;
	f.global[15] += 2;
	check_near(plane_of(&f), OFFSET + 2, 1e-12);
	f.scene.mesh_count = 2;
	assert_true(plane_of(&f) == 0);
	snw_arena_destroy(f.arena);
}

/* The plane of a body is also that of its gloves, and of what is nearly symmetric about it. */
static void smaller_mesh_is_symmetric_about_the_character(void **state) {
	(void)state;
	fixture f;
	setup(&f);
	static const uint32_t no_faces[] = {0};
	snw_mesh meshes[3] = {f.meshes[0]};
	const size_t count = COUNT / 2;
	double *sides[2];
	for (int side = 0; side < 2; side++) {
		sides[side] = snw_arena_array(f.arena, 3 * count, sizeof(double));
		for (size_t i = 0; i < count; i++) {
			const double *from = f.points + 3 * i;
			memcpy(sides[side] + 3 * i, (double[]){OFFSET + (side == 0 ? 1 : -1) * (from[0] - OFFSET + 2), from[1], from[2]},
				   3 * sizeof *from);
		}
		meshes[1 + side] =
			(snw_mesh){.name = "glove", .point_count = (uint32_t)count, .points_rest = sides[side], .face_offsets = no_faces};
	}
	f.scene.meshes = meshes;
	f.scene.mesh_count = 3;
	check_near(snw_character_plane(&f.scene).offset, OFFSET, 1e-12);
	check_near(snw_symmetry_plane(&f.scene, 1).offset, OFFSET, 1e-12);
	f.scene.mesh_count = 2; /* the glove alone has a middle of its own */
	check_near(snw_symmetry_plane(&f.scene, 1).offset, OFFSET + 2, 1e-12);
	snw_arena_destroy(f.arena);
}

/* Of many points only some are looked at, of both sides. */
static void large_mesh_aside_is_symmetric_about_its_own_middle(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh mesh = make_sheet(arena, 150, 200, 0.2).mesh;
	const snw_scene scene = {.mesh_count = 1, .meshes = &mesh};
	assert_true(snw_symmetry_plane(&scene, 0).offset == 0);
	for (uint32_t i = 0; i < mesh.point_count; i++) {
		((double *)(uintptr_t)mesh.points_rest)[3 * (size_t)i] += OFFSET;
	}
	check_near(snw_symmetry_plane(&scene, 0).offset, OFFSET, 1e-12);
	snw_arena_destroy(arena);
}

TEST_GROUP(symmetry_plane) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mesh_aside_is_symmetric_about_its_own_middle),
		cmocka_unit_test(large_mesh_aside_is_symmetric_about_its_own_middle),
		cmocka_unit_test(what_one_side_alone_has_does_not_move_the_plane),
		cmocka_unit_test(mesh_in_the_middle_stays_there),
		cmocka_unit_test(joints_that_are_not_symmetric_keep_the_plane_at_the_origin),
		cmocka_unit_test(skin_a_little_beside_its_skeleton_keeps_the_plane_of_the_joints),
		cmocka_unit_test(mesh_with_a_counterpart_is_symmetric_with_it),
		cmocka_unit_test(smaller_mesh_is_symmetric_about_the_character),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
