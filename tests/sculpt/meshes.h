/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Meshes to sculpt: a wavy sheet of quads that is symmetric about x = 0, a ball of triangles, and a malformed mesh.
 */
#ifndef SINEW_TESTS_SCULPT_MESHES_H
#define SINEW_TESTS_SCULPT_MESHES_H

#include "check.h"
#include "random.h"

#include "sculpt/sculpt.h"

typedef struct sheet {
	snw_mesh mesh;
	uint32_t *partners;
} sheet;

/* (2 half + 1) × rows points over [-1, 1] × [0, depth] in x and z; the height is wave · cos(3x) cos(3z). */
static inline sheet make_sheet(snw_arena *arena, uint32_t half, uint32_t rows, double wave) {
	const uint32_t columns = 2 * half + 1;
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)columns * rows);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)(columns - 1) * (rows - 1) + 1);
	uint32_t *corners = SNW_NEW_ARRAY(arena, uint32_t, 4 * (size_t)(columns - 1) * (rows - 1));
	sheet made = {.partners = SNW_NEW_ARRAY(arena, uint32_t, (size_t)columns * rows)};
	uint32_t face = 0;
	for (uint32_t r = 0; r < rows; r++) {
		for (uint32_t c = 0; c < columns; c++) {
			const uint32_t i = r * columns + c;
			/* From the middle outward, so that both sides are the same numbers. */
			const double x = c < half ? -(double)(half - c) / half : (double)(c - half) / half, z = (double)r / half;
			points[3 * (size_t)i] = x;
			points[3 * (size_t)i + 1] = wave * cos(3 * fabs(x)) * cos(3 * z);
			points[3 * (size_t)i + 2] = z;
			made.partners[i] = r * columns + (columns - 1 - c);
			if (r + 1 < rows && c + 1 < columns) {
				const uint32_t indices[4] = {i, i + columns, i + columns + 1, i + 1};
				memcpy(corners + 4 * (size_t)face, indices, sizeof indices);
				face++;
			}
		}
	}
	for (uint32_t f = 0; f <= face; f++) {
		offsets[f] = 4 * f;
	}
	made.mesh = (snw_mesh){.name = "sheet",
						   .point_count = columns * rows,
						   .points_rest = points,
						   .face_count = face,
						   .face_offsets = offsets,
						   .face_points = corners};
	return made;
}

/* A ball of radius 1 as `rings` × `segments` triangles, with poles. */
static inline snw_mesh make_ball(snw_arena *arena, uint32_t rings, uint32_t segments) {
	const uint32_t count = 2 + (rings - 1) * segments, face_count = 2 * segments * (rings - 1);
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	uint32_t *corners = SNW_NEW_ARRAY(arena, uint32_t, 3 * (size_t)face_count);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)face_count + 1);
	points[1] = 1;
	points[3 * (size_t)(count - 1) + 1] = -1;
	for (uint32_t r = 1; r < rings; r++) {
		for (uint32_t s = 0; s < segments; s++) {
			double *point = points + 3 * (size_t)(1 + (r - 1) * segments + s);
			const double down = M_PI * r / rings, round = 2 * M_PI * s / segments;
			point[0] = sin(down) * cos(round);
			point[1] = cos(down);
			point[2] = sin(down) * sin(round);
		}
	}
	uint32_t *next = corners;
	for (uint32_t r = 0; r < rings; r++) {
		for (uint32_t s = 0; s < segments; s++) {
			const uint32_t t = (s + 1) % segments;
			const uint32_t a = r == 0 ? 0 : 1 + (r - 1) * segments + s, b = r == 0 ? 0 : 1 + (r - 1) * segments + t;
			const uint32_t c = r + 1 == rings ? count - 1 : 1 + r * segments + s,
						   d = r + 1 == rings ? count - 1 : 1 + r * segments + t;
			if (r > 0) {
				memcpy(next, (uint32_t[]){a, b, c}, 3 * sizeof *next);
				next += 3;
			}
			if (r + 1 < rings) {
				memcpy(next, (uint32_t[]){b, d, c}, 3 * sizeof *next);
				next += 3;
			}
		}
	}
	for (uint32_t f = 0; f <= face_count; f++) {
		offsets[f] = 3 * f;
	}
	return (snw_mesh){.name = "ball",
					  .point_count = count,
					  .points_rest = points,
					  .face_count = face_count,
					  .face_offsets = offsets,
					  .face_points = corners};
}

/* Degenerate faces, faces that name a point twice, an edge of three faces, points in one place, points without faces. */
static inline snw_mesh make_wreck(snw_arena *arena) {
	static const uint32_t corners[] = {0,      1, 2, /**/ 0, 2, 3, /**/ 0, 2, 4,      /**/ 1, 1, 2,
									   /**/ 5, 5, 5, /**/ 0, 6, 7, 0,      8, /**/ 9, 10,     11};
	static const uint32_t offsets[] = {0, 3, 6, 9, 12, 15, 20, 23};
	static const double points[14][3] = {{0, 0, 0},   {1, 0, 0},  {1, 1, 0},   {0, 1, 0},   {1, 1, 1},   {2, 2, 2}, {-1, 0, 0},
										 {-1, -1, 0}, {0, -1, 0}, {0, 0, 0.5}, {0, 0, 0.5}, {0, 0, 0.5}, {3, 0, 0}, {0, 0, 0}};
	snw_mesh mesh = {.name = "wreck", .point_count = 14, .face_count = 7};
	mesh.points_rest = snw_arena_copy(arena, points, sizeof points);
	mesh.face_offsets = snw_arena_copy(arena, offsets, sizeof offsets);
	mesh.face_points = snw_arena_copy(arena, corners, sizeof corners);
	return mesh;
}

static inline snw_sculpt *open_sculpt(const snw_mesh *mesh, const uint32_t *partners) {
	snw_sculpt *sculpt = NULL;
	snw_error error = {0};
	const snw_sculpt_setup setup = {.mesh = mesh, .points_posed = mesh->points_rest, .partners = partners};
	check_ok(snw_sculpt_create(&setup, &sculpt, &error), error);
	return sculpt;
}

/* Straight down onto (x, z). */
static inline snw_ray from_above(double x, double z) {
	return (snw_ray){.origin = {x, 10, z}, .direction = {0, -1, 0}};
}

static inline snw_brush usual_brush(snw_brush_kind kind, double radius) {
	return (snw_brush){.kind = kind, .radius = radius, .strength = 0.5, .value = 1};
}

/* One stroke of dabs along a way over the sheet. */
static inline void stroke_over(snw_sculpt *sculpt, const snw_brush *brush, double x0, double z0, double x1, double z1) {
	snw_error error = {0};
	snw_ray ray = from_above(x0, z0);
	const snw_pick pick = snw_sculpt_pick(sculpt, &ray);
	assert_int_not_equal(pick.face, SNW_NONE);
	check_ok(snw_sculpt_begin(sculpt, brush, &pick, &error), error);
	for (int k = 0; k <= 10; k++) {
		ray = from_above(x0 + (x1 - x0) * k / 10, z0 + (z1 - z0) * k / 10);
		if (snw_brush_drags(brush->kind)) {
			ray.origin[1] += 0.01 * k;
		}
		snw_sculpt_move(sculpt, &ray, NULL, 1);
	}
	snw_sculpt_end(sculpt, NULL);
}

#endif
