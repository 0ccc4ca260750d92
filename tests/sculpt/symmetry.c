/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Symmetry if the sides differ: two sheets that are reflections at rest, one of which the pose has rotated away.
 */
#include "meshes.h"

#include "sinew/algebra.h"

enum { SIDE = 21, COUNT = SIDE * SIDE };

typedef struct pair {
	snw_mesh mesh;
	uint32_t partners[2 * COUNT];
	double posed[6 * COUNT];
	double transform[12]; /* of the second sheet */
} pair;

/* The first stands at x from 1 to 3, the second is its reflection, rotated and moved as a whole; or bent as well. */
static pair *make_pair(snw_arena *arena, bool bends) {
	pair *sides = SNW_NEW(arena, pair);
	double *rest = SNW_NEW_ARRAY(arena, double, 6 * COUNT);
	uint32_t *corners = SNW_NEW_ARRAY(arena, uint32_t, 8 * (SIDE - 1) * (SIDE - 1));
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, 2 * (SIDE - 1) * (SIDE - 1) + 1), face = 0;
	snw_quat_to_mat34((double[]){0.5, 0.5, -0.5, 0.5}, sides->transform);
	sides->transform[3] = -4;
	for (uint32_t i = 0; i < COUNT; i++) {
		const uint32_t r = i / SIDE, c = i % SIDE;
		const double x = 1 + 0.1 * c, z = 0.1 * r, y = 0.1 * sin(2 * x) * cos(z);
		double *here = rest + 3 * (size_t)i, *there = here + 3 * COUNT, *posed = sides->posed + 3 * (COUNT + (size_t)i);
		memcpy(here, (double[]){x, y, z}, 3 * sizeof x);
		memcpy(there, (double[]){-x, y, z}, 3 * sizeof x);
		memcpy(sides->posed + 3 * (size_t)i, here, 3 * sizeof x);
		memcpy(posed, there, 3 * sizeof x);
		if (bends) {
			posed[1] += 0.2 * (x - 2) * (x - 2);
		}
		snw_mat34_point(sides->transform, posed, posed);
		sides->partners[i] = COUNT + i;
		sides->partners[COUNT + i] = i;
		if (r + 1 < SIDE && c + 1 < SIDE) {
			for (uint32_t side = 0; side < 2; side++) {
				const uint32_t at = side * COUNT + i;
				const uint32_t quad[4] = {at, side ? at + 1 : at + SIDE, at + SIDE + 1, side ? at + SIDE : at + 1};
				memcpy(corners + 4 * (size_t)face, quad, sizeof quad);
				offsets[face + 1] = 4 * (face + 1);
				face++;
			}
		}
	}
	sides->mesh = (snw_mesh){.name = "pair",
							 .point_count = 2 * COUNT,
							 .points_rest = rest,
							 .face_count = face,
							 .face_offsets = offsets,
							 .face_points = corners};
	return sides;
}

static snw_sculpt *open_pair(const pair *sides) {
	const snw_sculpt_setup setup = {.mesh = &sides->mesh, .points_posed = sides->posed, .partners = sides->partners};
	snw_sculpt *sculpt = NULL;
	snw_error error = {0};
	check_ok(snw_sculpt_create(&setup, &sculpt, &error), error);
	return sculpt;
}

static void stroke_first(snw_sculpt *sculpt, snw_brush_kind kind) {
	snw_brush brush = usual_brush(kind, 0.6);
	brush.symmetric = true;
	stroke_over(sculpt, &brush, 1.8, 0.8, 2.2, 1.1);
}

static void displacement(const pair *sides, const snw_sculpt *sculpt, uint32_t point, double dest[3]) {
	for (size_t c = 0; c < 3; c++) {
		dest[c] = snw_sculpt_get_view(sculpt)->points[3 * (size_t)point + c] - sides->posed[3 * (size_t)point + c];
	}
}

