/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normals and tangents of a mesh in many poses. Private to host/normals.
 */
#ifndef SINEW_HOST_NORMALS_FRAMES_H
#define SINEW_HOST_NORMALS_FRAMES_H

#include "mesh/triangulate.h"

/* Corners that are alike are one vertex. The poses of a vertex are side by side. */
typedef struct nm_frames {
	uint32_t pose_count;
	snw_vertices vertices;
	float *normals;  /* [vertices.count][3][pose_count], unit; zero where there is none */
	float *tangents; /* likewise; NULL for a mesh without tangents */
	float *signs;    /* [vertices.count], of the bitangent */
} nm_frames;

/* The mesh at rest, [corner_count][3]: its custom normals, otherwise smooth ones. In `arena`. */
float *nm_rest_normals(const snw_mesh *mesh, snw_arena *arena);

/* Of posed points [pose_count][point_count][3], as they are drawn here: normals by the faces, tangents by the edges. `tangents`
 * [corner_count][4] may be NULL. In `arena`. */
nm_frames nm_frames_by_points(const snw_mesh *mesh, const float *tangents, uint32_t pose_count, const float *posed,
							  snw_arena *arena);

/* As an engine makes them: normals and tangents of the rest by the blended matrices of the skin; palettes
 * [pose_count][slot_count][12]. In `arena`. */
nm_frames nm_frames_by_skin(const snw_mesh *mesh, const float *tangents, uint32_t pose_count, uint32_t slot_count,
							const double *palettes, snw_arena *arena);

#endif
