/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two methods of mapping points. Private to mirror_points.c and mirror_topology.c.
 */
#ifndef SINEW_HOST_MESH_MIRROR_MIRROR_INTERNAL_H
#define SINEW_HOST_MESH_MIRROR_MIRROR_INTERNAL_H

#include "mesh/mirror/mirror.h"

/* Both fill partners [point_count]. Scratch is in `arena`. */
void mirror_by_position(const snw_mesh *mesh, const snw_mirror_plane *plane, double tolerance, snw_arena *arena,
						uint32_t *partners);
void mirror_by_topology(const snw_mesh *mesh, const snw_mirror_plane *plane, snw_arena *arena, uint32_t *partners);

/* The distance in metres from the point's reflection to its partner. */
double mirror_mismatch(const snw_mesh *mesh, const snw_mirror_plane *plane, uint32_t point, uint32_t partner);

#endif
