/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tangents of corners: made from UVs, and as they are in a pose.
 */
#ifndef SINEW_HOST_MESH_TANGENTS_H
#define SINEW_HOST_MESH_TANGENTS_H

#include "scene/scene.h"

/* The tangents of a mesh with UVs, as snw_mesh.corner_tangents has them, [corner_count][4] in `arena`. They are those of
 * MikkTSpace, by which normal maps are baked and read nearly everywhere (M. Mikkelsen, Simulation of wrinkled surfaces
 * revisited, 2008, and the code that he published with it): each triangle has the direction of rising u; around a vertex,
 * triangles that share edges and have UVs of the same orientation are one group, whose directions are averaged by angle in the
 * plane of the normal. Polygons are taken as their triangles; a corner of several has the tangent of the first. Floats, as
 * there: sums are in the same order. The sign is that of glTF, whose v is down.
 *
 * `normals` [corner_count][3] are unit. A corner that has no group has the tangent (1, 0, 0), as there. */
float *snw_tangents_make(const snw_mesh *mesh, const float *normals, snw_arena *arena);

/* Adds a tangent in a pose: the combination of two edges of its face that it is at rest, in `points` [point_count][3]; as it is
 * if the edges are parallel. `corner` is the point before it in its face, its own, and the one after. The same edges give the
 * same bits. */
void snw_tangent_add_posed(const double *points_rest, const float *points, const uint32_t corner[3], const float *tangent,
						   double dest[3]);

#endif
