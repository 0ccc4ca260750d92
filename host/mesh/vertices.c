/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mesh/vertices.h"

#include <string.h>

#include "sinew/algebra.h"

/* ---- seams -------------------------------------------------------------------------------------------------------- */

/* Corners around each point, ascending: offsets [point_count + 1]. */
static void corners_of_points(const snw_mesh *mesh, uint32_t corner_count, uint32_t *offsets, uint32_t *corners) {
	for (uint32_t c = 0; c < corner_count; c++) {
		offsets[mesh->face_points[c] + 1]++;
	}
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		offsets[p + 1] += offsets[p];
	}
	/* Filled from the back, offsets end up where they began. */
	for (uint32_t c = corner_count; c-- > 0;) {
		corners[--offsets[mesh->face_points[c] + 1]] = c;
	}
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		offsets[p] = offsets[p + 1];
	}
	offsets[mesh->point_count] = corner_count;
}

static bool looks_the_same(const snw_mesh *mesh, uint32_t a, uint32_t b) {
	return (!mesh->corner_uvs || memcmp(mesh->corner_uvs + 2 * (size_t)a, mesh->corner_uvs + 2 * (size_t)b, 8) == 0) &&
		   (!mesh->corner_normals ||
			memcmp(mesh->corner_normals + 3 * (size_t)a, mesh->corner_normals + 3 * (size_t)b, 12) == 0) &&
		   (!mesh->corner_colors || memcmp(mesh->corner_colors + 4 * (size_t)a, mesh->corner_colors + 4 * (size_t)b, 16) == 0);
}

void snw_vertices_split(const snw_mesh *mesh, snw_arena *arena, snw_vertices *vertices) {
	const uint32_t corner_count = mesh->face_count > 0 ? mesh->face_offsets[mesh->face_count] : 0;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *corners = SNW_NEW_ARRAY(arena, uint32_t, corner_count);
	corners_of_points(mesh, corner_count, offsets, corners);
	const size_t most = (size_t)mesh->point_count + corner_count;
	vertices->points = SNW_NEW_ARRAY(arena, uint32_t, most);
	vertices->corners = SNW_NEW_ARRAY(arena, uint32_t, most);
	vertices->corner_vertices = SNW_NEW_ARRAY(arena, uint32_t, corner_count);
	vertices->count = 0;
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		const uint32_t first = vertices->count;
		for (uint32_t i = offsets[p]; i < offsets[p + 1]; i++) {
			uint32_t v = first;
			while (v < vertices->count && !looks_the_same(mesh, vertices->corners[v], corners[i])) {
				v++;
			}
			if (v == vertices->count) {
				vertices->points[v] = p;
				vertices->corners[v] = corners[i];
				vertices->count++;
			}
			vertices->corner_vertices[corners[i]] = v;
		}
		if (vertices->count == first) {
			vertices->points[first] = p;
			vertices->corners[first] = SNW_NONE;
			vertices->count++;
		}
	}
}

/* ---- polygons ----------------------------------------------------------------------------------------------------- */

static const double *corner_point(const snw_mesh *mesh, uint32_t face, uint32_t place) {
	return mesh->points_rest + 3 * (size_t)mesh->face_points[mesh->face_offsets[face] + place];
}

/* Twice the area of a triangle of corners as seen along the normal: negative where it is turned over. */
static double facing(const snw_mesh *mesh, uint32_t face, uint32_t a, uint32_t b, uint32_t c, const double normal[3]) {
	const double *pa = corner_point(mesh, face, a), *pb = corner_point(mesh, face, b), *pc = corner_point(mesh, face, c);
	double ab[3], ac[3], cross[3];
	for (int i = 0; i < 3; i++) {
		ab[i] = pb[i] - pa[i];
		ac[i] = pc[i] - pa[i];
	}
	snw_cross3(ab, ac, cross);
	return snw_dot3(cross, normal);
}

/* Newell's normal: right for polygons that are neither flat nor convex. */
static void face_normal(const snw_mesh *mesh, uint32_t face, uint32_t count, double normal[3]) {
	memset(normal, 0, 3 * sizeof *normal);
	for (uint32_t i = 0; i < count; i++) {
		const double *a = corner_point(mesh, face, i), *b = corner_point(mesh, face, (i + 1) % count);
		for (int c = 0; c < 3; c++) {
			const int d = (c + 1) % 3, e = (c + 2) % 3;
			normal[c] += (a[d] - b[d]) * (a[e] + b[e]);
		}
	}
}

/* Whether no other remaining corner lies inside the ear a, b, c. */
static bool is_ear(const snw_mesh *mesh, uint32_t face, const uint32_t *remaining, uint32_t count, uint32_t at,
				   const double normal[3]) {
	const uint32_t a = remaining[(at + count - 1) % count], b = remaining[at], c = remaining[(at + 1) % count];
	if (facing(mesh, face, a, b, c, normal) <= 0) {
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t p = remaining[i];
		if (p != a && p != b && p != c && facing(mesh, face, a, b, p, normal) >= 0 &&
			facing(mesh, face, b, c, p, normal) >= 0 && facing(mesh, face, c, a, p, normal) >= 0) {
			return false;
		}
	}
	return true;
}

/* Quads along the diagonal that keeps both halves facing out, the shorter one where both do. */
static bool splits_at_first(const snw_mesh *mesh, uint32_t face, const double normal[3]) {
	const double first = fmin(facing(mesh, face, 0, 1, 2, normal), facing(mesh, face, 0, 2, 3, normal));
	const double second = fmin(facing(mesh, face, 1, 2, 3, normal), facing(mesh, face, 1, 3, 0, normal));
	if ((first > 0) != (second > 0)) {
		return first > 0;
	}
	double lengths[2] = {0, 0};
	for (int i = 0; i < 3; i++) {
		const double a = corner_point(mesh, face, 0)[i] - corner_point(mesh, face, 2)[i];
		const double b = corner_point(mesh, face, 1)[i] - corner_point(mesh, face, 3)[i];
		lengths[0] += a * a;
		lengths[1] += b * b;
	}
	return lengths[0] <= lengths[1];
}

void snw_face_triangulate(const snw_mesh *mesh, uint32_t face, uint32_t *triangles, uint32_t *scratch) {
	uint32_t count = mesh->face_offsets[face + 1] - mesh->face_offsets[face];
	double normal[3];
	face_normal(mesh, face, count, normal);
	if (count == 4) {
		static const uint32_t split[2][6] = {{1, 2, 3, 1, 3, 0}, {0, 1, 2, 0, 2, 3}};
		memcpy(triangles, split[splits_at_first(mesh, face, normal)], sizeof split[0]);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		scratch[i] = i;
	}
	while (count > 3) {
		uint32_t ear = 1;
		while (ear < count && !is_ear(mesh, face, scratch, count, ear, normal)) {
			ear++;
		}
		ear = ear == count ? 1 : ear; /* a polygon that crosses itself has none: any will do */
		*triangles++ = scratch[ear - 1];
		*triangles++ = scratch[ear];
		*triangles++ = scratch[(ear + 1) % count];
		memmove(scratch + ear, scratch + ear + 1, (count - ear - 1) * sizeof *scratch);
		count--;
	}
	memcpy(triangles, scratch, 3 * sizeof *triangles);
}
