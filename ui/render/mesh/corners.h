/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The corners of a mesh as vertices for surface.vert.
 */
#ifndef SINEW_UI_RENDER_MESH_CORNERS_H
#define SINEW_UI_RENDER_MESH_CORNERS_H

#include "render/mesh/faces.h"

typedef struct snw_corner_vertex {
	uint32_t point, face;
	float uv[2];
	float normal[3]; /* along the point's normal, tangent and their cross product */
	float color[4];
	float tangent[4]; /* in the same axes, and the sign of the bitangent; 0: it has none */
} snw_corner_vertex;

/* [corner_count], in `arena`. Custom normals and tangents are relative to the axes of axes.glsl at rest; `unit` as there. */
snw_corner_vertex *snw_corners_make(const snw_mesh *mesh, const snw_faces *faces, double unit, snw_arena *arena);

#endif
