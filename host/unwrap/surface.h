/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A mesh as it is flattened: its edges with the faces on both sides, its triangles, and what these measure over poses. Private
 * to host/unwrap.
 */
#ifndef SINEW_HOST_UNWRAP_SURFACE_H
#define SINEW_HOST_UNWRAP_SURFACE_H

#include "scene/scene.h"

/* The edge of corner c goes from it to the next corner of its face. */
typedef struct unwrap_surface {
	const snw_mesh *mesh;
	uint32_t corner_count, triangle_count;
	uint32_t *corner_faces; /* [corner_count] */
	/* [corner_count]: the corner whose edge is the same one, the other way, in another face. SNW_NONE at a border, where more
	 * than two faces meet, and where neighbours are wound against each other. */
	uint32_t *twins;
	uint32_t *triangle_offsets; /* [face_count + 1]: the triangles of each face */
	uint32_t *triangles;        /* [triangle_count][3]: corners */
	uint32_t odd_edges;         /* edges of more than two faces, or between faces that are wound against each other */
} unwrap_surface;

/* In `arena`. */
unwrap_surface unwrap_surface_make(const snw_mesh *mesh, snw_arena *arena);

uint32_t unwrap_next_corner(const unwrap_surface *surface, uint32_t corner);

/* The lengths that a surface is flattened by. With weights w = area the stretch of a map, summed over poses, is linear in
 * them: Σ_p w_p L2_p² = w̄ tr(Sᵀ M S) / 2, where M is the Gram matrix of the edges whose squares are these means. */
typedef struct unwrap_lengths {
	double *squares; /* [triangle_count][3]: of the edge from corner k to corner k + 1: means over the poses, by area */
	double *areas;   /* [triangle_count]: their means */
} unwrap_lengths;

/* Over `pose_count` poses of the mesh, [pose_count][point_count][3]. In `arena`. */
unwrap_lengths unwrap_lengths_make(const unwrap_surface *surface, uint32_t pose_count, const float *posed, snw_arena *arena);

/* The squares of the edges of a triangle, and twice its area as a vector (may be NULL). */
void unwrap_triangle_squares(const unwrap_surface *surface, uint32_t triangle, const float *points, double squares[3],
							 double normal[3]);

/* How far a map is from keeping shapes and sizes: sums over triangles. */
typedef struct unwrap_stretch {
	double stretched; /* Σ area · L2², L2² = (Γ² + γ²) / 2 of the map from UV to the surface */
	double area, uv_area;
} unwrap_stretch;

/* Adds a triangle with the edges' squares; an infinite one where its UVs have no area. Mirrored ones count as others. */
void unwrap_stretch_add(const double squares[3], double area, const double *const uvs[3], unwrap_stretch *sum);

/* L2 stretch by area, of which the least is 1: √(Σ area L2² / Σ area) · √(Σ UV area / Σ area). */
double unwrap_stretch_value(const unwrap_stretch *sum);

#endif
