/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ear clipping in the plane of the polygon.
 */
#include "mesh/mesh.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "scene/scene.h"
#include "sinew/algebra.h"
#include "sinew/kit/mesh/mesh.h"

/* A polygon with more corners becomes a fan, because the time of ear clipping is quadratic. */
#define SNW_EAR_LIMIT 1024

typedef struct polygon {
	const double *points;
	const uint32_t *corners;
	uint32_t count;
	double normal[3]; /* not unit */
} polygon;

static const double *corner_point(const polygon *face, uint32_t corner) {
	return face->points + 3 * (size_t)face->corners[corner];
}

static void side_vector(const double a[3], const double b[3], double dest[3]) {
	for (int c = 0; c < 3; c++) {
		dest[c] = a[c] - b[c];
	}
}

/* Twice the signed area of a triangle, seen along the polygon's normal (times its length). */
static double signed_area(const polygon *face, uint32_t a, uint32_t b, uint32_t c) {
	double ab[3], ac[3], area[3];
	side_vector(corner_point(face, b), corner_point(face, a), ab);
	side_vector(corner_point(face, c), corner_point(face, a), ac);
	snw_cross3(ab, ac, area);
	return snw_dot3(area, face->normal);
}

static double squared_distance(const polygon *face, uint32_t a, uint32_t b) {
	double edge[3];
	side_vector(corner_point(face, b), corner_point(face, a), edge);
	return snw_dot3(edge, edge);
}

static void put(uint32_t *triangle, uint32_t a, uint32_t b, uint32_t c) {
	triangle[0] = a;
	triangle[1] = b;
	triangle[2] = c;
}

static void cut_quad(const polygon *face, uint32_t *triangles) {
	const double even = fmin(signed_area(face, 0, 1, 2), signed_area(face, 0, 2, 3));
	const double odd = fmin(signed_area(face, 1, 2, 3), signed_area(face, 1, 3, 0));
	const bool both = even > 0 && odd > 0;
	if (both ? squared_distance(face, 0, 2) <= squared_distance(face, 1, 3) : even >= odd) {
		put(triangles, 0, 1, 2);
		put(triangles + 3, 0, 2, 3);
	} else {
		put(triangles, 1, 2, 3);
		put(triangles + 3, 1, 3, 0);
	}
}

static bool contains_another(const polygon *face, const uint32_t *remaining, uint32_t count, uint32_t a, uint32_t b,
							 uint32_t c) {
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t p = remaining[i];
		if (p != a && p != b && p != c && signed_area(face, a, b, p) >= 0 && signed_area(face, b, c, p) >= 0 &&
			signed_area(face, c, a, p) >= 0) {
			return true;
		}
	}
	return false;
}

/* The roundness of an ear: its area over the square of its longest side; 0 if it cannot be cut. */
static double roundness(const polygon *face, const uint32_t *remaining, uint32_t count, uint32_t tip) {
	const uint32_t a = remaining[(tip + count - 1) % count], b = remaining[tip], c = remaining[(tip + 1) % count];
	const double area = signed_area(face, a, b, c);
	if (!(area > 0) || contains_another(face, remaining, count, a, b, c)) {
		return 0;
	}
	const double longest = fmax(squared_distance(face, a, b), fmax(squared_distance(face, b, c), squared_distance(face, c, a)));
	return area / longest;
}

/* The first ear from `start` on, or the roundest of a small polygon. Any corner if there is none (a polygon that intersects
 * itself). */
static uint32_t find_ear(const polygon *face, const uint32_t *remaining, uint32_t count, uint32_t start) {
	uint32_t best = start % count;
	double most = 0;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t tip = (start + i) % count;
		const double round = roundness(face, remaining, count, tip);
		if (round > most) {
			most = round;
			best = tip;
			if (count > 16) {
				break;
			}
		}
	}
	return best;
}

