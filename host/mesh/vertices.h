/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From points and polygons to vertices and triangles, for formats that know nothing else: a point becomes as many vertices as there
 * are different UVs, normals and colours around it. Vertices stand in point order, so that a file that is read back has its points
 * in the order they had.
 */
#ifndef SINEW_HOST_MESH_VERTICES_H
#define SINEW_HOST_MESH_VERTICES_H

#include "scene/scene.h"

typedef struct snw_vertices {
	uint32_t count;
	uint32_t *points;          /* [count] */
	uint32_t *corners;         /* [count], a corner that shows the vertex; SNW_NONE for a point without faces */
	uint32_t *corner_vertices; /* [corner_count] */
} snw_vertices;
void snw_vertices_split(const snw_mesh *mesh, snw_arena *arena, snw_vertices *vertices);

/* Triangles of one face as places around it, [face's corners − 2][3]; `scratch` is [face's corners]. */
void snw_face_triangulate(const snw_mesh *mesh, uint32_t face, uint32_t *triangles, uint32_t *scratch);

#endif
