/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The counterpart of a mesh: another mesh that is its reflection at rest, such as the other glove. The two are sculpted as one, so that
 * symmetry reaches across them.
 */
#ifndef SINEW_HOST_MESH_MIRROR_COUNTERPART_H
#define SINEW_HOST_MESH_MIRROR_COUNTERPART_H

#include "mesh/mirror/mirror.h"

typedef struct snw_counterpart {
	uint32_t mesh;          /* of the scene */
	const snw_mesh *joined; /* points and faces of both; those of the counterpart are last */
	snw_mirror_map map;     /* of the joined mesh */
} snw_counterpart;

/* Finds the counterpart of a mesh across x = 0. False if it has none: if most of its points have partners on the mesh itself, or fewer than
 * nine in ten have one on another mesh, which lies where its reflection does. Results are in `arena`. Any thread. */
bool snw_counterpart_find(const snw_scene *scene, uint32_t mesh, snw_arena *arena, snw_counterpart *counterpart);

#endif
