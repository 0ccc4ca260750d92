/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mesh/vertices.h"

#include <string.h>

#include "mesh/adjacency.h"
#include "mesh/triangulate.h"

static bool corners_are_equal(const snw_mesh *mesh, uint32_t a, uint32_t b) {
	return (!mesh->corner_uvs || memcmp(mesh->corner_uvs + 2 * (size_t)a, mesh->corner_uvs + 2 * (size_t)b, 8) == 0) &&
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
