/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Triangulates polygons, concave ones included, for rendering and for files.
 */
#ifndef SINEW_HOST_MESH_TRIANGULATE_H
#define SINEW_HOST_MESH_TRIANGULATE_H

#include <stdint.h>

#include "scene/scene.h"

/* One polygon of `count` ≥ 3 corners, whose points are points[3 · polygon[i]]: fills triangles [count − 2][3] with indices
 * below `count`, in the order of the polygon. Quads are cut along the diagonal that folds neither half over, the shorter one if
 * neither does; larger polygons by ear clipping, roundest first. `scratch` is [count]. */
void snw_polygon_triangulate(const double *points, const uint32_t *polygon, uint32_t count, uint32_t *triangles,
							 uint32_t *scratch);

/* Converts points and polygons to vertices and triangles, for formats that have nothing else. A point becomes a vertex for each
 * combination of UV, normal, tangent and colour around it. Vertices are in point order, so that a file that is read back keeps
 * the order of the points. */

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
