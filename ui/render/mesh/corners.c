/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The axes of points at rest, computed as in the shaders: newell.glsl and axes.glsl in double.
 */
#include "render/mesh/corners.h"

#include <math.h>
#include <string.h>

#include "sinew/algebra.h"

static void unit_or(double v[3], const double otherwise[3]) {
	const double size = snw_length3(v);
	for (int c = 0; c < 3; c++) {
		v[c] = size > 1e-18 ? v[c] / size : otherwise[c];
	}
}

/* The points divided by the size of the mesh, as in the shaders. */
typedef struct sized_mesh {
	const snw_mesh *mesh;
	double unit;
} sized_mesh;

static void between(const sized_mesh *sized, uint32_t from, uint32_t to, double dest[3]) {
	const double *points = sized->mesh->points_rest;
	for (size_t c = 0; c < 3; c++) {
		dest[c] = sized->unit * (double)((float)points[3 * (size_t)to + c] - (float)points[3 * (size_t)from + c]);
	}
}

static void add_area(const sized_mesh *mesh, const uint32_t span[2], double area[3]) {
	const uint32_t *points = mesh->mesh->face_points + span[0];
	double before[3] = {0}, here[3], part[3];
	for (uint32_t i = 1; i < span[1]; i++) {
		between(mesh, points[0], points[i], here);
		snw_cross3(before, here, part);
		for (int c = 0; c < 3; c++) {
			area[c] += part[c];
		}
		memcpy(before, here, sizeof before);
	}
}

static void make_square(double v[3], const double normal[3]) {
	const double along = snw_dot3(v, normal);
	for (int c = 0; c < 3; c++) {
		v[c] -= along * normal[c];
	}
}

/* Rows: normal, tangent, their cross product. */
static void find_axes(const sized_mesh *mesh, const snw_faces *faces, uint32_t point, double axes[3][3]) {
	static const double up[3] = {0, 1, 0}, front[3] = {0, 0, 1};
	const uint32_t *around = faces->around + 3 * (size_t)point;
	memset(axes[0], 0, sizeof axes[0]);
	for (uint32_t i = around[0]; i < around[0] + around[1]; i++) {
		add_area(mesh, faces->face_spans + 2 * (size_t)faces->indices[i], axes[0]);
	}
	unit_or(axes[0], front);
	double any[3] = {fabs(axes[0][0]) < 0.7, !(fabs(axes[0][0]) < 0.7), 0};
	any[0] -= axes[0][0] * axes[0][0];
	any[1] -= axes[0][0] * axes[0][1];
	any[2] -= axes[0][0] * axes[0][2];
	unit_or(any, up);
	between(mesh, point, around[2], axes[1]);
	make_square(axes[1], axes[0]);
	unit_or(axes[1], any);
	make_square(axes[1], axes[0]);
	unit_or(axes[1], up);
	snw_cross3(axes[0], axes[1], axes[2]);
}

static float along(const float *direction, const double axis[3]) {
	return (float)((double)direction[0] * axis[0] + (double)direction[1] * axis[1] + (double)direction[2] * axis[2]);
}

/* Custom normals and tangents relative to the axes of their points. */
static void localize(const snw_mesh *mesh, const snw_faces *faces, double unit, snw_corner_vertex *vertices, size_t corners) {
	const sized_mesh sized = {mesh, unit};
	snw_arena *scratch = snw_arena_create();
	double(*axes)[3][3] = snw_arena_array(scratch, mesh->point_count, sizeof *axes);
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		find_axes(&sized, faces, p, axes[p]);
	}
	for (size_t c = 0; c < corners; c++) {
		for (int k = 0; k < 3; k++) {
			const double *axis = axes[mesh->face_points[c]][k];
			if (mesh->corner_normals) {
				vertices[c].normal[k] = along(mesh->corner_normals + 3 * c, axis);
			}
			if (mesh->corner_tangents) {
				vertices[c].tangent[k] = along(mesh->corner_tangents + 4 * c, axis);
			}
		}
		vertices[c].tangent[3] = mesh->corner_tangents ? mesh->corner_tangents[4 * c + 3] : 0;
	}
	snw_arena_destroy(scratch);
}

snw_corner_vertex *snw_corners_make(const snw_mesh *mesh, const snw_faces *faces, double unit, snw_arena *arena) {
	const size_t corners = mesh->face_count ? mesh->face_offsets[mesh->face_count] : 0;
	snw_corner_vertex *vertices = SNW_NEW_ARRAY(arena, snw_corner_vertex, corners);
	for (size_t c = 0; c < corners; c++) {
		snw_corner_vertex *v = &vertices[c];
		*v = (snw_corner_vertex){mesh->face_points[c], faces->corner_faces[c], {0}, {1, 0, 0}, {1, 1, 1, 1}, {0}};
		for (int i = 0; i < 2 && mesh->corner_uvs; i++) {
			v->uv[i] = mesh->corner_uvs[2 * c + (size_t)i];
		}
		for (int i = 0; i < 4 && mesh->corner_colors; i++) {
			v->color[i] = mesh->corner_colors[4 * c + (size_t)i];
		}
	}
	if ((mesh->corner_normals || mesh->corner_tangents) && corners > 0) {
		localize(mesh, faces, unit, vertices, corners);
	}
	return vertices;
}
