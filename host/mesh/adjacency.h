/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lies around each point of a mesh: neighbours, faces and triangles. Built once for a session. Private to host/sculpt.
 */
#ifndef SINEW_HOST_MESH_ADJACENCY_H
#define SINEW_HOST_MESH_ADJACENCY_H

#include "scene/scene.h"

/* The other two points of a triangle around a point. */
typedef struct snw_wedge {
	uint32_t next, last;
} snw_wedge;

typedef struct snw_adjacency {
	uint32_t *face_starts; /* [point_count + 1] */
	uint32_t *faces;       /* around each point, ascending, each once */
	/* Faces as fans of triangles from their first corner; triangles that name a point twice are left out. */
	uint32_t *wedge_starts;
	snw_wedge *wedges;
	/* Along edges of faces. Where there is a mirror map, the neighbours of a point and those of its partner stand in the same
	 * order, so that sums over them are reflections of each other to the last bit. */
	uint32_t *neighbour_starts;
	uint32_t *neighbours;
	bool *on_border; /* [point_count]: an edge of it belongs to one face alone */
} snw_adjacency;

/* `partners` may be NULL. */
snw_adjacency snw_adjacency_make(const snw_mesh *mesh, const uint32_t *partners, snw_arena *arena);

#endif
