/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding points and faces: rays and balls compared with brute force, a refitted index with a new one, and distances along
 * the surface with known ones.
 */
#include "meshes.h"

#include "mesh/surface.h"
#include "sinew/algebra.h"

/* The nearest face by asking all, each as an index of its own. */
static snw_pick pick_by_asking_all(const snw_mesh *mesh, const double *points, const snw_ray *ray) {
	snw_pick best = {.face = SNW_NONE};
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		snw_arena *arena = snw_arena_create();
		const uint32_t offsets[2] = {0, mesh->face_offsets[f + 1] - mesh->face_offsets[f]};
		snw_mesh one = *mesh;
		one.face_count = 1;
		one.face_offsets = offsets;
		one.face_points = mesh->face_points + mesh->face_offsets[f];
		snw_pick pick = snw_spatial_index_pick(snw_spatial_index_make(&one, points, arena), ray);
		if (pick.face != SNW_NONE && (best.face == SNW_NONE || pick.distance < best.distance)) {
			best = pick;
			best.face = f;
		}
		snw_arena_destroy(arena);
	}
	return best;
}

static snw_ray any_ray(uint64_t *seed) {
	snw_ray ray;
	for (int c = 0; c < 3; c++) {
		ray.origin[c] = 4 * random_between(seed, 0, 1) - 2;
		ray.direction[c] = 1.6 * random_between(seed, 0, 1) - 0.8 - ray.origin[c];
	}
	return ray;
}

static void check_same_pick(const snw_pick *a, const snw_pick *b) {
	assert_int_equal(a->face, b->face);
	if (a->face != SNW_NONE) {
		assert_true(a->distance == b->distance);
		assert_memory_equal(a->position, b->position, sizeof a->position);
		assert_memory_equal(a->normal, b->normal, sizeof a->normal);
	}
}

static void pick_any_ray_equals_brute_force(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh ball = make_ball(arena, 9, 14);
	const snw_spatial_index *index = snw_spatial_index_make(&ball, ball.points_rest, arena);
	uint64_t seed = 3;
	uint32_t hits = 0;
	for (int k = 0; k < 300; k++) {
		const snw_ray ray = any_ray(&seed);
		const snw_pick pick = snw_spatial_index_pick(index, &ray), truth = pick_by_asking_all(&ball, ball.points_rest, &ray);
		check_same_pick(&pick, &truth);
		hits += pick.face != SNW_NONE;
	}
	assert_true(hits > 100 && hits < 300);
	snw_arena_destroy(arena);
}

static void pick_through_edges_and_corners_never_slips(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh ball = make_ball(arena, 12, 24);
	const snw_spatial_index *index = snw_spatial_index_make(&ball, ball.points_rest, arena);
	for (uint32_t f = 0; f < ball.face_count; f++) {
		const double *a = ball.points_rest + 3 * (size_t)ball.face_points[3 * f];
		const double *b = ball.points_rest + 3 * (size_t)ball.face_points[3 * f + 1];
		for (int k = 0; k <= 4; k++) {
			snw_ray ray = {.origin = {0, 0, 0}};
			for (int c = 0; c < 3; c++) {
				ray.direction[c] = a[c] + (b[c] - a[c]) * k / 4;
			}
			assert_int_not_equal(snw_spatial_index_pick(index, &ray).face, SNW_NONE);
		}
	}
	snw_arena_destroy(arena);
}

/* Moves every point within reach of a place, and lists them and their faces. */
static void push(const snw_mesh *mesh, double *points, uint64_t *seed, uint32_t *changed, uint32_t *changed_count,
				 uint32_t *faces, uint32_t *face_count) {
	bool *is_moved = calloc(mesh->point_count, sizeof *is_moved);
	const uint32_t center = (uint32_t)(random_between(seed, 0, 1) * mesh->point_count);
	double push[3], at[3];
	memcpy(at, points + 3 * (size_t)center, sizeof at);
	for (int c = 0; c < 3; c++) {
		push[c] = random_between(seed, 0, 1) - 0.5;
	}
	*changed_count = *face_count = 0;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		double *point = points + 3 * (size_t)i;
		const double between[3] = {point[0] - at[0], point[1] - at[1], point[2] - at[2]};
		if (snw_length3(between) < 0.5) {
			is_moved[i] = true;
			changed[(*changed_count)++] = i;
			for (int c = 0; c < 3; c++) {
				point[c] += push[c];
			}
		}
	}
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		bool any = false;
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
			any |= is_moved[mesh->face_points[c]];
		}
		if (any) {
			faces[(*face_count)++] = f;
		}
	}
	free(is_moved);
}

