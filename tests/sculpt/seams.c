/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A split mesh is sculpted as if it were whole: its seams stay closed, with every brush, with symmetry, and in the ring of a
 * smoothing.
 */
#include "meshes.h"

#include "sculpt/sculpt.h"

enum { HALF = 10, COLUMNS = 2 * HALF + 1, ROWS = 21 };

/* Each face has points of its own; `of` gives the point of the whole sheet. */
typedef struct split {
	snw_mesh mesh;
	uint32_t *of, *partners;
} split;

/* The partner of a corner: the same place on the mirrored face. */
static uint32_t corner_of(const snw_mesh *whole, uint32_t face, uint32_t point) {
	for (uint32_t c = whole->face_offsets[face]; c < whole->face_offsets[face + 1]; c++) {
		if (whole->face_points[c] == point) {
			return c;
		}
	}
	return SNW_NONE;
}

static split split_sheet(const sheet *whole, snw_arena *arena) {
	const snw_mesh *mesh = &whole->mesh;
	const uint32_t count = mesh->face_offsets[mesh->face_count];
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	uint32_t *corners = SNW_NEW_ARRAY(arena, uint32_t, count);
	split made = {.mesh = *mesh, .of = snw_arena_copy(arena, mesh->face_points, count * sizeof *corners)};
	made.partners = SNW_NEW_ARRAY(arena, uint32_t, count);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t row = f / (COLUMNS - 1), mirrored = row * (COLUMNS - 1) + (COLUMNS - 2 - f % (COLUMNS - 1));
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
			corners[c] = c;
			memcpy(points + 3 * (size_t)c, mesh->points_rest + 3 * (size_t)made.of[c], 3 * sizeof *points);
			made.partners[c] = corner_of(mesh, mirrored, whole->partners[made.of[c]]);
		}
	}
	made.mesh.point_count = count;
	made.mesh.points_rest = points;
	made.mesh.face_points = corners;
	return made;
}

static void check_brush(snw_brush_kind kind, bool symmetric, bool volume) {
	snw_arena *arena = snw_arena_create();
	const sheet whole = make_sheet(arena, HALF, ROWS, 0.1);
	const split parts = split_sheet(&whole, arena);
	snw_sculpt *one = open_sculpt(&whole.mesh, symmetric ? whole.partners : NULL);
	snw_sculpt *other = open_sculpt(&parts.mesh, symmetric ? parts.partners : NULL);
	snw_brush brush = usual_brush(kind, 0.35);
	brush.symmetric = symmetric;
	brush.volume = volume;
	stroke_over(one, &brush, 0.22, 0.71, 0.43, 1.12);
	stroke_over(other, &brush, 0.22, 0.71, 0.43, 1.12);
	const double *expected = snw_sculpt_get_view(one)->points, *found = snw_sculpt_get_view(other)->points;
	double farthest = 0;
	for (uint32_t i = 0; i < parts.mesh.point_count; i++) {
		for (size_t c = 0; c < 3; c++) {
			check_near(found[3 * (size_t)i + c], expected[3 * (size_t)parts.of[i] + c], 1e-9);
			farthest = fmax(farthest, fabs(found[3 * (size_t)i + c] - parts.mesh.points_rest[3 * (size_t)i + c]));
		}
	}
	const bool moves = snw_brush_changes(kind) == SNW_BRUSH_POINTS && kind != SNW_BRUSH_ERASE &&
					   kind != SNW_BRUSH_MORPH; /* which go back to what is there */
	assert_true(!moves || farthest > 1e-5);
	snw_sculpt_destroy(one);
	snw_sculpt_destroy(other);
	snw_arena_destroy(arena);
}

static void split_sheet_is_sculpted_as_the_whole_one(void **state) {
	(void)state;
	for (int kind = 0; kind < SNW_BRUSH_COUNT; kind++) {
		for (int way = 0; way < 4; way++) {
			check_brush((snw_brush_kind)kind, way & 1, way & 2);
		}
	}
}

