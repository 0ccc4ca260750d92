/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is left of a file after a packer, so that an export can say it before anybody packs. The packer is gltfpack at its
 * defaults, with -c; others round less. It has
 *
 *   points               rest and morph targets: on one grid of 14 bits for all meshes
 *   weights of a skin    in bytes, which they are already if the plan has rounded them
 *   tracks               30 keys per second with lines between them, rotations in 12 bits, weights of morph targets in bytes
 */
#ifndef SINEW_HOST_EXPORT_PLAN_PACKING_H
#define SINEW_HOST_EXPORT_PLAN_PACKING_H

#include "export/plan/plan.h"

typedef struct snw_packing snw_packing;

/* For a finished plan; in `arena`. */
snw_packing *snw_packing_make(const snw_plan *plan, snw_arena *arena);

/* One moment of a packed clip. */
typedef struct snw_packed_moment {
	const double *shape_weights; /* of all meshes, mesh by mesh */
	const double **palettes;     /* [mesh_count], as of snw_plan_palette */
} snw_packed_moment;

/* Drives the plan's evaluation to other moments. */
snw_status snw_packing_at(const snw_packing *packing, uint32_t clip, double seconds, snw_arena *arena,
						  snw_packed_moment *moment, snw_error *error);

/* The packed rest points with the morph targets at a moment's weights, [point_count][3]. */
void snw_packing_morph(const snw_packing *packing, uint32_t mesh, const snw_packed_moment *moment, double *points);

/* The plan's mesh with packed weights. */
const snw_plan_mesh *snw_packing_skin(const snw_packing *packing, uint32_t mesh);

#endif
