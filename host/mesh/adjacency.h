/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The corners, faces, triangles and neighbours around each point of a mesh, in compressed rows: those of point p are at
 * starts[p] up to starts[p + 1]. Any mesh that snw_scene_check accepts is valid: edges with many faces, faces that use a point
 * twice, points without faces. Results are in `arena`. Any thread.
 */
#ifndef SINEW_HOST_MESH_ADJACENCY_H
#define SINEW_HOST_MESH_ADJACENCY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "scene/scene.h"

/* ---- adjacency ----------------------------------------------------------------------------------------------------------- */

/* The face of each corner: [corner_count]; NULL without faces. */
uint32_t *snw_corner_faces(const snw_mesh *mesh, snw_arena *arena);

/* The corners at each point. */
typedef struct snw_point_corners {
	uint32_t *starts;  /* [point_count + 1] */
	uint32_t *corners; /* [corner_count], at each point ascending */
	uint32_t *faces;   /* [corner_count]: their faces; a face that uses a point twice appears twice */
} snw_point_corners;
snw_point_corners snw_point_corners_make(const snw_mesh *mesh, snw_arena *arena);

/* The other two points of a triangle around a point. */
typedef struct snw_wedge {
	uint32_t next, last;
} snw_wedge;

typedef struct snw_adjacency {
	uint32_t *face_starts; /* [point_count + 1] */
	uint32_t *faces;       /* around each point, ascending, each once */
	/* Faces as fans of triangles from their first corner; triangles that use a point twice are left out. */
	uint32_t *wedge_starts;
	snw_wedge *wedges;
	/* Along edges of faces. With a mirror map, the neighbours of a point and those of its partner are in the same
	 * order, so that sums over them are reflections of each other to the last bit. */
	uint32_t *neighbour_starts;
	uint32_t *neighbours;
	bool *on_border; /* [point_count]: it has an edge with one face only */
} snw_adjacency;

/* `partners` may be NULL. */
snw_adjacency snw_adjacency_make(const snw_mesh *mesh, const uint32_t *partners, snw_arena *arena);

/* ---- element set --------------------------------------------------------------------------------------------------------- */

/* A set of points or faces, by index. One byte for each element says whether it is in the set, and one for each block of 64
 * whether any is. So clearing, joining and listing take time for the elements in the set, not for the whole mesh, and lists
 * are in the order of the indices, which is the order in memory. */

enum { SNW_SET_BLOCK = 64 };

typedef struct snw_set {
	uint32_t block_count;
	unsigned char *has;     /* [block_count][SNW_SET_BLOCK] */
	unsigned char *is_used; /* [block_count] */
} snw_set;

/* An empty set of indices below `count`. */
snw_set snw_set_make(uint32_t count, snw_arena *arena);
void snw_set_clear(snw_set *set);

static inline void snw_set_add(snw_set *set, uint32_t item) {
	set->has[item] = 1;
	set->is_used[item / SNW_SET_BLOCK] = 1;
}

static inline bool snw_set_has(const snw_set *set, uint32_t item) {
	return set->has[item];
}

/* Adds the elements of another set of the same size. */
void snw_set_join(snw_set *set, const snw_set *other);

/* Lists the elements in ascending order and returns their number. `items` needs room for one more. */
uint32_t snw_set_list(const snw_set *set, uint32_t *items);

#endif