/* Two sheets that touch at rest, as closed lips do, and are apart in the pose: one is sculpted alone. */
static void borders_that_are_apart_in_the_pose_are_not_welded(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const sheet whole = make_sheet(arena, HALF, ROWS, 0);
	const split parts = split_sheet(&whole, arena);
	double *posed = snw_arena_copy(arena, parts.mesh.points_rest, 3 * (size_t)parts.mesh.point_count * sizeof *posed);
	const uint32_t half = parts.mesh.point_count / 2;
	for (uint32_t i = half; i < parts.mesh.point_count; i++) {
		posed[3 * (size_t)i + 2] += 0.05;
	}
	snw_sculpt *sculpt = NULL;
	snw_error error = {0};
	const snw_sculpt_setup setup = {.mesh = &parts.mesh, .points_posed = posed};
	check_ok(snw_sculpt_create(&setup, &sculpt, &error), error);
	const snw_brush brush = usual_brush(SNW_BRUSH_DRAW, 0.3);
	stroke_over(sculpt, &brush, -0.1, 0.95, 0.1, 0.95);
	const double *found = snw_sculpt_get_view(sculpt)->points;
	double here = 0, there = 0;
	for (uint32_t i = 0; i < parts.mesh.point_count; i++) {
		double *most = i < half ? &here : &there;
		*most = fmax(*most, fabs(found[3 * (size_t)i + 1]));
	}
	assert_true(here > 1e-3 && there == 0);
	snw_sculpt_destroy(sculpt);
	snw_arena_destroy(arena);
}

/* A split sheet, and triangles that are shrunk to one place beside it, as what a file hides. */
static snw_mesh add_heap(const snw_mesh *mesh, uint32_t triangles, snw_arena *arena) {
	const uint32_t points = mesh->point_count, faces = mesh->face_count;
	snw_mesh made = *mesh;
	double *places = snw_arena_array(arena, points + 3 * (size_t)triangles, 3 * sizeof *places);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)faces + triangles + 1);
	uint32_t *corners = SNW_NEW_ARRAY(arena, uint32_t, mesh->face_offsets[faces] + 3 * (size_t)triangles);
	memcpy(places, mesh->points_rest, 3 * (size_t)points * sizeof *places);
	memcpy(offsets, mesh->face_offsets, ((size_t)faces + 1) * sizeof *offsets);
	memcpy(corners, mesh->face_points, mesh->face_offsets[faces] * sizeof *corners);
	for (uint32_t i = 0; i < 3 * triangles; i++) {
		places[3 * ((size_t)points + i) + 1] = 0.5;
		corners[offsets[faces] + i] = points + i;
		offsets[faces + i / 3 + 1] = offsets[faces] + i / 3 * 3 + 3;
	}
	made.point_count += 3 * triangles;
	made.face_count += triangles;
	made.points_rest = places;
	made.face_offsets = offsets;
	made.face_points = corners;
	return made;
}

/* Each point of a place gets all faces there, so a heap of n points would take n² of memory and time. */
static void heap_of_points_at_one_place_is_not_welded(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const sheet whole = make_sheet(arena, HALF, ROWS, 0);
	const split parts = split_sheet(&whole, arena);
	const snw_mesh mesh = add_heap(&parts.mesh, 1000, arena);
	snw_adjacency around = snw_adjacency_make(&mesh, NULL, arena);
	const snw_weld weld = snw_weld_make(&mesh, mesh.points_rest, NULL, &around, arena);
	uint32_t welded = 0;
	assert_non_null(weld.first);
	for (uint32_t i = 0; i < mesh.point_count; i++) {
		welded += weld.first[i] != i;
		assert_true(i < parts.mesh.point_count || (weld.first[i] == i && weld.next[i] == i));
	}
	assert_int_equal(welded, parts.mesh.point_count - whole.mesh.point_count);
	snw_arena_destroy(arena);
}

/* The faces of a row of quads or more as a mesh with only the points that they have; `of` gives the points of the whole
 * sheet. */
