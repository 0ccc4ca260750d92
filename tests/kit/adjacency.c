/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The neighbourhoods of points on meshes for which they are known.
 */
#include "check.h"

#include "services/services.h"
#include "sinew/kit/mesh/mesh.h"

/* A mesh and what was found of it. */
typedef struct fixture {
	snw_services *services;
	snw_pool pool;
	snk_faces faces;
	snk_adjacency found;
} fixture;

static fixture fixture_make(uint32_t point_count, uint32_t face_count, const uint32_t *offsets, const uint32_t *points) {
	fixture f = {.services = snw_services_create(NULL, NULL, NULL, NULL), .faces = {point_count, face_count, offsets, points}};
	f.pool = snw_pool_open(snw_services_host(f.services));
	assert_int_equal(snk_adjacency_find(&f.faces, &f.pool, &f.found), SNW_OK);
	return f;
}

static void fixture_drop(fixture *f) {
	snw_pool_release(&f->pool);
	snw_services_destroy(f->services);
}

static void check_neighbours(const fixture *f, uint32_t point, uint32_t count, const uint32_t *expected) {
	const uint32_t first = f->found.offsets[point];
	assert_int_equal(f->found.offsets[point + 1] - first, count);
	for (uint32_t k = 0; k < count; k++) {
		if (f->found.neighbours[first + k] != expected[k]) {
			fail_msg("neighbour %u of point %u is %u, not %u", k, point, f->found.neighbours[first + k], expected[k]);
		}
	}
}
#define CHECK_NEIGHBOURS(f, point, ...)                                                                                        \
	do {                                                                                                                       \
		const uint32_t expected[] = {__VA_ARGS__};                                                                             \
		check_neighbours(f, point, sizeof expected / sizeof *expected, expected);                                              \
	} while (0)

static const uint32_t triangle_offsets[] = {0, 3, 6, 9, 12};
static const uint32_t tetrahedron[] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};

static void every_edge_of_a_tetrahedron_has_two_faces(void **state) {
	(void)state;
	fixture f = fixture_make(4, 4, triangle_offsets, tetrahedron);
	CHECK_NEIGHBOURS(&f, 0, 1, 2, 3);
	CHECK_NEIGHBOURS(&f, 1, 0, 2, 3);
	CHECK_NEIGHBOURS(&f, 2, 0, 1, 3);
	CHECK_NEIGHBOURS(&f, 3, 0, 1, 2);
	for (uint32_t i = 0; i < 4; i++) {
		assert_int_equal(f.found.face_offsets[i + 1] - f.found.face_offsets[i], 3);
	}
	for (uint32_t k = 0; k < 12; k++) {
		assert_int_equal(f.found.sides[k], 2);
	}
	fixture_drop(&f);
}

/* 0 1 2
 * 3 4 5
 * 6 7 8: four quads, counter-clockwise with y up. */
static const uint32_t grid_offsets[] = {0, 4, 8, 12, 16};
static const uint32_t grid[] = {3, 4, 1, 0, 4, 5, 2, 1, 6, 7, 4, 3, 7, 8, 5, 4};

static void neighbours_of_a_grid_ascend_and_edges_of_its_border_have_one_face(void **state) {
	(void)state;
	fixture f = fixture_make(9, 4, grid_offsets, grid);
	CHECK_NEIGHBOURS(&f, 4, 1, 3, 5, 7);
	CHECK_NEIGHBOURS(&f, 0, 1, 3);
	CHECK_NEIGHBOURS(&f, 1, 0, 2, 4);
	CHECK_NEIGHBOURS(&f, 5, 2, 4, 8);
	CHECK_NEIGHBOURS(&f, 8, 5, 7);
	const uint32_t at = f.found.offsets[1];
	assert_int_equal(f.found.sides[at], 1);
	assert_int_equal(f.found.sides[at + 1], 1);
	assert_int_equal(f.found.sides[at + 2], 2);
	assert_int_equal(f.found.faces[f.found.face_offsets[4]], 0);
	assert_int_equal(f.found.faces[f.found.face_offsets[4] + 3], 3);
	fixture_drop(&f);
}

static void neighbours_of_mirrored_points_are_in_the_same_order(void **state) {
	(void)state;
	static const uint32_t partners[] = {6, 7, 8, SNW_NONE, 4, 5, 0, 1, 2};
	fixture f = fixture_make(9, 4, grid_offsets, grid);
	uint64_t scratch[32];
	uint32_t offsets[10], neighbours[32], sides[32];
	snk_neighbours(&f.faces, partners, scratch, offsets, neighbours, sides);
	for (uint32_t i = 0; i < 9; i++) {
		assert_int_equal(offsets[i + 1], f.found.offsets[i + 1]);
	}
	const uint32_t *of_1 = neighbours + offsets[1], *of_7 = neighbours + offsets[7];
	for (int k = 0; k < 3; k++) {
		assert_int_equal(of_1[k], ((const uint32_t[]){0, 2, 4})[k]);
		assert_int_equal(of_7[k], ((const uint32_t[]){6, 8, 4})[k]);
		assert_int_equal(sides[offsets[7] + (uint32_t)k], k < 2 ? 1 : 2);
	}
	fixture_drop(&f);
}

static void pieces_are_named_after_their_lowest_points(void **state) {
	(void)state;
	static const uint32_t two[] = {5, 4, 1, 1, 4, 6, 2, 3, 7};
	const snk_faces faces = {8, 3, triangle_offsets, two};
	static const uint32_t expected[] = {0, 1, 2, 2, 1, 1, 1, 2};
	uint32_t pieces[8];
	snk_pieces_find(&faces, pieces);
	assert_memory_equal(pieces, expected, sizeof pieces);
}

