/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distances along the surface from a point on it.
 */
#ifndef SINEW_HOST_MESH_SURFACE_DISTANCE_H
#define SINEW_HOST_MESH_SURFACE_DISTANCE_H

#include "mesh/adjacency.h"
#include "scene/scene.h"

typedef struct snw_surface_walk snw_surface_walk;
snw_surface_walk *snw_surface_walk_make(const snw_mesh *mesh, const snw_adjacency *around, snw_arena *arena);

/* The points nearer than the radius along the surface, the nearer ones first (to a thousandth of the radius), with their
 * distances. Triangles are unfolded into the plane one after another, as in Novotni and Klein, "Computing geodesic distances on
 * triangular meshes" (2002): exact if the path from the centre is straight in the unfolded triangles, otherwise along edges; up
 * to 3 % too long on a plane of quads. The radius is above 0. Nothing is found if all corners of `face` are too far away. */
uint32_t snw_surface_walk_from(snw_surface_walk *walk, const double *points_posed, const double center[3], uint32_t face,
							   double radius, uint32_t *points, double *distances);

#endif
