/* SPDX-License-Identifier: MIT
 *
 * The neighbourhood of each point of a mesh: neighbours, faces, borders, and the cotangent weights of edges.
 *
 * Neighbours of a point are the points at the other ends of its edges, each once, ascending: sums over them do not depend on
 * the order of the faces.
 *
 * Any mesh is accepted: a face may repeat a point, and points may have no faces. Corners that repeat the previous one make
 * no edge.
 */
#ifndef SINEW_KIT_MESH_ADJACENCY_H
#define SINEW_KIT_MESH_ADJACENCY_H

#include "sinew/kit/mesh/faces.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snk_adjacency {
	uint32_t point_count;
	const uint32_t *offsets;    /* [point_count + 1]: neighbours [offsets[i], offsets[i + 1]) are those of point i */
	const uint32_t *neighbours; /* [offsets[point_count]] */
	/* Beside neighbours: how often the edge is on the outline of a face. 1 at a border, 2 inside, more where the surface
	 * branches. */
	const uint32_t *sides;
	const uint32_t *face_offsets; /* [point_count + 1] */
	/* [corners of all faces]: faces [face_offsets[i], face_offsets[i + 1]) have point i, ascending; a face that repeats a point
	 * is there once for each corner. */
	const uint32_t *faces;
} snk_adjacency;

/* Errors: SNW_ERROR_MEMORY; SNW_ERROR_LIMIT for more than 2³¹ corners. The arrays are the pool's. Takes time that grows with
 * the corners times the logarithm of the most at one point. Any thread. */
snw_status snk_adjacency_find(const snk_faces *faces, snw_pool *pool, snk_adjacency *adjacency);

/* The neighbours of a point for smoothing: all are written to `neighbours`, beginning with those that smooth it. On a border
 * these are the ones along the border, so that borders keep their shape; elsewhere all. Returns the number of smoothing
 * neighbours. */
uint32_t snk_smoothing_neighbours(const snk_adjacency *adjacency, uint32_t point, uint32_t *neighbours);

/* ---- parts of it, on the caller's memory --------------------------------------------------------------------------------- */

/* The corners of faces at each point: those of point i are corners [offsets[i], offsets[i + 1]), ascending, with their faces
 * beside them. offsets [point_count + 1]; corners and corner_faces [corners of all faces]. Any thread. */
void snk_point_corners(const snk_faces *faces, uint32_t *offsets, uint32_t *corners, uint32_t *corner_faces);

/* Neighbours and sides as above. With a mirror map `partners` [point_count] (SNW_NONE for a point without a partner;
 * NULL: no map), a point's neighbours and those of its partner are in the same order, so that sums over them are reflections of
 * each other to the last bit. offsets [point_count + 1]; scratch, neighbours and sides [2 · corners of all faces]. Any
 * thread. */
void snk_neighbours(const snk_faces *faces, const uint32_t *partners, uint64_t *scratch, uint32_t *offsets,
					uint32_t *neighbours, uint32_t *sides);

/* ---- cotangent weights --------------------------------------------------------------------------------------------------- */

/* weights, beside adjacency->neighbours: half the sum of the cotangents of the angles that face the edge (U. Pinkall, K.
 * Polthier, Computing discrete minimal surfaces and their conjugates, 1993), so that Σ weights (neighbour − point) is the
 * Laplacian of the coordinates times the point's area. They are negative where the angles are obtuse. areas [point_count] (may
 * be NULL): a third of the area of the faces at each point. A triangle without area adds nothing. `positions` [point_count][3].
 * SNW_ERROR_UNSUPPORTED where a face has more than three corners: see snk_triangulate. Any thread. */
snw_status snk_cotangent_weights(const snk_adjacency *adjacency, const snk_faces *triangles, const double *positions,
								 double *weights, double *areas);

#ifdef __cplusplus
}
#endif

#endif
