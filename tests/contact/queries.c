/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two triangles, lists of pairs, neighbours, the nearest place and what is inside, on small surfaces.
 */
#include <float.h>
#include <math.h>

#include "check.h"
#include "contact/contact.h"
#include "random.h"
#include "sinew/algebra.h"

/* ---- surfaces ------------------------------------------------------------------------------------------------------------ */

typedef struct surface {
	snw_arena *arena;
	snw_mesh mesh;
	float *points;
	snw_contact_tree *tree;
	snw_contact_mesh_pose *pose;
} surface;

static void surface_open(surface *s) {
	s->points = SNW_NEW_ARRAY(s->arena, float, 3 * (size_t)s->mesh.point_count);
	for (size_t i = 0; i < 3 * (size_t)s->mesh.point_count; i++) {
		s->points[i] = (float)s->mesh.points_rest[i];
	}
	s->tree = snw_contact_tree_make(snw_arena_copy(s->arena, &s->mesh, sizeof s->mesh), NULL, s->arena);
	s->pose = snw_contact_mesh_pose_make(s->tree, s->arena);
	snw_contact_pose_points(s->pose, s->points);
}

/* A ball of quads round the origin, with triangles at its poles. */
static surface ball(uint32_t rings, uint32_t segments, double radius) {
	surface s = {.arena = snw_arena_create()};
	const uint32_t point_count = rings * segments + 2, face_count = (rings + 1) * segments;
	double *points = SNW_NEW_ARRAY(s.arena, double, 3 * (size_t)point_count);
	uint32_t *offsets = SNW_NEW_ARRAY(s.arena, uint32_t, (size_t)face_count + 1);
	uint32_t *corners = SNW_NEW_ARRAY(s.arena, uint32_t, 4 * (size_t)face_count), count = 0, face = 0;
	for (uint32_t i = 0; i < rings * segments; i++) {
		const uint32_t ring = i / segments + 1;
		const double down = M_PI * ring / (rings + 1), round = 2 * M_PI * (i % segments) / segments;
		points[3 * i] = radius * sin(down) * cos(round);
		points[3 * i + 1] = radius * cos(down);
		points[3 * i + 2] = -radius * sin(down) * sin(round);
	}
	points[3 * (size_t)(point_count - 2) + 1] = radius;
	points[3 * (size_t)(point_count - 1) + 1] = -radius;
	for (uint32_t r = 0; r <= rings; r++) {
		for (uint32_t g = 0; g < segments; g++) {
			const uint32_t next = (g + 1) % segments, top = r == 0 ? point_count - 2 : (r - 1) * segments + g;
			corners[count++] = top;
			corners[count++] = r == rings ? point_count - 1 : r * segments + g;
			if (r < rings) {
				corners[count++] = r * segments + next;
			}
			if (r > 0) {
				corners[count++] = (r - 1) * segments + next;
			}
			offsets[++face] = count;
		}
	}
	s.mesh = (snw_mesh){.name = "ball",
						.point_count = point_count,
						.points_rest = points,
						.face_count = face_count,
						.face_offsets = offsets,
						.face_points = corners};
	surface_open(&s);
	return s;
}

/* A square sheet in the plane y = 0, of `side` quads along a side. */
static surface sheet(uint32_t side) {
	surface s = {.arena = snw_arena_create()};
	const uint32_t row = side + 1;
	double *points = SNW_NEW_ARRAY(s.arena, double, 3 * (size_t)row * row);
	uint32_t *offsets = SNW_NEW_ARRAY(s.arena, uint32_t, (size_t)side * side + 1);
	uint32_t *corners = SNW_NEW_ARRAY(s.arena, uint32_t, 4 * (size_t)side * side);
	for (uint32_t p = 0; p < row * row; p++) {
		const uint32_t across = p % row, along = p / row;
		points[3 * (size_t)p] = (double)across / side;
		points[3 * (size_t)p + 2] = (double)along / side;
	}
	for (uint32_t f = 0; f < side * side; f++) {
		const uint32_t at = f / side * row + f % side;
		memcpy(corners + 4 * (size_t)f, (const uint32_t[4]){at, at + row, at + row + 1, at + 1}, 4 * sizeof *corners);
		offsets[f + 1] = 4 * (f + 1);
	}
	s.mesh = (snw_mesh){.name = "sheet",
						.point_count = row * row,
						.points_rest = points,
						.face_count = side * side,
						.face_offsets = offsets,
						.face_points = corners};
	surface_open(&s);
	return s;
}

