/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The faces of a mesh as needed for drawing: triangles sorted by material, edges, and the faces around each point.
 */
#ifndef SINEW_UI_RENDER_MESH_FACES_H
#define SINEW_UI_RENDER_MESH_FACES_H

#include "scene/scene.h"

/* Triangles of one material. */
typedef struct snw_material_span {
	uint32_t material; /* SNW_NONE for none */
	uint32_t begin;    /* index in triangle_corners */
	uint32_t count;    /* of corners: three a triangle */
} snw_material_span;

typedef struct snw_faces {
	uint32_t material_span_count;
	snw_material_span *material_spans;
	uint32_t triangle_count;
	uint32_t *triangle_corners; /* [triangle_count][3], corners of the mesh */
	uint32_t edge_count;
	uint32_t *edges;        /* [edge_count][2], points; each once */
	uint32_t *corner_faces; /* [corner_count] */
	uint32_t *face_spans;   /* [face_count][2]: corners begin, count */
	uint32_t *indices;      /* [corner_count]: the mesh's face_points; [corner_count]: the faces around each point, ascending */
	/* [point_count][3]: where its faces begin in `indices`, their count, and the other end of the longest edge at rest (the
	 * point itself if it has none). */
	uint32_t *around;
} snw_faces;

snw_faces *snw_faces_make(const snw_mesh *mesh, snw_arena *arena);

#endif
