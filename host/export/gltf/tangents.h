/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tangents of vertices, as the faces around them move them.
 */
#ifndef SINEW_HOST_EXPORT_GLTF_TANGENTS_H
#define SINEW_HOST_EXPORT_GLTF_TANGENTS_H

#include "mesh/triangulate.h"

/* dest [vertices->count][3]: the mesh's tangents, each a combination of two edges of its face, with the edges of `points`
 * [point_count][3] in place of those of `points_rest`. The sum over the corners of a vertex, not normalised; zero for a vertex
 * without a tangent. The same edges give the same bits. */
void snw_vertex_tangents(const snw_mesh *mesh, const snw_vertices *vertices, const double *points_rest, const float *points,
						 double *dest);

#endif