static void surface_close(surface *s) {
	snw_arena_destroy(s->arena);
}

static bool count_pair(void *context, uint32_t first, uint32_t second, double distance) {
	(void)first;
	(void)second;
	(void)distance;
	++*(uint32_t *)context;
	return true;
}

/* ---- triangles ----------------------------------------------------------------------------------------------------------- */

static const snw_triangle flat = {{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}};

static snw_triangle shifted(snw_triangle triangle, double x, double y, double z) {
	for (int k = 0; k < 3; k++) {
		triangle.corners[k][0] += x;
		triangle.corners[k][1] += y;
		triangle.corners[k][2] += z;
	}
	return triangle;
}

static void triangles_meet_where_they_have_a_place_in_common(void **state) {
	(void)state;
	const snw_triangle upright = {{{0.2, -1, 0.2}, {0.2, 1, 0.2}, {0.3, 0, 5}}},
					   line = {{{0.2, -1, 0.2}, {0.2, 1, 0.2}, {0.2, 0, 0.2}}};
	const struct {
		snw_triangle other;
		bool meets;
	} cases[] = {
		{upright, true},
		{shifted(upright, 1, 0, 0), false},
		{shifted(upright, 0, 1, 0), true}, /* a touch */
		{shifted(upright, 0, 1.001, 0), false},
		{line, true}, /* without an area */
		{shifted(line, 1, 0, 0), false},
		{shifted(flat, 0.1, 0, 0.1), true}, /* in one plane */
		{shifted(flat, 1.5, 0, 0), false},
		{shifted(flat, 0.6, 0, 0.6), false}, /* whose boxes meet */
		{shifted(flat, 0, 1e-9, 0), false},
		{flat, true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(snw_triangles_meet(&flat, &cases[i].other), cases[i].meets);
		assert_int_equal(snw_triangles_meet(&cases[i].other, &flat), cases[i].meets);
		assert_int_equal(snw_triangles_distance(&flat, &cases[i].other) == 0, cases[i].meets);
	}
	snw_triangle broken = upright;
	broken.corners[2][1] = (double)NAN;
	assert_false(snw_triangles_meet(&flat, &broken));
}

static void distance_of_triangles_is_that_of_their_nearest_places(void **state) {
	(void)state;
	const snw_triangle above = shifted(flat, 0.1, 0.25, 0.1), beside = shifted(flat, 3, 0, 0);
	const snw_triangle across = {{{-1, 0.5, -1}, {2, 0.5, 2}, {0, 9, 0}}}; /* an edge over an edge's middle */
	check_near(snw_triangles_distance(&flat, &above), 0.25, 1e-12);
	check_near(snw_triangles_distance(&flat, &beside), 2, 1e-12);
	check_near(snw_triangles_distance(&flat, &across), 0.5, 1e-12);
}

/* ---- pairs --------------------------------------------------------------------------------------------------------------- */

static void list_keeps_the_lowest_pairs_and_counts_all(void **state) {
	(void)state;
	surface one = ball(12, 16, 1), other = ball(12, 16, 1);
	snw_contact_pair all[20000], few[10];
	snw_contact_list whole = {.capacity = 20000, .pairs = all}, short_list = {.capacity = 10, .pairs = few}, none = {0};
	for (uint32_t p = 0; p < other.mesh.point_count; p++) {
		other.points[3 * p] += 0.7F;
	}
	snw_contact_pose_points(other.pose, other.points);
	snw_contact_pairs(one.pose, other.pose, 0, snw_contact_list_take, &whole);
	snw_contact_pairs(one.pose, other.pose, 0, snw_contact_list_take, &short_list);
	snw_contact_pairs(one.pose, other.pose, 0, snw_contact_list_take, &none);
	assert_true(whole.count > 20);
	assert_int_equal(short_list.count, whole.count);
	assert_int_equal(none.count, whole.count);
	assert_int_equal(snw_contact_list_sort(&whole), whole.count);
	assert_int_equal(snw_contact_list_sort(&short_list), 10);
	assert_memory_equal(all, few, sizeof few);
	surface_close(&one);
	surface_close(&other);
}

static void coplanar_sheets_stop_at_the_limit(void **state) {
	(void)state;
	surface s = sheet(4);
	snw_contact_list list = {.count = SNW_CONTACT_MOST_PAIRS - 3};
	snw_contact_mesh_pose *again = snw_contact_mesh_pose_make(s.tree, s.arena);
	snw_contact_pose_points(again, s.points);
	snw_contact_pairs(s.pose, again, 0, snw_contact_list_take, &list);
	assert_true(list.is_limited);
	assert_int_equal(list.count, SNW_CONTACT_MOST_PAIRS);
	surface_close(&s);
}

/* A long test: all triangles of one sheet lie on all of the other. */
static void ten_million_pairs_are_listed_and_then_it_stops(void **state) {
	(void)state;
	if (!getenv("CONTACT_POSES")) {
		skip();
	}
	enum { FACES = 3200, KEPT = 1000 };
	static uint32_t offsets[FACES + 1], corners[3 * FACES];
	static const double points[] = {0, 0, 0, 1, 0, 0, 0, 0, 1};
	for (uint32_t c = 0; c < 3 * FACES; c++) {
		corners[c] = c % 3;
		offsets[c / 3 + 1] = 3 * (c / 3 + 1);
	}
	surface s = {
		.arena = snw_arena_create(),
		.mesh = {
			.point_count = 3, .points_rest = points, .face_count = FACES, .face_offsets = offsets, .face_points = corners}};
	surface_open(&s);
	snw_contact_mesh_pose *again = snw_contact_mesh_pose_make(s.tree, s.arena);
	snw_contact_pose_points(again, s.points);
	snw_contact_pair kept[KEPT];
	snw_contact_list list = {.capacity = KEPT, .pairs = kept};
	snw_contact_pairs(s.pose, again, 0, snw_contact_list_take, &list);
	assert_true(list.is_limited);
	assert_int_equal(list.count, SNW_CONTACT_MOST_PAIRS);
	assert_int_equal(snw_contact_list_sort(&list), KEPT);
	surface_close(&s);
}

static void pairs_within_a_distance_are_near_each_other(void **state) {
	(void)state;
	surface one = ball(8, 12, 1), other = ball(8, 12, 1);
	for (uint32_t p = 0; p < other.mesh.point_count; p++) {
		other.points[3 * p] += 2.05F;
	}
	snw_contact_pose_points(other.pose, other.points);
	uint32_t found = 0, expected = 0;
	snw_contact_pairs(one.pose, other.pose, 0, count_pair, &found);
	assert_int_equal(found, 0);
	snw_contact_pairs(one.pose, other.pose, 0.2, count_pair, &found);
	for (uint32_t a = 0; a < snw_contact_tree_triangles(one.tree); a++) {
		for (uint32_t b = 0; b < snw_contact_tree_triangles(other.tree); b++) {
			const snw_triangle first = snw_contact_mesh_triangle(one.pose, a),
							   second = snw_contact_mesh_triangle(other.pose, b);
			expected += snw_triangles_distance(&first, &second) <= 0.2;
		}
	}
	assert_true(expected > 0);
	assert_int_equal(found, expected);
	surface_close(&one);
	surface_close(&other);
}

static void neighbours_are_near_along_the_surface(void **state) {
	(void)state;
	surface s = sheet(10);
	snw_contact_neighbours *near = snw_contact_neighbours_make(s.tree, 0.35, s.arena);
	/* Faces have two triangles; those of a row lie 0.1 apart. */
	assert_true(snw_contact_are_neighbours(near, 0, 2));
	assert_true(snw_contact_are_neighbours(near, 2, 0));
	assert_false(snw_contact_are_neighbours(near, 0, 18));
	assert_true(snw_contact_are_neighbours(near, 0, 2)); /* as before, with the other one kept */
	surface round = ball(10, 40, 1);
	snw_contact_neighbours *far = snw_contact_neighbours_make(round.tree, 1.5, round.arena);
	const uint32_t across = 40 + 2 * 20 + 2 * 40 * 4; /* the other side of the ball, straight through it */
	assert_false(snw_contact_are_neighbours(far, 40 + 2 * 40 * 4, across));
	surface_close(&round);
	surface_close(&s);
}

static void what_is_not_finite_or_has_no_face_has_no_contact(void **state) {
	(void)state;
	surface one = ball(6, 8, 1), other = ball(6, 8, 1);
	uint32_t found = 0, whole = 0;
	snw_contact_pairs(one.pose, other.pose, 0, count_pair, &whole);
	for (uint32_t p = 0; p < other.mesh.point_count; p++) {
		other.points[3 * p + p % 3] = p % 2 ? NAN : INFINITY;
	}
	snw_contact_pose_points(other.pose, other.points);
	snw_contact_pairs(one.pose, other.pose, 0, count_pair, &found);
	assert_true(whole > 0);
	assert_int_equal(found, 0);
	const double at[3] = {0, 0, 0};
	assert_int_equal(snw_contact_nearest(other.pose, at, INFINITY, NULL, NULL).triangle, SNW_NONE);
	snw_contact_make_dipoles(other.pose);
	check_near(snw_contact_winding(other.pose, at, SNW_CONTACT_INSIDE), 0, 1e-12);
	const uint32_t offsets[1] = {0};
	surface bare = {.arena = snw_arena_create(), .mesh = {.point_count = 1, .points_rest = at, .face_offsets = offsets}};
	surface_open(&bare);
	snw_contact_pairs(one.pose, bare.pose, 0, count_pair, &found);
	snw_contact_self_pairs(bare.pose, 0, count_pair, &found);
	assert_int_equal(found, 0);
	assert_int_equal(snw_contact_nearest(bare.pose, at, INFINITY, NULL, NULL).triangle, SNW_NONE);
	surface_close(&bare);
	surface_close(&one);
	surface_close(&other);
}

/* ---- places -------------------------------------------------------------------------------------------------------------- */

static bool is_even(const void *context, uint32_t triangle) {
	(void)context;
	return triangle % 2 == 0;
}

static void nearest_place_is_that_of_all_triangles(void **state) {
	(void)state;
	surface s = ball(12, 20, 1);
	uint64_t random = random_seed();
	snw_contact_make_dipoles(s.pose);
	for (int i = 0; i < 200; i++) {
		double point[3], least[2] = {INFINITY, INFINITY};
		for (int c = 0; c < 3; c++) {
			point[c] = random_between(&random, -1.5, 1.5);
		}
		for (uint32_t t = 0; t < snw_contact_tree_triangles(s.tree); t++) {
			const snw_triangle at = snw_contact_mesh_triangle(s.pose, t), dot = {{{point[0], point[1], point[2]},
																				  {point[0], point[1], point[2]},
																				  {point[0], point[1], point[2]}}};
			const double distance = snw_triangles_distance(&at, &dot);
			least[0] = fmin(least[0], distance);
			least[1] = t % 2 == 0 ? fmin(least[1], distance) : least[1];
		}
		const snw_contact_place all = snw_contact_nearest(s.pose, point, INFINITY, NULL, NULL);
		check_near(all.distance, least[0], 1e-9);
		check_near(snw_contact_nearest(s.pose, point, INFINITY, is_even, NULL).distance, least[1], 1e-9);
		assert_int_equal(snw_contact_nearest(s.pose, point, 0.999 * least[0], NULL, NULL).triangle, SNW_NONE);
		double away[3];
		for (int c = 0; c < 3; c++) {
			away[c] = point[c] - all.place[c];
		}
		assert_int_equal(snw_dot3(away, all.normal) > 0,
						 snw_contact_winding(s.pose, point, SNW_CONTACT_INSIDE) < SNW_CONTACT_INSIDE);
	}
	surface_close(&s);
}

static void side_at_an_edge_comes_from_all_faces_there(void **state) {
	(void)state;
	surface s = ball(1, 4, 1); /* two pyramids, base to base */
	const double above[3] = {0, 1.2, 0}, below[3] = {0, 0.9, 0}, beside[3] = {1.5, 0.01, 0};
	const double *const points[3] = {above, below, beside};
	for (int i = 0; i < 3; i++) {
		const snw_contact_place place = snw_contact_nearest(s.pose, points[i], INFINITY, NULL, NULL);
		double away[3];
		for (int c = 0; c < 3; c++) {
			away[c] = points[i][c] - place.place[c];
		}
		assert_false(place.on_border);
		assert_int_equal(snw_dot3(away, place.normal) > 0, i != 1);
	}
	surface_close(&s);
	surface flat_one = sheet(3);
	const double beyond[3] = {1.5, 0.1, 0.5}, over[3] = {0.5, 0.1, 0.5};
	assert_true(snw_contact_nearest(flat_one.pose, beyond, INFINITY, NULL, NULL).on_border);
	assert_false(snw_contact_nearest(flat_one.pose, over, INFINITY, NULL, NULL).on_border);
	assert_false(snw_contact_tree_is_closed(flat_one.tree));
	surface_close(&flat_one);
}

/* Against the planes of a triangle's edges. */
static bool is_met(const snw_triangle *at, const double origin[3], const double direction[3], double *along) {
	double sides[3][3], normal[3], place[3], off[3];
	for (int k = 0; k < 3; k++) {
		for (int c = 0; c < 3; c++) {
			sides[k][c] = at->corners[(k + 1) % 3][c] - at->corners[k][c];
		}
	}
	snw_cross3(sides[0], sides[1], normal);
	for (int c = 0; c < 3; c++) {
		off[c] = at->corners[0][c] - origin[c];
	}
	*along = snw_dot3(off, normal) / snw_dot3(direction, normal);
	bool is_in = *along >= 0;
	for (int k = 0; k < 3; k++) {
		double across[3];
		for (int c = 0; c < 3; c++) {
			place[c] = origin[c] + *along * direction[c] - at->corners[k][c];
		}
		snw_cross3(sides[k], place, across);
		is_in = is_in && snw_dot3(across, normal) >= 0;
	}
	return is_in;
}

static bool is_odd(const void *context, uint32_t triangle) {
	(void)context;
	return triangle % 2;
}

static void ray_meets_the_nearest_of_all_triangles(void **state) {
	(void)state;
	surface s = ball(20, 30, 1);
	uint64_t random = random_seed();
	uint32_t met = 0;
	for (int i = 0; i < 600; i++) {
		double origin[3], direction[3];
		for (int c = 0; c < 3; c++) {
			origin[c] = random_between(&random, -2, 2);
			direction[c] = random_between(&random, -1, 1) - origin[c];
		}
		const bool odd = i % 3 == 0;
		const double most = i % 2 ? 100 : 0.7;
		const snw_contact_hit hit = snw_contact_ray(s.pose, origin, direction, most, odd ? is_odd : NULL, NULL);
		double nearest = most;
		uint32_t expected = SNW_NONE;
		for (uint32_t t = 0; t < snw_contact_tree_triangles(s.tree); t++) {
			const snw_triangle at = snw_contact_mesh_triangle(s.pose, t);
			double along;
			if ((!odd || t % 2) && is_met(&at, origin, direction, &along) && along < nearest) {
				nearest = along;
				expected = t;
			}
		}
		assert_int_equal(hit.triangle == SNW_NONE, expected == SNW_NONE);
		if (expected != SNW_NONE) {
			met++;
			check_near(hit.along, nearest, 1e-9);
			check_near(hit.place[1], origin[1] + nearest * direction[1], 1e-8);
			assert_true(fabs(snw_length3(hit.normal) - 1) < 1e-12);
		}
	}
	assert_true(met > 100);
	/* Straight at points and at edges, from outside. */
	for (uint32_t p = 0; p < s.mesh.point_count; p++) {
		const uint32_t next = p + 1 < s.mesh.point_count ? p + 1 : p;
		double origin[3], direction[3];
		for (size_t c = 0; c < 3; c++) {
			const double at = ((double)s.points[3 * (size_t)p + c] + (double)s.points[3 * (size_t)next + c]) / 2;
			origin[c] = 3 * at;
			direction[c] = -at;
		}
		assert_true(snw_length3(direction) < 0.1 ||
					snw_contact_ray(s.pose, origin, direction, 2.5, NULL, NULL).triangle != SNW_NONE);
	}
	surface_close(&s);
}

static void winding_number_says_what_is_inside(void **state) {
	(void)state;
	surface s = ball(40, 60, 1);
	uint64_t random = random_seed();
	snw_contact_make_dipoles(s.pose);
	assert_true(snw_contact_tree_is_closed(s.tree));
	for (int i = 0; i < 400; i++) {
		double point[3];
		for (int c = 0; c < 3; c++) {
			point[c] = random_between(&random, -1.2, 1.2);
		}
		const double from = snw_length3(point), winding = snw_contact_winding(s.pose, point, SNW_CONTACT_INSIDE);
		if (from < 0.99 || from > 1.01) {
			check_near(winding, from < 1, 0.1);
			assert_int_equal(winding > SNW_CONTACT_INSIDE, from < 1);
		}
	}
	/* The whole surface twice, in one mesh: inside twice. */
	const double middle[3] = {0.1, 0.2, 0.3};
	uint32_t *corners = SNW_NEW_ARRAY(s.arena, uint32_t, 2 * (size_t)s.mesh.face_offsets[s.mesh.face_count]);
	uint32_t *offsets = SNW_NEW_ARRAY(s.arena, uint32_t, 2 * (size_t)s.mesh.face_count + 1);
	const uint32_t corner_count = s.mesh.face_offsets[s.mesh.face_count];
	for (uint32_t f = 0; f <= 2 * s.mesh.face_count; f++) {
		offsets[f] = s.mesh.face_offsets[f % s.mesh.face_count] + f / s.mesh.face_count * corner_count;
	}
	for (uint32_t c = 0; c < 2 * corner_count; c++) {
		corners[c] = s.mesh.face_points[c % corner_count];
	}
	s.mesh.face_offsets = offsets;
	s.mesh.face_points = corners;
	s.mesh.face_count *= 2;
	surface_open(&s);
	snw_contact_make_dipoles(s.pose);
	assert_true(snw_contact_winding(s.pose, middle, SNW_CONTACT_INSIDE_TWICE) > SNW_CONTACT_INSIDE_TWICE);
	surface_close(&s);
}

TEST_GROUP(queries) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(triangles_meet_where_they_have_a_place_in_common),
		cmocka_unit_test(distance_of_triangles_is_that_of_their_nearest_places),
		cmocka_unit_test(list_keeps_the_lowest_pairs_and_counts_all),
		cmocka_unit_test(coplanar_sheets_stop_at_the_limit),
		cmocka_unit_test(ten_million_pairs_are_listed_and_then_it_stops),
		cmocka_unit_test(pairs_within_a_distance_are_near_each_other),
		cmocka_unit_test(neighbours_are_near_along_the_surface),
		cmocka_unit_test(what_is_not_finite_or_has_no_face_has_no_contact),
		cmocka_unit_test(nearest_place_is_that_of_all_triangles),
		cmocka_unit_test(side_at_an_edge_comes_from_all_faces_there),
		cmocka_unit_test(ray_meets_the_nearest_of_all_triangles),
		cmocka_unit_test(winding_number_says_what_is_inside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
