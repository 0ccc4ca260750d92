/* SPDX-License-Identifier: MIT
 *
 * Meshes: faces, areas, neighbours, pieces and bounds.
 */
#ifndef SINEW_KIT_MESH_MESH_H
#define SINEW_KIT_MESH_MESH_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "sinew/pool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- faces --------------------------------------------------------------------------------------------------------------- */

/* Faces of three or more corners: the normals of points, and a mesh of triangles made of them. */

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

/* Unit normals of points [point_count][3]: the sum of their faces' area vectors, made unit; 0 0 0 where that is
 * nothing. `positions` [point_count][3]. Any thread. */
void snk_point_normals(const snk_faces *faces, const double *positions, double *normals);

/* The same faces as triangles, each face cut from its first corner; faces of fewer than three corners are left out. Triangles
 * of face f follow those of f − 1. SNW_ERROR_MEMORY. The arrays are the pool's. */
snw_status snk_triangulate(const snk_faces *faces, snw_pool *pool, snk_faces *triangles);

/* ---- areas --------------------------------------------------------------------------------------------------------------- */

/* The area vector of a face: along its normal, of length twice its area. A face's corners are positions[3 · corners[k]], k <
 * count; there is one at least.
 *
 * Triangles and quads directly (the sum over a quad's two triangles is the cross product of its diagonals), other polygons by a
 * fan from their first corner, which is also correct for polygons that are neither flat nor convex. Zero for fewer than three
 * corners. Nothing allocates; any thread. */

/* dest = (b − a) × (d − c). */
static inline void snk_cross_edges(const double a[3], const double b[3], const double c[3], const double d[3], double dest[3]) {
	const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {d[0] - c[0], d[1] - c[1], d[2] - c[2]};
	dest[0] = u[1] * v[2] - u[2] * v[1];
	dest[1] = u[2] * v[0] - u[0] * v[2];
	dest[2] = u[0] * v[1] - u[1] * v[0];
}

static inline void snk_face_area(const double *positions, const uint32_t *corners, uint32_t count, double area[3]) {
	const double *a = positions + 3 * (size_t)corners[0];
	if (count == 3 || count == 4) {
		const double *b = positions + 3 * (size_t)corners[1], *c = positions + 3 * (size_t)corners[2];
		if (count == 3) {
			snk_cross_edges(a, b, a, c, area);
		} else {
			snk_cross_edges(a, c, b, positions + 3 * (size_t)corners[3], area);
		}
		return;
	}
	area[0] = area[1] = area[2] = 0;
	for (uint32_t k = 1; k + 1 < count; k++) {
		double part[3];
		snk_cross_edges(a, positions + 3 * (size_t)corners[k], a, positions + 3 * (size_t)corners[k + 1], part);
		for (int i = 0; i < 3; i++) {
			area[i] += part[i];
		}
	}
}

/* ---- the same in floats -------------------------------------------------------------------------------------------------- */

static inline void snk_cross_edges_single(const float a[3], const float b[3], const float c[3], const float d[3],
										  float dest[3]) {
	const float u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {d[0] - c[0], d[1] - c[1], d[2] - c[2]};
	dest[0] = u[1] * v[2] - u[2] * v[1];
	dest[1] = u[2] * v[0] - u[0] * v[2];
	dest[2] = u[0] * v[1] - u[1] * v[0];
}

static inline void snk_face_area_single(const float *positions, const uint32_t *corners, uint32_t count, float area[3]) {
	const float *a = positions + 3 * (size_t)corners[0];
	if (count == 3 || count == 4) {
		const float *b = positions + 3 * (size_t)corners[1], *c = positions + 3 * (size_t)corners[2];
		if (count == 3) {
			snk_cross_edges_single(a, b, a, c, area);
		} else {
			snk_cross_edges_single(a, c, b, positions + 3 * (size_t)corners[3], area);
		}
		return;
	}
	area[0] = area[1] = area[2] = 0;
	for (uint32_t k = 1; k + 1 < count; k++) {
		float part[3];
		snk_cross_edges_single(a, positions + 3 * (size_t)corners[k], a, positions + 3 * (size_t)corners[k + 1], part);
		for (int i = 0; i < 3; i++) {
			area[i] += part[i];
		}
	}
}

/* ---- neighbours ---------------------------------------------------------------------------------------------------------- */

/* The neighbourhood of each point of a mesh: neighbours, faces, borders, and the cotangent weights of edges.
 *
 * Neighbours of a point are the points at the other ends of its edges, each once, ascending: sums over them do not depend on
 * the order of the faces.
 *
 * Any mesh is accepted: a face may repeat a point, and points may have no faces. Corners that repeat the previous one make
 * no edge. */

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

/* ---- pieces -------------------------------------------------------------------------------------------------------------- */

/* Points that are joined, as trees: each point has a parent, a piece's lowest point is its own. Nothing allocates; one tree,
 * one thread at a time. */

/* The lowest point of a point's piece. The path to it is halved, so that later searches are short. */
static inline uint32_t snk_piece_of(uint32_t *parents, uint32_t point) {
	while (parents[point] != point) {
		parents[point] = parents[parents[point]];
		point = parents[point];
	}
	return point;
}

/* Makes one piece of those of two points. Begin with parents[i] = i. */
static inline void snk_pieces_join(uint32_t *parents, uint32_t a, uint32_t b) {
	const uint32_t of_a = snk_piece_of(parents, a), of_b = snk_piece_of(parents, b);
	parents[of_a > of_b ? of_a : of_b] = of_a > of_b ? of_b : of_a;
}

/* The pieces of a surface, whose points are joined by faces: pieces[i] is the lowest point of point i's, [point_count]. */
static inline void snk_pieces_find(const snk_faces *faces, uint32_t *pieces) {
	for (uint32_t i = 0; i < faces->point_count; i++) {
		pieces[i] = i;
	}
	for (uint32_t face = 0; face < faces->face_count; face++) {
		for (uint32_t k = faces->offsets[face] + 1; k < faces->offsets[face + 1]; k++) {
			snk_pieces_join(pieces, faces->points[k - 1], faces->points[k]);
		}
	}
	for (uint32_t i = 0; i < faces->point_count; i++) {
		pieces[i] = snk_piece_of(pieces, i);
	}
}

/* ---- bounds -------------------------------------------------------------------------------------------------------------- */

/* How large a mesh is: tolerances and the weights of terms are given as parts of it. Nothing allocates; any thread. */

/* The diagonal of the bounding box of points [count][3], in their unit; 0 for no points. */
static inline double snk_bounds_diagonal(const double *points, uint32_t count) {
	double squared = 0;
	for (size_t c = 0; c < 3; c++) {
		double low = INFINITY, high = -INFINITY;
		for (uint32_t i = 0; i < count; i++) {
			low = fmin(low, points[3 * (size_t)i + c]);
			high = fmax(high, points[3 * (size_t)i + c]);
		}
		squared += count > 0 ? (high - low) * (high - low) : 0;
	}
	return sqrt(squared);
}

#ifdef __cplusplus
}
#endif

#endif