static split cut_rows(const snw_mesh *whole, uint32_t first_row, uint32_t row_count, snw_arena *arena) {
	const uint32_t across = COLUMNS - 1, count = (row_count + 1) * COLUMNS;
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	uint32_t *corners = SNW_NEW_ARRAY(arena, uint32_t, 4 * (size_t)row_count * across);
	split made = {.mesh = *whole, .of = SNW_NEW_ARRAY(arena, uint32_t, count)};
	for (uint32_t i = 0; i < count; i++) {
		made.of[i] = first_row * COLUMNS + i;
		memcpy(points + 3 * (size_t)i, whole->points_rest + 3 * (size_t)made.of[i], 3 * sizeof *points);
	}
	for (uint32_t c = 0; c < 4 * row_count * across; c++) {
		corners[c] = whole->face_points[4 * first_row * across + c] - first_row * COLUMNS;
	}
	made.mesh.name = first_row == 0 ? "front" : "back";
	made.mesh.point_count = count;
	made.mesh.points_rest = points;
	made.mesh.face_count = row_count * across;
	made.mesh.face_points = corners;
	return made;
}

/* Two meshes that meet, and one that stands apart. */
static void meshes_that_a_seam_joins_are_sculpted_as_one(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const sheet whole = make_sheet(arena, HALF, ROWS, 0.1), other = make_sheet(arena, HALF, ROWS, 0);
	const split front = cut_rows(&whole.mesh, 0, 12, arena), back = cut_rows(&whole.mesh, 12, ROWS - 1 - 12, arena);
	snw_mesh far = other.mesh;
	double *away = snw_arena_copy(arena, far.points_rest, 3 * (size_t)far.point_count * sizeof *away);
	for (uint32_t i = 0; i < far.point_count; i++) {
		away[3 * (size_t)i + 1] += 1;
	}
	far.points_rest = away;
	snw_scene *scene = snw_scene_create();
	const snw_mesh meshes[] = {front.mesh, far, back.mesh};
	scene->meshes = meshes;
	scene->mesh_count = 3;
	const bool all[] = {true, true, true}, not_front[] = {false, true, true};
	uint32_t *found;
	assert_int_equal(snw_seam_meshes(scene, 2, not_front, arena, &found), 1);
	assert_int_equal(snw_seam_meshes(scene, 1, all, arena, &found), 1);
	assert_int_equal(snw_seam_meshes(scene, 2, all, arena, &found), 2);
	assert_true(found[0] == 2 && found[1] == 0);
	const snw_mesh *joined = snw_join_meshes(scene, 2, found, arena);
	for (int kind = 0; kind < SNW_BRUSH_COUNT; kind++) {
		const snw_brush brush = usual_brush((snw_brush_kind)kind, 0.35);
		snw_sculpt *one = open_sculpt(&whole.mesh, NULL), *parts = open_sculpt(joined, NULL);
		stroke_over(one, &brush, 0.02, 1.1, 0.13, 1.3);
		stroke_over(parts, &brush, 0.02, 1.1, 0.13, 1.3);
		const double *expected = snw_sculpt_get_view(one)->points, *points = snw_sculpt_get_view(parts)->points;
		for (uint32_t i = 0; i < joined->point_count; i++) {
			const uint32_t of = i < back.mesh.point_count ? back.of[i] : front.of[i - back.mesh.point_count];
			for (size_t c = 0; c < 3; c++) {
				check_near(points[3 * (size_t)i + c], expected[3 * (size_t)of + c], 1e-9);
			}
		}
		snw_sculpt_destroy(one);
		snw_sculpt_destroy(parts);
	}
	scene->mesh_count = 0;
	snw_scene_destroy(scene);
	snw_arena_destroy(arena);
}

TEST_GROUP(seams) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(split_sheet_is_sculpted_as_the_whole_one),
		cmocka_unit_test(borders_that_are_apart_in_the_pose_are_not_welded),
		cmocka_unit_test(heap_of_points_at_one_place_is_not_welded),
		cmocka_unit_test(meshes_that_a_seam_joins_are_sculpted_as_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
