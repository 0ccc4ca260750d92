/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sculpting random meshes with random input: any faces over any points, some of them coincident or in a row, any maps, any
 * brushes, mouse moves across the mesh and beyond it. Points stay finite, an abort restores every bit, and the index finds
 * what a new one finds. The seed is printed.
 */
#include "meshes.h"

#include "mesh/surface.h"
#include "sinew/algebra.h"

enum { POINTS = 60, FACES = 90, ROUNDS = 60, STROKES = 6 };

static snw_mesh any_mesh(snw_arena *arena, uint64_t *seed) {
	double *points = SNW_NEW_ARRAY(arena, double, 3 * POINTS);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, FACES + 1), *corners = SNW_NEW_ARRAY(arena, uint32_t, 9 * FACES);
	const uint32_t shape = random_below(seed, 4);
	for (uint32_t i = 0; i < 3 * POINTS; i++) {
		points[i] =
			shape == 0 ? round(2 * random_between(seed, 0, 1)) : random_between(seed, 0, 1); /* in few places; anywhere */
		points[i] *= shape == 1 && i % 3 == 2 ? 0 : 1;                                       /* in a plane */
		points[i] *= shape == 2 && i % 3 > 0 ? 0 : 1;                                        /* in a row */
	}
	for (uint32_t f = 0; f < FACES; f++) {
		const uint32_t count = 3 + random_below(seed, 7);
		for (uint32_t c = 0; c < count; c++) {
			corners[offsets[f] + c] = random_below(seed, POINTS - 5); /* the last few are in no face */
		}
		offsets[f + 1] = offsets[f] + count;
	}
	return (snw_mesh){.name = "wild",
					  .point_count = POINTS,
					  .points_rest = points,
					  .face_count = FACES,
					  .face_offsets = offsets,
					  .face_points = corners};
}

static uint32_t *any_partners(snw_arena *arena, uint64_t *seed) {
	uint32_t *partners = SNW_NEW_ARRAY(arena, uint32_t, POINTS);
	for (uint32_t i = 0; i < POINTS; i++) {
		partners[i] = random_below(seed, 3) ? SNW_NONE : i;
	}
	for (uint32_t k = 0; k < POINTS / 4; k++) {
		const uint32_t i = random_below(seed, POINTS), j = random_below(seed, POINTS);
		if (partners[i] == SNW_NONE && partners[j] == SNW_NONE) {
			partners[i] = j;
			partners[j] = i;
		}
	}
	return partners;
}

static snw_brush any_brush(uint64_t *seed) {
	return (snw_brush){
		.kind = (snw_brush_kind)random_below(seed, SNW_BRUSH_COUNT),
		.falloff = (snw_falloff)random_below(seed, SNW_FALLOFF_COUNT),
		.radius = pow(10, 4 * random_between(seed, 0, 1) - 3),
		.strength = random_between(seed, 0, 1),
		.hardness = random_between(seed, 0, 1),
		.value = 10 * random_between(seed, 0, 1) - 5,
		.spacing = random_below(seed, 2) ? 0 : random_between(seed, 0, 1),
		.invert = random_below(seed, 2),
		.volume = random_below(seed, 2),
		.symmetric = random_below(seed, 2),
	};
}

static snw_ray ray_at(uint64_t *seed) {
	snw_ray ray;
	for (int c = 0; c < 3; c++) {
		ray.origin[c] = 4 * random_between(seed, 0, 1) - 2;
		ray.direction[c] = 1.2 * random_between(seed, 0, 1) - 0.1 - ray.origin[c];
	}
	if (random_below(seed, 4) == 0) {
		ray.direction[random_below(seed, 3)] = 0;
		ray.direction[random_below(seed, 3)] += 1e-3;
	}
	return ray;
}

static void stroke_anyhow(snw_sculpt *sculpt, uint64_t *seed) {
	const snw_brush brush = any_brush(seed);
	snw_ray ray = ray_at(seed);
	const snw_pick pick = snw_sculpt_pick(sculpt, &ray);
	snw_error error = {0};
	check_ok(snw_sculpt_begin(sculpt, &brush, &pick, &error), error);
	for (int k = 0; k < 4; k++) {
		snw_sculpt_move(sculpt, &ray, NULL, random_between(seed, 0, 1));
		ray = ray_at(seed);
	}
}

static void check_numbers(const snw_sculpt_view *view) {
	for (uint32_t i = 0; i < 3 * view->point_count; i++) {
		assert_true(isfinite(view->points[i]) && isfinite((double)view->normals[i]));
		assert_true(view->points_single[i] == (float)view->points[i]);
		assert_true(i >= view->point_count || (view->mask[i] >= 0 && view->mask[i] <= 1 && isfinite(view->field[i])));
	}
}

static void check_index(const snw_mesh *mesh, const snw_sculpt *sculpt, uint64_t *seed) {
	snw_arena *arena = snw_arena_create();
	const snw_spatial_index *fresh = snw_spatial_index_make(mesh, snw_sculpt_get_view(sculpt)->points, arena);
	for (int k = 0; k < 10; k++) {
		const snw_ray ray = ray_at(seed);
		const snw_pick one = snw_sculpt_pick(sculpt, &ray), other = snw_spatial_index_pick(fresh, &ray);
		assert_int_equal(one.face, other.face);
		assert_true(one.distance == other.distance);
	}
	snw_arena_destroy(arena);
}

static void random_meshes_and_strokes_stay_finite_and_abort_exactly(void **state) {
	(void)state;
	uint64_t seed = random_seed();
	for (int round = 0; round < ROUNDS; round++) {
		snw_arena *arena = snw_arena_create();
		const snw_mesh mesh = any_mesh(arena, &seed);
		snw_sculpt *sculpt = open_sculpt(&mesh, random_below(&seed, 2) ? any_partners(arena, &seed) : NULL);
		const snw_sculpt_view *view = snw_sculpt_get_view(sculpt);
		for (int k = 0; k < STROKES; k++) {
			stroke_anyhow(sculpt, &seed);
			snw_sculpt_end(sculpt, NULL);
			check_numbers(view);
			check_index(&mesh, sculpt, &seed);
		}
		const size_t bytes = POINTS * sizeof(double);
		double *points = snw_arena_copy(arena, view->points, 3 * bytes), *mask = snw_arena_copy(arena, view->mask, bytes),
			   *field = snw_arena_copy(arena, view->field, bytes);
		stroke_anyhow(sculpt, &seed);
		snw_sculpt_abort(sculpt);
		assert_memory_equal(view->points, points, 3 * bytes);
		assert_memory_equal(view->mask, mask, bytes);
		assert_memory_equal(view->field, field, bytes);
		check_index(&mesh, sculpt, &seed);
		snw_sculpt_destroy(sculpt);
		snw_arena_destroy(arena);
	}
}

TEST_GROUP(wild) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(random_meshes_and_strokes_stay_finite_and_abort_exactly)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
