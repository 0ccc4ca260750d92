/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Places on the faces of a mesh, and those nearest to the points of another one.
 */
#ifndef SINEW_HOST_MESH_SURFACE_PLACE_H
#define SINEW_HOST_MESH_SURFACE_PLACE_H

#include "scene/scene.h"
#include "task/task.h"

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

#endif
