/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normals against closed forms.
 */
#include "fixture.h"
#include "mesh/mesh.h"
#include "task/task.h"

enum { RINGS = 96, SECTORS = 160 };

/* A torus: everywhere smooth, no poles. Quads; point (i, j) is i · SECTORS + j. */
typedef struct torus {
	snw_mesh mesh;
	float *points;   /* as the mesh's rest */
	float *analytic; /* the surface's own normals */
} torus;

static void torus_point(double u, double v, double point[3], double normal[3]) {
	normal[0] = cos(v) * cos(u);
	normal[1] = sin(v);
	normal[2] = -cos(v) * sin(u);
	point[0] = 2 * cos(u) + 0.7 * normal[0];
	point[1] = 0.7 * normal[1];
	point[2] = -2 * sin(u) + 0.7 * normal[2];
}

static torus torus_make(snw_arena *arena) {
	const double full_angle = 6.283185307179586;
	const uint32_t count = RINGS * SECTORS;
	torus mesh = {.points = SNW_NEW_ARRAY(arena, float, 3 * count), .analytic = SNW_NEW_ARRAY(arena, float, 3 * count)};
	double *rest = SNW_NEW_ARRAY(arena, double, 3 * count);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, count + 1), *corners = SNW_NEW_ARRAY(arena, uint32_t, 4 * count);
	for (uint32_t i = 0; i < RINGS; i++) {
		for (uint32_t j = 0; j < SECTORS; j++) {
			const uint32_t p = i * SECTORS + j, right = (i + 1) % RINGS, up = (j + 1) % SECTORS;
			double point[3], normal[3];
			torus_point(full_angle * i / RINGS, full_angle * j / SECTORS, point, normal);
			for (size_t c = 0; c < 3; c++) {
				rest[3 * (size_t)p + c] = point[c];
				mesh.points[3 * (size_t)p + c] = (float)point[c];
				mesh.analytic[3 * (size_t)p + c] = (float)normal[c];
			}
			const uint32_t quad[4] = {p, right * SECTORS + j, right * SECTORS + up, i * SECTORS + up};
			memcpy(corners + 4 * (size_t)p, quad, sizeof quad);
			offsets[p + 1] = 4 * (p + 1);
		}
	}
	mesh.mesh = (snw_mesh){.name = "torus",
						   .point_count = count,
						   .points_rest = rest,
						   .face_count = count,
						   .face_offsets = offsets,
						   .face_points = corners};
	return mesh;
}

static void normals_of_a_torus_are_exact(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const torus mesh = torus_make(arena);
	snw_normal_plan *plan = snw_normal_plan_create(&mesh.mesh);
	const size_t numbers = 3 * (size_t)mesh.mesh.point_count;
	float *normals = SNW_NEW_ARRAY(arena, float, numbers), *corners = SNW_NEW_ARRAY(arena, float, 4 * numbers);
	snw_normals_of_points(plan, mesh.points, normals);
	for (size_t i = 0; i < numbers; i++) {
		check_near(normals[i], mesh.analytic[i], 2e-3);
	}
	snw_normals_of_corners(plan, mesh.points, corners);
	for (uint32_t c = 0; c < 4 * mesh.mesh.face_count; c++) {
		assert_memory_equal(corners + 3 * (size_t)c, normals + 3 * (size_t)mesh.mesh.face_points[c], 3 * sizeof *normals);
	}
	snw_normal_plan_destroy(plan);
	snw_arena_destroy(arena);
}

/* Random unit normals at the corners of the torus, as custom normals. */
static float *random_corner_normals(const snw_mesh *mesh, uint64_t seed, snw_arena *arena) {
	uint64_t random = seed;
	float *custom = SNW_NEW_ARRAY(arena, float, 12 * (size_t)mesh->face_count);
	for (uint32_t c = 0; c < 4 * mesh->face_count; c++) {
		double v[3];
		random_direction(&random, v);
		for (size_t k = 0; k < 3; k++) {
			custom[3 * (size_t)c + k] = (float)v[k];
		}
	}
	return custom;
}

