/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The surface that is collapsed: all meshes of a character as one, made of triangles. Points that coincide at rest and in
 * motion are one vertex, so that seams and the borders where two meshes meet stay closed. The corners of a vertex that are
 * drawn alike are one wedge. Edges that have to stay lines are features: borders, seams, hard edges, and where materials or
 * meshes meet.
 */
#ifndef SINEW_HOST_LOD_SURFACE_H
#define SINEW_HOST_LOD_SURFACE_H

#include "motion/motion.h"

enum { LOD_CHECKS = 9 }; /* poses in which no triangle may turn over; the first is the rest */

/* UV, normal and colour of a corner: those that the mesh has, in this order. */
enum { LOD_VALUES = 9 };
typedef struct lod_values {
	uint32_t count;             /* of numbers; 0 without any */
	uint32_t uv, normal, color; /* where they begin; SNW_NONE for none */
	double scales[LOD_VALUES];  /* metres to a unit */
} lod_values;

/* Metres to a unit of UV: the root of the areas' ratio; 0 where the UVs have no area. */
double lod_uv_scale(const snw_mesh *mesh);

typedef enum lod_kind { LOD_INNER, LOD_ON_LINE, LOD_FIXED } lod_kind;

typedef struct lod_triangle {
	uint32_t vertices[3], wedges[3];
	uint32_t mesh, face; /* SNW_NONE for a face once the triangle is gone */
	bool features[3];    /* the edge from each corner to the next */
} lod_triangle;

typedef struct lod_wedge {
	uint32_t mesh;
	float values[LOD_VALUES];
} lod_wedge;

typedef struct lod_surface {
	const snw_scene *scene;
	const snw_motion *motion;
	uint32_t vertex_count, triangle_count, wedge_count;
	uint32_t axis_count;
	double *coordinates;      /* [vertex_count][axis_count] */
	float *checks;            /* [vertex_count][LOD_CHECKS][3] */
	uint8_t *kinds;           /* [vertex_count]: lod_kind */
	double *shares_kept;      /* [vertex_count]: how far a painted field protects it, 0 to 1 */
	uint32_t **vertex_points; /* [mesh_count]: [vertex_count], SNW_NONE where the mesh has no such point */
	lod_triangle *triangles;
	lod_wedge *wedges;
	lod_values *values; /* [mesh_count] */
	bool *is_faceted;   /* [mesh_count]: almost all edges are hard, so that normals are those of faces */
	bool *takes_part;   /* [mesh_count]: it is to be made coarser */
} lod_surface;

/* The field of that name protects points where a mesh has it; NULL for none. `takes_part` [mesh_count]. In `arena`. */
void lod_surface_make(const snw_scene *scene, const snw_motion *motion, const char *protect, const bool *takes_part,
					  snw_arena *arena, lod_surface *surface);

/* Corners around each vertex in compressed rows: 3 · triangle + corner. */
typedef struct lod_corners {
	uint32_t *starts, *corners;
} lod_corners;
lod_corners lod_corners_make(const lod_surface *surface, snw_arena *arena);

#endif
