/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The nearest place of a surface, and distances along it.
 */
#ifndef SINEW_HOST_MESH_SURFACE_H
#define SINEW_HOST_MESH_SURFACE_H

#include "mesh/adjacency.h"
#include "scene/scene.h"
#include "task/task.h"

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
