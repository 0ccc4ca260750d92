/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Surfaces: an index of the places of a mesh, the nearest place, and distances.
 */
#ifndef SINEW_HOST_MESH_SURFACE_H
#define SINEW_HOST_MESH_SURFACE_H

#include <stdint.h>

#include "mesh/mesh.h"
#include "scene/scene.h"
#include "task/task.h"

/* ---- an index of places -------------------------------------------------------------------------------------------------- */

/* A tree of bounding boxes over points and faces. It is built once and *refitted* as points move: the boxes change, the tree
 * does not. Refitting affects the speed of queries, not their results. */

/* Rays, and their hits on a mesh. */

typedef struct snw_ray {
	double origin[3];
	double direction[3]; /* of any length but 0 */
} snw_ray;

typedef struct snw_pick {
	uint32_t face;  /* SNW_NONE: nothing was hit */
	uint32_t point; /* the face's point nearest to the hit */
	double position[3];
	double normal[3]; /* of the face, unit, towards the ray's origin */
	double distance;  /* from the origin, metres */
} snw_pick;

typedef struct snw_spatial_index snw_spatial_index;

/* `points` [point_count][3] is read by every call below; mesh, points and arena must outlive the index. */
snw_spatial_index *snw_spatial_index_make(const snw_mesh *mesh, const double *points, snw_arena *arena);

/* Call it after the `changed` points have moved. `faces` are all faces that use one of them. Does not allocate. */
void snw_spatial_index_refit(snw_spatial_index *index, uint32_t point_count, const uint32_t *changed, uint32_t face_count,
							 const uint32_t *faces);
void snw_spatial_index_refit_all(snw_spatial_index *index);

/* Faces that picking passes over, [face_count], borrowed; NULL: none. */
void snw_spatial_index_hide(snw_spatial_index *index, const bool *faces);

/* As snw_sculpt_pick, but `point` is not set. */
snw_pick snw_spatial_index_pick(const snw_spatial_index *index, const snw_ray *ray);

/* The points nearer to the centre than the radius, in the order of the tree, with their distances. */
uint32_t snw_spatial_index_ball(const snw_spatial_index *index, const double center[3], double radius, uint32_t *points,
								double *distances);

/* The nearest point; of equally near ones the first. SNW_NONE without points. */
uint32_t snw_spatial_index_nearest(const snw_spatial_index *index, const double place[3]);

/* ---- surfaces ------------------------------------------------------------------------------------------------------------ */

/* The nearest place of a surface, and distances along it. */

/* ---- surface place ------------------------------------------------------------------------------------------------------- */

/* Places on the faces of a mesh, and those nearest to the points of another one. */

/* The shares of a triangle's corners at its place nearest to a point, and the squared distance. */
double snw_triangle_nearest(const double point[3], const double *const corner[3], double shares[3]);

/* Three points of a face and their shares, which sum to 1. */
typedef struct snw_surface_place {
	uint32_t points[3];
	uint32_t face; /* SNW_NONE on a mesh without faces there */
	double shares[3];
	double distance; /* from the point that it is nearest to */
} snw_surface_place;

/* For each of `points` [count][3], the nearest place on the faces around the nearest point of `from`, whose points are at
 * `from_points`, and on the faces beside these; on a mesh without faces, that point. places [count]. The mesh has points.
 * `words` says what is done, for progress. SNW_CANCELLED if the task stops. */
snw_status snw_surface_places_find(uint32_t count, const double *points, const snw_mesh *from, const double *from_points,
								   const char *words, const snw_task *task, snw_surface_place *places, snw_error *error);

/* dest [width]: the values [point_count][width] of a mesh at a place. */
void snw_surface_place_value(const snw_surface_place *place, const double *values, uint32_t width, double *dest);

/* ---- surface distance ---------------------------------------------------------------------------------------------------- */

/* Distances along the surface from a point on it. */

typedef struct snw_surface_walk snw_surface_walk;
snw_surface_walk *snw_surface_walk_make(const snw_mesh *mesh, const snw_adjacency *around, snw_arena *arena);

/* The points nearer than the radius along the surface, the nearer ones first (to a thousandth of the radius), with their
 * distances. Triangles are unfolded into the plane one after another, as in Novotni and Klein, "Computing geodesic distances on
 * triangular meshes" (2002): exact if the path from the centre is straight in the unfolded triangles, otherwise along edges; up
 * to 3 % too long on a plane of quads. The radius is above 0. Nothing is found if all corners of `face` are too far away. */
uint32_t snw_surface_walk_from(snw_surface_walk *walk, const double *points_posed, const double center[3], uint32_t face,
							   double radius, uint32_t *points, double *distances);

#endif