static void normals_custom_rotate_with_a_rigid_motion(void **state) {
	(void)state;
	const uint64_t seed = random_seed();
	snw_arena *arena = snw_arena_create();
	torus mesh = torus_make(arena);
	const float *custom = random_corner_normals(&mesh.mesh, seed, arena);
	mesh.mesh.corner_normals = custom;
	snw_normal_plan *plan = snw_normal_plan_create(&mesh.mesh);
	const uint32_t corner_count = 4 * mesh.mesh.face_count;
	float *normals = SNW_NEW_ARRAY(arena, float, 3 * (size_t)corner_count);
	snw_normals_of_corners(plan, mesh.points, normals);
	for (size_t i = 0; i < 3 * (size_t)corner_count; i++) {
		check_near(normals[i], custom[i], 1e-5);
	}
	uint64_t random = seed + 1;
	const double origin[3] = {0, 0, 0};
	double q[4], m[12];
	random_rigid(&random, origin, 3, q, m);
	for (uint32_t i = 0; i < mesh.mesh.point_count; i++) {
		double posed[3];
		snw_mat34_point(m, mesh.mesh.points_rest + 3 * (size_t)i, posed);
		for (size_t c = 0; c < 3; c++) {
			mesh.points[3 * (size_t)i + c] = (float)posed[c];
		}
	}
	snw_normals_of_corners(plan, mesh.points, normals);
	for (uint32_t c = 0; c < corner_count; c++) {
		double before[3], after[3];
		for (size_t k = 0; k < 3; k++) {
			before[k] = (double)custom[3 * (size_t)c + k];
		}
		snw_mat34_vector(m, before, after);
		for (size_t k = 0; k < 3; k++) {
			check_near(normals[3 * (size_t)c + k], after[k], 1e-4);
		}
	}
	snw_normal_plan_destroy(plan);
	snw_arena_destroy(arena);
}

static void normals_have_the_same_bits_for_any_number_of_threads(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	torus mesh = torus_make(arena);
	mesh.mesh.corner_normals = random_corner_normals(&mesh.mesh, random_seed(), arena);
	snw_normal_plan *plan = snw_normal_plan_create(&mesh.mesh);
	const size_t numbers = 12 * (size_t)mesh.mesh.face_count;
	float *first = SNW_NEW_ARRAY(arena, float, numbers), *normals = SNW_NEW_ARRAY(arena, float, numbers);
	snw_parallel_threads(1);
	snw_normals_of_corners(plan, mesh.points, first);
	for (uint32_t threads = 2; threads <= 8; threads += 3) {
		snw_parallel_threads(threads);
		snw_normals_of_corners(plan, mesh.points, normals);
		assert_memory_equal(normals, first, numbers * sizeof *first);
	}
	snw_parallel_threads(0);
	snw_normal_plan_destroy(plan);
	snw_arena_destroy(arena);
}

static void normals_weigh_faces_by_area(void **state) {
	(void)state;
	/* A unit square in the plane z = 0 and a triangle of area 2 in x = 0 share the edge from 0 to 1. */
	const double rest[] = {0, 0, 0, 0, 1, 0, -1, 1, 0, -1, 0, 0, 0, 0, 4, 7, 7, 7};
	const uint32_t offsets[] = {0, 4, 7}, corners[] = {0, 1, 2, 3, 1, 0, 4};
	const snw_mesh mesh = {
		.point_count = 6, .points_rest = rest, .face_count = 2, .face_offsets = offsets, .face_points = corners};
	float points[18], normals[18];
	for (int i = 0; i < 18; i++) {
		points[i] = (float)rest[i];
	}
	snw_normal_plan *plan = snw_normal_plan_create(&mesh);
	snw_normals_of_points(plan, points, normals);
	const double side = 1 / sqrt(5), front = 2 / sqrt(5);
	const double expected[] = {-front, 0, side, -front, 0, side, 0, 0, 1, 0, 0, 1, -1, 0, 0, 0, 0, 0};
	for (int i = 0; i < 18; i++) {
		check_near(normals[i], expected[i], 1e-6);
	}
	snw_normal_plan_destroy(plan);
}

static void normals_custom_of_a_collapsed_mesh_stay(void **state) {
	(void)state;
	const double rest[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	const uint32_t offsets[] = {0, 3}, corners[] = {0, 1, 2};
	const float custom[] = {0, 0.6f, 0.8f, 0, 0, 1, 1, 0, 0}, points[9] = {0};
	const snw_mesh mesh = {.point_count = 3,
						   .points_rest = rest,
						   .face_count = 1,
						   .face_offsets = offsets,
						   .face_points = corners,
						   .corner_normals = custom};
	float normals[9];
	snw_normal_plan *plan = snw_normal_plan_create(&mesh);
	snw_normals_of_corners(plan, points, normals);
	assert_memory_equal(normals, custom, sizeof custom);
	snw_normal_plan_destroy(plan);
}

TEST_GROUP(normals) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(normals_of_a_torus_are_exact),
		cmocka_unit_test(normals_custom_rotate_with_a_rigid_motion),
		cmocka_unit_test(normals_have_the_same_bits_for_any_number_of_threads),
		cmocka_unit_test(normals_weigh_faces_by_area),
		cmocka_unit_test(normals_custom_of_a_collapsed_mesh_stay),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
