/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Converts points and polygons to vertices and triangles, for formats that have nothing else. A point becomes a vertex for each
 * combination of UV, normal, tangent and colour around it. Vertices are in point order, so that a file that is read back keeps
 * the order of the points.
 */
#ifndef SINEW_HOST_MESH_VERTICES_H
#define SINEW_HOST_MESH_VERTICES_H

#include "scene/scene.h"

typedef struct snw_vertices {
	uint32_t count;
	uint32_t *points;          /* [count] */
	uint32_t *corners;         /* [count]: one of its corners; SNW_NONE for a point without faces */
	uint32_t *corner_vertices; /* [corner_count] */
} snw_vertices;
void snw_vertices_split(const snw_mesh *mesh, snw_arena *arena, snw_vertices *vertices);

/* The triangles of one face as indices of its corners, [face's corners − 2][3]; `scratch` is [face's corners]. */
void snw_face_triangulate(const snw_mesh *mesh, uint32_t face, uint32_t *triangles, uint32_t *scratch);

#endif