static void edge_with_three_faces_is_found(void **state) {
	(void)state;
	static const uint32_t three[] = {0, 1, 2, 0, 1, 3, 0, 1, 4};
	fixture f = fixture_make(5, 3, triangle_offsets, three);
	CHECK_NEIGHBOURS(&f, 0, 1, 2, 3, 4);
	assert_int_equal(f.found.sides[f.found.offsets[0]], 3);
	assert_int_equal(f.found.sides[f.found.offsets[0] + 1], 1);
	fixture_drop(&f);
}

static void points_without_faces_have_nothing_around_them(void **state) {
	(void)state;
	fixture f = fixture_make(6, 4, triangle_offsets, tetrahedron);
	check_neighbours(&f, 5, 0, NULL);
	fixture_drop(&f);
	f = fixture_make(2, 0, NULL, NULL);
	check_neighbours(&f, 1, 0, NULL);
	fixture_drop(&f);
}

static void corners_that_repeat_a_point_make_no_edge(void **state) {
	(void)state;
	static const uint32_t offsets[] = {0, 4, 7, 10}, points[] = {0, 1, 1, 2, 0, 0, 0, 3, 4, 4};
	fixture f = fixture_make(5, 3, offsets, points);
	CHECK_NEIGHBOURS(&f, 0, 1, 2);
	CHECK_NEIGHBOURS(&f, 1, 0, 2);
	CHECK_NEIGHBOURS(&f, 3, 4);
	assert_int_equal(f.found.sides[f.found.offsets[3]], 2);
	assert_int_equal(f.found.face_offsets[2] - f.found.face_offsets[1], 2);
	fixture_drop(&f);
}

/* On a regular tetrahedron all angles are 60°; the sum over an edge is cot 60°. */
static void cotangent_weights_of_a_regular_tetrahedron_are_known(void **state) {
	(void)state;
	static const double positions[] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1};
	fixture f = fixture_make(4, 4, triangle_offsets, tetrahedron);
	double weights[12], areas[4];
	assert_int_equal(snk_cotangent_weights(&f.found, &f.faces, positions, weights, areas), SNW_OK);
	for (int k = 0; k < 12; k++) {
		check_near(weights[k], 1 / sqrt(3), 1e-15);
	}
	for (int i = 0; i < 4; i++) {
		check_near(areas[i], 2 * sqrt(3), 1e-14);
	}
	fixture_drop(&f);
}

/* Σ w (neighbour − point) is 0 inside a plane, however its points stand; quads are cut first. */
static void cotangent_laplacian_of_a_plane_is_zero(void **state) {
	(void)state;
	static const double positions[] = {0, 2,   0, 1, 2.2, 0, 2, 2, 0,    0, 1, 0, 1.3, 0.9,
									   0, 2.1, 1, 0, 0,   0, 0, 1, -0.2, 0, 2, 0, 0};
	fixture f = fixture_make(9, 4, grid_offsets, grid);
	double weights[64];
	assert_int_equal(snk_cotangent_weights(&f.found, &f.faces, positions, weights, NULL), SNW_ERROR_UNSUPPORTED);
	snk_faces triangles;
	snk_adjacency cut;
	assert_int_equal(snk_triangulate(&f.faces, &f.pool, &triangles), SNW_OK);
	assert_int_equal(triangles.face_count, 8);
	assert_int_equal(snk_adjacency_find(&triangles, &f.pool, &cut), SNW_OK);
	assert_int_equal(snk_cotangent_weights(&cut, &triangles, positions, weights, NULL), SNW_OK);
	double sum[3] = {0, 0, 0};
	for (uint32_t k = cut.offsets[4]; k < cut.offsets[5]; k++) {
		for (size_t c = 0; c < 3; c++) {
			sum[c] += weights[k] * (positions[3 * (size_t)cut.neighbours[k] + c] - positions[12 + c]);
		}
	}
	for (int c = 0; c < 3; c++) {
		check_near(sum[c], 0, 1e-14);
	}
	fixture_drop(&f);
}

static void triangle_without_area_adds_no_weight(void **state) {
	(void)state;
	static const uint32_t one[] = {0, 1, 2};
	static const double line[] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
	fixture f = fixture_make(3, 1, triangle_offsets, one);
	double weights[6], areas[3], normals[9];
	assert_int_equal(snk_cotangent_weights(&f.found, &f.faces, line, weights, areas), SNW_OK);
	snk_point_normals(&f.faces, line, normals);
	for (int k = 0; k < 6; k++) {
		assert_true(weights[k] == 0);
	}
	assert_true(areas[1] == 0 && normals[3] == 0 && normals[4] == 0 && normals[5] == 0);
	fixture_drop(&f);
}

TEST_GROUP(adjacency) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_edge_of_a_tetrahedron_has_two_faces),
		cmocka_unit_test(neighbours_of_a_grid_ascend_and_edges_of_its_border_have_one_face),
		cmocka_unit_test(neighbours_of_mirrored_points_are_in_the_same_order),
		cmocka_unit_test(pieces_are_named_after_their_lowest_points),
		cmocka_unit_test(edge_with_three_faces_is_found),
		cmocka_unit_test(points_without_faces_have_nothing_around_them),
		cmocka_unit_test(corners_that_repeat_a_point_make_no_edge),
		cmocka_unit_test(cotangent_weights_of_a_regular_tetrahedron_are_known),
		cmocka_unit_test(cotangent_laplacian_of_a_plane_is_zero),
		cmocka_unit_test(triangle_without_area_adds_no_weight),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
