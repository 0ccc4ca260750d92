/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The meshes of a level, from what a collapse has left.
 */
#ifndef SINEW_HOST_LOD_LEVEL_MESH_H
#define SINEW_HOST_LOD_LEVEL_MESH_H

#include "lod/collapse.h"
#include "subdivision/refinement.h"

typedef struct lod_level_mesh {
	snw_mesh mesh;          /* rest points by the stencils; no skin, no morphs */
	snw_stencils stencils;  /* of the points, over those of the original */
	uint32_t *face_parents; /* [face_count]: faces of the original */
} lod_level_mesh;

/* One mesh as it is now, with the name of the original. In `arena`. */
lod_level_mesh lod_level_mesh_make(const lod_surface *surface, const lod_collapse *collapse, uint32_t mesh, snw_arena *arena);

#endif
