/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/gltf/tangents.h"

#include <string.h>

#include "sinew/algebra.h"

static void difference(const double *a, const double *b, double dest[3]) {
	for (int i = 0; i < 3; i++) {
		dest[i] = a[i] - b[i];
	}
}

/* The factors of two edges whose combination is nearest to a tangent; false if the edges are parallel. */
static bool factors_of(const double one[3], const double other[3], const float *tangent, double factors[2]) {
	const double t[3] = {(double)tangent[0], (double)tangent[1], (double)tangent[2]};
	const double a = snw_dot3(one, one), b = snw_dot3(one, other), c = snw_dot3(other, other);
	const double right[2] = {snw_dot3(one, t), snw_dot3(other, t)}, determinant = a * c - b * b;
	if (!(determinant > 1e-12 * a * c)) {
		return false;
	}
	factors[0] = (c * right[0] - b * right[1]) / determinant;
	factors[1] = (a * right[1] - b * right[0]) / determinant;
	return true;
}

/* Adds the tangent of a corner; `corner` is the point before it in its face, its own, and the one after. */
static void add_tangent(const double *points_rest, const float *points, const uint32_t corner[3], const float *tangent,
						double *dest) {
	double one[3], other[3], factors[2];
	difference(points_rest + 3 * (size_t)corner[0], points_rest + 3 * (size_t)corner[1], one);
	difference(points_rest + 3 * (size_t)corner[2], points_rest + 3 * (size_t)corner[1], other);
	const bool has_plane = factors_of(one, other, tangent, factors);
	for (size_t i = 0; i < 3; i++) {
		const double at = (double)points[3 * (size_t)corner[1] + i];
		dest[i] += !has_plane ? (double)tangent[i]
							  : factors[0] * ((double)points[3 * (size_t)corner[0] + i] - at) +
									factors[1] * ((double)points[3 * (size_t)corner[2] + i] - at);
	}
}

void snw_vertex_tangents(const snw_mesh *mesh, const snw_vertices *vertices, const double *points_rest, const float *points,
						 double *dest) {
	memset(dest, 0, 3 * sizeof *dest * vertices->count);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t begin = mesh->face_offsets[f], count = mesh->face_offsets[f + 1] - begin;
		for (uint32_t c = 0; c < count; c++) {
			const uint32_t corner[3] = {mesh->face_points[begin + (c + count - 1) % count], mesh->face_points[begin + c],
										mesh->face_points[begin + (c + 1) % count]};
			const float *tangent = mesh->corner_tangents + 4 * (size_t)(begin + c);
			if (tangent[3] != 0) {
				add_tangent(points_rest, points, corner, tangent, dest + 3 * (size_t)vertices->corner_vertices[begin + c]);
			}
		}
	}
}