static int compare_points(const void *a, const void *b) {
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static void refitted_index_equals_a_new_one(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh ball = make_ball(arena, 30, 60);
	double *points = snw_arena_copy(arena, ball.points_rest, 3 * ball.point_count * sizeof *points);
	snw_spatial_index *index = snw_spatial_index_make(&ball, points, arena);
	uint32_t *lists = SNW_NEW_ARRAY(arena, uint32_t, 2 * (ball.point_count + ball.face_count));
	double *distances = SNW_NEW_ARRAY(arena, double, ball.point_count);
	uint64_t seed = 5;
	uint32_t hits = 0;
	for (int round = 0; round < 20; round++) {
		uint32_t point_count, face_count;
		push(&ball, points, &seed, lists, &point_count, lists + ball.point_count, &face_count);
		snw_spatial_index_refit(index, point_count, lists, face_count, lists + ball.point_count);
		snw_arena *passing = snw_arena_create();
		const snw_spatial_index *fresh = snw_spatial_index_make(&ball, points, passing);
		for (int k = 0; k < 100; k++) {
			const snw_ray ray = any_ray(&seed);
			const snw_pick pick = snw_spatial_index_pick(index, &ray), truth = snw_spatial_index_pick(fresh, &ray);
			check_same_pick(&pick, &truth);
			hits += pick.face != SNW_NONE;
		}
		const double center[3] = {random_between(&seed, 0, 1), random_between(&seed, 0, 1), random_between(&seed, 0, 1)},
					 radius = random_between(&seed, 0, 1);
		uint32_t found = snw_spatial_index_ball(index, center, radius, lists, distances), expected = 0;
		qsort(lists, found, sizeof *lists, compare_points);
		for (uint32_t i = 0; i < ball.point_count; i++) {
			const double *point = points + 3 * (size_t)i;
			const double between[3] = {point[0] - center[0], point[1] - center[1], point[2] - center[2]};
			if (sqrt(snw_dot3(between, between)) < radius) {
				assert_true(expected < found && lists[expected] == i);
				expected++;
			}
		}
		assert_int_equal(found, expected);
		snw_arena_destroy(passing);
	}
	assert_true(hits > 500);
	snw_arena_destroy(arena);
}

static void picks_on_a_broken_mesh_equal_brute_force(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh wreck = make_wreck(arena);
	const snw_spatial_index *index = snw_spatial_index_make(&wreck, wreck.points_rest, arena);
	uint64_t seed = 9;
	for (int k = 0; k < 300; k++) {
		const snw_ray ray = any_ray(&seed);
		const snw_pick pick = snw_spatial_index_pick(index, &ray), truth = pick_by_asking_all(&wreck, wreck.points_rest, &ray);
		check_same_pick(&pick, &truth);
	}
	snw_arena_destroy(arena);
}

/* ---- along the surface --------------------------------------------------------------------------------------------------- */

typedef struct walked {
	uint32_t count;
	uint32_t *points;
	double *distances;
} walked;

static walked walk_from(const snw_mesh *mesh, const double *center, uint32_t face, double radius, snw_arena *arena) {
	const snw_adjacency around = snw_adjacency_make(mesh, NULL, arena);
	snw_surface_walk *walk = snw_surface_walk_make(mesh, &around, arena);
	walked found = {.points = SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count),
					.distances = SNW_NEW_ARRAY(arena, double, mesh->point_count)};
	found.count = snw_surface_walk_from(walk, mesh->points_rest, center, face, radius, found.points, found.distances);
	return found;
}

