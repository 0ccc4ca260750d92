/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small meshes to flatten: an uneven grid of triangles on a surface.
 */
#ifndef SINEW_TESTS_UNWRAP_SHEETS_H
#define SINEW_TESTS_UNWRAP_SHEETS_H

#include <math.h>
#include <string.h>

#include "scene/scene.h"

enum { COLUMNS = 13, ROWS = 9 };

typedef void surface_function(double u, double v, double point[3]);

static inline void on_plane(double u, double v, double point[3]) {
	point[0] = 2 * u;
	point[1] = v + 0.1 * u;
	point[2] = 0.3 * u - v;
}

static inline void on_cylinder(double u, double v, double point[3]) {
	point[0] = cos(4 * u);
	point[1] = 2 * v;
	point[2] = sin(4 * u);
}

static inline void on_cone(double u, double v, double point[3]) {
	point[0] = (0.2 + v) * cos(5 * u);
	point[1] = v;
	point[2] = (0.2 + v) * sin(5 * u);
}

static inline void on_saddle(double u, double v, double point[3]) {
	point[0] = u;
	point[1] = v;
	point[2] = (u - 0.4) * (v - 0.3);
}

/* One mesh of triangles and no joints. */
static inline snw_scene *scene_of(uint32_t point_count, const double *points, uint32_t face_count, const uint32_t *corners) {
	snw_scene *scene = snw_scene_create();
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	uint32_t *offsets = SNW_NEW_ARRAY(scene->arena, uint32_t, face_count + 1);
	for (uint32_t f = 0; f < face_count; f++) {
		offsets[f + 1] = 3 * (f + 1);
	}
	*mesh = (snw_mesh){.name = "sheet",
					   .point_count = point_count,
					   .points_rest = snw_arena_copy(scene->arena, points, 3 * (size_t)point_count * sizeof *points),
					   .face_count = face_count,
					   .face_offsets = offsets,
					   .face_points = snw_arena_copy(scene->arena, corners, 3 * (size_t)face_count * sizeof *corners)};
	scene->meshes = mesh;
	scene->mesh_count = 1;
	return scene;
}

/* An uneven grid of triangles, whose columns are straight where the surface is along v. */
static inline snw_scene *sheet_of(surface_function *surface) {
	double points[COLUMNS * ROWS][3];
	uint32_t corners[6 * (COLUMNS - 1) * (ROWS - 1)], count = 0;
	for (uint32_t i = 0; i < COLUMNS * ROWS; i++) {
		const uint32_t column = i % COLUMNS, row = i / COLUMNS;
		surface((double)column / (COLUMNS - 1) + 0.02 * sin(9.0 * column), (double)row / (ROWS - 1) + 0.02 * sin(7.0 * i),
				points[i]);
	}
	for (uint32_t y = 0; y + 1 < ROWS; y++) {
		for (uint32_t x = 0; x + 1 < COLUMNS; x++) {
			const uint32_t a = y * COLUMNS + x, quad[6] = {a, a + 1, a + COLUMNS + 1, a, a + COLUMNS + 1, a + COLUMNS};
			memcpy(corners + count, quad, sizeof quad);
			count += 6;
		}
	}
	return scene_of(COLUMNS * ROWS, points[0], count / 3, corners);
}

#endif
