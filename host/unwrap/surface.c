/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unwrap/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/adjacency.h"
#include "mesh/triangulate.h"
#include "sinew/algebra.h"
#include "task/parallel.h"

enum { TRIANGLE_GRAIN = 512 };

/* ---- edges --------------------------------------------------------------------------------------------------------------- */

/* An edge of a face; `low` and `high` are its points. */
typedef struct side {
	uint32_t low, high, corner;
} side;

static int compare_sides(const void *a, const void *b) {
	const side *x = a, *y = b;
	if (x->low != y->low) {
		return x->low < y->low ? -1 : 1;
	}
	if (x->high != y->high) {
		return x->high < y->high ? -1 : 1;
	}
	return x->corner < y->corner ? -1 : x->corner > y->corner;
}

uint32_t unwrap_next_corner(const unwrap_surface *surface, uint32_t corner) {
	const snw_mesh *mesh = surface->mesh;
	const uint32_t face = surface->corner_faces[corner];
	return corner + 1 < mesh->face_offsets[face + 1] ? corner + 1 : mesh->face_offsets[face];
}

static void find_twins(unwrap_surface *s) {
	snw_arena *scratch = snw_arena_create();
	const uint32_t *points = s->mesh->face_points;
	side *sides = SNW_NEW_ARRAY(scratch, side, s->corner_count);
	for (uint32_t c = 0; c < s->corner_count; c++) {
		const uint32_t a = points[c], b = points[unwrap_next_corner(s, c)];
		sides[c] = (side){a < b ? a : b, a < b ? b : a, c};
		s->twins[c] = SNW_NONE;
	}
	qsort(sides, s->corner_count, sizeof *sides, compare_sides);
	for (uint32_t i = 0, end; i < s->corner_count; i = end) {
		end = i + 1;
		while (end < s->corner_count && sides[end].low == sides[i].low && sides[end].high == sides[i].high) {
			end++;
		}
		const uint32_t a = sides[i].corner, b = sides[end - 1].corner;
		if (end - i == 2 && points[a] != points[b] && s->corner_faces[a] != s->corner_faces[b]) {
			s->twins[a] = b;
			s->twins[b] = a;
		} else {
			s->odd_edges += end - i > 1;
		}
	}
	snw_arena_destroy(scratch);
}

static void cut_faces(unwrap_surface *s, snw_arena *arena) {
	const snw_mesh *mesh = s->mesh;
	snw_arena *scratch = snw_arena_create();
	uint32_t largest = 3;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t count = mesh->face_offsets[f + 1] - mesh->face_offsets[f];
		s->triangle_offsets[f + 1] = s->triangle_offsets[f] + count - 2;
		largest = count > largest ? count : largest;
	}
	s->triangle_count = s->triangle_offsets[mesh->face_count];
	s->triangles = SNW_NEW_ARRAY(arena, uint32_t, 3 * (size_t)s->triangle_count);
	uint32_t *space = SNW_NEW_ARRAY(scratch, uint32_t, largest);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		uint32_t *triangles = s->triangles + 3 * (size_t)s->triangle_offsets[f];
		snw_face_triangulate(mesh, f, triangles, space);
		for (uint32_t i = 0; i < 3 * (s->triangle_offsets[f + 1] - s->triangle_offsets[f]); i++) {
			triangles[i] += mesh->face_offsets[f];
		}
	}
	snw_arena_destroy(scratch);
}

unwrap_surface unwrap_surface_make(const snw_mesh *mesh, snw_arena *arena) {
	unwrap_surface s = {.mesh = mesh,
						.corner_count = mesh->face_count > 0 ? mesh->face_offsets[mesh->face_count] : 0,
						.corner_faces = snw_corner_faces(mesh, arena)};
	s.twins = SNW_NEW_ARRAY(arena, uint32_t, s.corner_count);
	s.triangle_offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->face_count + 1);
	find_twins(&s);
	cut_faces(&s, arena);
	return s;
}

/* ---- lengths ------------------------------------------------------------------------------------------------------------- */

void unwrap_triangle_squares(const unwrap_surface *surface, uint32_t triangle, const float *points, double squares[3],
							 double normal[3]) {
	const uint32_t *corners = surface->triangles + 3 * (size_t)triangle;
	double edges[3][3];
	for (int k = 0; k < 3; k++) {
		const float *a = points + 3 * (size_t)surface->mesh->face_points[corners[k]];
		const float *b = points + 3 * (size_t)surface->mesh->face_points[corners[(k + 1) % 3]];
		for (int c = 0; c < 3; c++) {
			edges[k][c] = (double)b[c] - (double)a[c];
		}
		squares[k] = snw_dot3(edges[k], edges[k]);
	}
	if (normal) {
		snw_cross3(edges[0], edges[1], normal);
	}
}

typedef struct averaging {
	const unwrap_surface *surface;
	uint32_t pose_count;
	const float *posed;
	unwrap_lengths lengths;
} averaging;

/* A triangle without area in all poses has the plain means. */
static void average(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const averaging *a = argument;
	(void)thread;
	for (uint32_t t = begin; t < end; t++) {
		double weighted[3] = {0}, plain[3] = {0}, area = 0;
		for (uint32_t p = 0; p < a->pose_count; p++) {
			double squares[3], normal[3];
			unwrap_triangle_squares(a->surface, t, a->posed + 3 * (size_t)p * a->surface->mesh->point_count, squares, normal);
			const double weight = sqrt(snw_dot3(normal, normal)) / 2;
			area += weight;
			for (int k = 0; k < 3; k++) {
				weighted[k] += weight * squares[k];
				plain[k] += squares[k];
			}
		}
		for (int k = 0; k < 3; k++) {
			a->lengths.squares[3 * (size_t)t + k] = area > 0 ? weighted[k] / area : plain[k] / a->pose_count;
		}
		a->lengths.areas[t] = area / a->pose_count;
	}
}

unwrap_lengths unwrap_lengths_make(const unwrap_surface *surface, uint32_t pose_count, const float *posed, snw_arena *arena) {
	averaging a = {surface,
				   pose_count,
				   posed,
				   {SNW_NEW_ARRAY(arena, double, 3 * (size_t)surface->triangle_count),
					SNW_NEW_ARRAY(arena, double, surface->triangle_count)}};
	snw_parallel_for(surface->triangle_count, TRIANGLE_GRAIN, average, &a);
	return a.lengths;
}

/* ---- stretch ------------------------------------------------------------------------------------------------------------- */

void unwrap_stretch_add(const double squares[3], double area, const double *const uvs[3], unwrap_stretch *sum) {
	const double a[2] = {uvs[1][0] - uvs[0][0], uvs[1][1] - uvs[0][1]}, b[2] = {uvs[2][0] - uvs[0][0], uvs[2][1] - uvs[0][1]};
	const double twice = a[0] * b[1] - a[1] * b[0], along = (squares[0] + squares[2] - squares[1]) / 2;
	const double aa = a[0] * a[0] + a[1] * a[1], ab = a[0] * b[0] + a[1] * b[1], bb = b[0] * b[0] + b[1] * b[1];
	/* Γ² + γ² is the trace of the inverse Gram matrix of the UVs times that of the edges. */
	const double trace = bb * squares[0] - 2 * ab * along + aa * squares[2];
	sum->area += area;
	sum->uv_area += fabs(twice) / 2;
	sum->stretched += area == 0 ? 0 : twice != 0 ? area * trace / (2 * twice * twice) : (double)INFINITY;
}

double unwrap_stretch_value(const unwrap_stretch *sum) {
	return sum->area > 0 ? sqrt(sum->stretched * sum->uv_area) / sum->area : 1;
}