static void rotated_side_is_sculpted_in_its_pose(void **state) {
	(void)state;
	for (int kind = 0; kind < SNW_BRUSH_ERASE; kind++) {
		snw_arena *arena = snw_arena_create();
		const pair *sides = make_pair(arena, false);
		snw_sculpt *sculpt = open_pair(sides);
		stroke_first(sculpt, kind);
		double most = 0;
		for (uint32_t i = 0; i < COUNT; i++) {
			double here[3], there[3], expected[3];
			displacement(sides, sculpt, i, here);
			displacement(sides, sculpt, COUNT + i, there);
			here[0] = -here[0];
			snw_mat34_vector(sides->transform, here, expected);
			for (int c = 0; c < 3; c++) {
				/* Relax keeps to faces, whose triangles are not reflections of each other. */
				check_near(there[c], expected[c], kind == SNW_BRUSH_RELAX ? 1e-3 : 1e-12);
				most = fmax(most, fabs(there[c]));
			}
		}
		assert_true(most > 1e-5);
		snw_sculpt_destroy(sculpt);
		snw_arena_destroy(arena);
	}
}

static void bent_side_is_inflated_along_its_own_normals(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const pair *sides = make_pair(arena, true);
	snw_sculpt *sculpt = open_pair(sides);
	float *normals = snw_arena_copy(arena, snw_sculpt_get_view(sculpt)->normals, 6 * COUNT * sizeof(float));
	snw_ray ray = from_above(2, 1);
	const snw_pick pick = snw_sculpt_pick(sculpt, &ray);
	snw_brush brush = usual_brush(SNW_BRUSH_INFLATE, 0.6);
	brush.symmetric = true;
	snw_error error = {0};
	check_ok(snw_sculpt_begin(sculpt, &brush, &pick, &error), error);
	snw_sculpt_dab(sculpt, &(snw_dab){.pick = pick, .pressure = 1});
	snw_sculpt_end(sculpt, NULL);
	uint32_t displaced = 0;
	for (uint32_t i = 0; i < COUNT; i++) {
		double here[3], there[3], along = 0;
		displacement(sides, sculpt, i, here);
		displacement(sides, sculpt, COUNT + i, there);
		for (int c = 0; c < 3; c++) {
			along += there[c] * (double)normals[3 * (size_t)(COUNT + i) + (size_t)c];
		}
		check_near(snw_length3(there), snw_length3(here), 1e-12); /* no more and no less than on this side */
		check_near(along, snw_length3(there), 1e-6);
		displaced += snw_length3(there) > 1e-4;
	}
	assert_true(displaced > 20);
	snw_sculpt_destroy(sculpt);
	snw_arena_destroy(arena);
}

static void sides_that_were_sculpted_apart_keep_their_difference(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const sheet grid = make_sheet(arena, 20, 41, 0.1);
	snw_sculpt *sculpt = open_sculpt(&grid.mesh, grid.partners);
	snw_brush brush = usual_brush(SNW_BRUSH_INFLATE, 0.3);
	stroke_over(sculpt, &brush, -0.6, 1, -0.5, 1); /* one side alone */
	const snw_sculpt_view *view = snw_sculpt_get_view(sculpt);
	double *before = snw_arena_copy(arena, view->points, 3 * view->point_count * sizeof *before);
	brush.kind = SNW_BRUSH_GRAB;
	brush.symmetric = true;
	stroke_over(sculpt, &brush, 0.6, 1, 0.6, 1.1);
	for (uint32_t i = 0; i < view->point_count; i++) {
		const size_t a = 3 * (size_t)i, b = 3 * (size_t)grid.partners[i];
		check_near(view->points[a] - before[a], -(view->points[b] - before[b]), 1e-15);
		check_near(view->points[a + 1] - before[a + 1], view->points[b + 1] - before[b + 1], 1e-15);
	}
	snw_sculpt_destroy(sculpt);
	snw_arena_destroy(arena);
}

TEST_GROUP(symmetry) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rotated_side_is_sculpted_in_its_pose),
		cmocka_unit_test(bent_side_is_inflated_along_its_own_normals),
		cmocka_unit_test(sides_that_were_sculpted_apart_keep_their_difference),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