static void cut_ears(const polygon *face, uint32_t *triangles, uint32_t *remaining) {
	uint32_t count = face->count, start = 0;
	for (uint32_t i = 0; i < count; i++) {
		remaining[i] = i;
	}
	while (count > 3) {
		const uint32_t tip = find_ear(face, remaining, count, start);
		put(triangles, remaining[(tip + count - 1) % count], remaining[tip], remaining[(tip + 1) % count]);
		triangles += 3;
		for (uint32_t i = tip; i + 1 < count; i++) {
			remaining[i] = remaining[i + 1];
		}
		count--;
		start = tip + 1;
	}
	put(triangles, remaining[0], remaining[1], remaining[2]);
}

void snw_polygon_triangulate(const double *points, const uint32_t *corners, uint32_t count, uint32_t *triangles,
							 uint32_t *scratch) {
	assert(count >= 3);
	polygon face = {.points = points, .corners = corners, .count = count};
	snk_face_area(points, corners, count, face.normal);
	if (count == 4) {
		cut_quad(&face, triangles);
	} else if (count == 3 || count > SNW_EAR_LIMIT) {
		for (uint32_t i = 2; i < count; i++) {
			put(triangles + 3 * (size_t)(i - 2), 0, i - 1, i);
		}
	} else {
		cut_ears(&face, triangles, scratch);
	}
}

/* ---- vertices ------------------------------------------------------------------------------------------------------------ */

static bool attributes_are_equal(const snw_mesh *mesh, uint32_t a, uint32_t b) {
	bool equal = true;
	for (uint32_t i = 0; i < mesh->attribute_count && equal; i++) {
		const snw_attribute *attribute = &mesh->attributes[i];
		const float *values = attribute->values;
		const size_t width = attribute->width;
		equal = memcmp(values + width * a, values + width * b, width * sizeof *values) == 0;
	}
	return equal;
}

static bool corners_are_equal(const snw_mesh *mesh, uint32_t a, uint32_t b) {
	return attributes_are_equal(mesh, a, b) &&
		   (!mesh->corner_uvs || memcmp(mesh->corner_uvs + 2 * (size_t)a, mesh->corner_uvs + 2 * (size_t)b, 8) == 0) &&
		   (!mesh->corner_normals ||
			memcmp(mesh->corner_normals + 3 * (size_t)a, mesh->corner_normals + 3 * (size_t)b, 12) == 0) &&
		   (!mesh->corner_tangents ||
			memcmp(mesh->corner_tangents + 4 * (size_t)a, mesh->corner_tangents + 4 * (size_t)b, 16) == 0) &&
		   (!mesh->corner_colors || memcmp(mesh->corner_colors + 4 * (size_t)a, mesh->corner_colors + 4 * (size_t)b, 16) == 0);
}

void snw_vertices_split(const snw_mesh *mesh, snw_arena *arena, snw_vertices *vertices) {
	const uint32_t corner_count = mesh->face_count > 0 ? mesh->face_offsets[mesh->face_count] : 0;
	const snw_point_corners at = snw_point_corners_make(mesh, arena);
	const size_t most = (size_t)mesh->point_count + corner_count;
	vertices->points = SNW_NEW_ARRAY(arena, uint32_t, most);
	vertices->corners = SNW_NEW_ARRAY(arena, uint32_t, most);
	vertices->corner_vertices = SNW_NEW_ARRAY(arena, uint32_t, corner_count);
	vertices->count = 0;
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		const uint32_t first = vertices->count;
		for (uint32_t i = at.starts[p]; i < at.starts[p + 1]; i++) {
			uint32_t v = first;
			while (v < vertices->count && !corners_are_equal(mesh, vertices->corners[v], at.corners[i])) {
				v++;
			}
			if (v == vertices->count) {
				vertices->points[v] = p;
				vertices->corners[v] = at.corners[i];
				vertices->count++;
			}
			vertices->corner_vertices[at.corners[i]] = v;
		}
		if (vertices->count == first) {
			vertices->points[first] = p;
			vertices->corners[first] = SNW_NONE;
			vertices->count++;
		}
	}
}

void snw_face_triangulate(const snw_mesh *mesh, uint32_t face, uint32_t *triangles, uint32_t *scratch) {
	const uint32_t begin = mesh->face_offsets[face], end = mesh->face_offsets[face + 1];
	snw_polygon_triangulate(mesh->points_rest, mesh->face_points + begin, end - begin, triangles, scratch);
}
