/* SPDX-License-Identifier: MIT
 *
 * Faces of three or more corners: the normals of points, and a mesh of triangles made of them.
 */
#ifndef SINEW_KIT_MESH_FACES_H
#define SINEW_KIT_MESH_FACES_H

#include "sinew/pool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which points each face joins. Borrowed arrays. */
typedef struct snk_faces {
	uint32_t point_count;
	uint32_t face_count;
	const uint32_t *offsets; /* [face_count + 1], into points; NULL without faces */
	const uint32_t *points;  /* [offsets[face_count]], in order around each face */
} snk_faces;

static inline snk_faces snk_faces_of(const snw_mesh_view *mesh) {
	const snk_faces faces = {mesh->point_count, mesh->face_count, mesh->face_offsets, mesh->face_points};
	return faces;
}

/* Corners of all faces. */
static inline uint32_t snk_faces_corner_count(const snk_faces *faces) {
	return faces->face_count > 0 ? faces->offsets[faces->face_count] : 0;
}

/* Unit normals of points [point_count][3]: the sum of their faces' area vectors (face_area.h), made unit; 0 0 0 where that is
 * nothing. `positions` [point_count][3]. Any thread. */
void snk_point_normals(const snk_faces *faces, const double *positions, double *normals);

/* The same faces as triangles, each face cut from its first corner; faces of fewer than three corners are left out. Triangles
 * of face f follow those of f − 1. SNW_ERROR_MEMORY. The arrays are the pool's. */
snw_status snk_triangulate(const snk_faces *faces, snw_pool *pool, snk_faces *triangles);

#ifdef __cplusplus
}
#endif

#endif