static void walk_plane_distances_are_straight(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const sheet grid = make_sheet(arena, 20, 41, 0);
	const double center[3] = {0.013, 0, 1.021};
	const snw_spatial_index *index = snw_spatial_index_make(&grid.mesh, grid.mesh.points_rest, arena);
	const snw_ray ray = from_above(center[0], center[2]);
	const walked found = walk_from(&grid.mesh, center, snw_spatial_index_pick(index, &ray).face, 0.6, arena);
	uint32_t expected = 0;
	for (uint32_t i = 0; i < grid.mesh.point_count; i++) {
		const double *point = grid.mesh.points_rest + 3 * (size_t)i;
		expected += hypot(point[0] - center[0], point[2] - center[2]) < 0.6;
	}
	double last = 0, most = 0, least = 1;
	for (uint32_t k = 0; k < found.count; k++) {
		const double *point = grid.mesh.points_rest + 3 * (size_t)found.points[k];
		const double straight = hypot(point[0] - center[0], point[2] - center[2]);
		assert_true(found.distances[k] >= last - 0.6 / 1024);
		least = fmin(least, found.distances[k] / straight);
		most = fmax(most, found.distances[k] / straight);
		last = found.distances[k];
	}
	print_message("on a plane: longer by at most %.2g %%, shorter by %.2g %%, %u of %u points\n", 100 * (most - 1),
				  100 * (1 - least), found.count, expected);
	assert_true(most < 1.03 && 1 - least < 1e-12 && found.count <= expected && found.count > 0.97 * expected);
	snw_arena_destroy(arena);
}

static void walk_ball_distances_are_arcs(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh ball = make_ball(arena, 60, 120);
	const walked found = walk_from(&ball, ball.points_rest, 0, 2.5, arena);
	assert_true(found.count > ball.point_count / 2);
	for (uint32_t k = 0; k < found.count; k++) {
		const double arc = acos(fmax(-1, fmin(1, ball.points_rest[3 * (size_t)found.points[k] + 1])));
		check_near(found.distances[k], arc, 0.01 * arc + 1e-7);
	}
	snw_arena_destroy(arena);
}

/* Two sheets that only lie near each other. */
static void walk_other_shell_is_not_reached(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const sheet grid = make_sheet(arena, 10, 21, 0);
	const uint32_t count = grid.mesh.point_count, corners = grid.mesh.face_offsets[grid.mesh.face_count];
	snw_mesh both = grid.mesh;
	double *points = SNW_NEW_ARRAY(arena, double, 6 * (size_t)count);
	uint32_t *face_points = SNW_NEW_ARRAY(arena, uint32_t, 2 * (size_t)corners);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, 2 * (size_t)grid.mesh.face_count + 1);
	for (uint32_t i = 0; i < 6 * count; i++) {
		points[i] = grid.mesh.points_rest[i % (3 * count)] - (i >= 3 * count && i % 3 == 1 ? 0.01 : 0);
	}
	for (uint32_t c = 0; c < 2 * corners; c++) {
		face_points[c] = grid.mesh.face_points[c % corners] + (c >= corners ? count : 0);
	}
	for (uint32_t f = 0; f <= 2 * grid.mesh.face_count; f++) {
		offsets[f] = 4 * f;
	}
	both.point_count = 2 * count;
	both.points_rest = points;
	both.face_count = 2 * grid.mesh.face_count;
	both.face_offsets = offsets;
	both.face_points = face_points;
	snw_sculpt *sculpt = open_sculpt(&both, NULL);
	for (int volume = 0; volume < 2; volume++) {
		snw_brush brush = usual_brush(SNW_BRUSH_INFLATE, 0.4);
		brush.volume = volume;
		const snw_ray ray = from_above(0, 1);
		const snw_pick pick = snw_sculpt_pick(sculpt, &ray);
		const uint32_t *reached;
		const double *weights;
		const uint32_t reach = snw_sculpt_reach(sculpt, &brush, &pick, &reached, &weights);
		uint32_t below = 0;
		for (uint32_t k = 0; k < reach; k++) {
			below += reached[k] >= count;
		}
		assert_true(reach > 20 && (volume ? below > 20 : below == 0));
	}
	snw_sculpt_destroy(sculpt);
	snw_arena_destroy(arena);
}

TEST_GROUP(spatial_index) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pick_any_ray_equals_brute_force),   cmocka_unit_test(pick_through_edges_and_corners_never_slips),
		cmocka_unit_test(refitted_index_equals_a_new_one),   cmocka_unit_test(picks_on_a_broken_mesh_equal_brute_force),
		cmocka_unit_test(walk_plane_distances_are_straight), cmocka_unit_test(walk_ball_distances_are_arcs),
		cmocka_unit_test(walk_other_shell_is_not_reached),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
