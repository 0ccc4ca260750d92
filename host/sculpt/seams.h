/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seams of a mesh, and of meshes that meet, as one surface.
 */
#ifndef SINEW_HOST_SCULPT_SEAMS_H
#define SINEW_HOST_SCULPT_SEAMS_H

#include "mesh/adjacency.h"
#include "scene/scene.h"

/* ---- meshes that meet ---------------------------------------------------------------------------------------------------- */

/* Several meshes as one, to sculpt them together: the points and faces of one after those of another. Sculpting welds their
 * seams, so a stroke over the border of two meshes does not part them. */

/* The meshes that must be sculpted together with `mesh`: itself first, then those to which seams lead, however many are
 * between, in order. A seam is where border points of two meshes lie in the same place at rest. `takes_part` [mesh_count]:
 * meshes that may be sculpted; `mesh` itself always is. Returns their number; the list is in `arena`. */
uint32_t snw_seam_meshes(const snw_scene *scene, uint32_t mesh, const bool *takes_part, snw_arena *arena, uint32_t **meshes);

/* A copy of these meshes as one, as far as sculpting needs it: name (of the first), points at rest, faces. In `arena`. */
snw_mesh *snw_join_meshes(const snw_scene *scene, uint32_t count, const uint32_t *meshes, snw_arena *arena);

/* ---- welding ------------------------------------------------------------------------------------------------------------- */

/* Seams of a split mesh: points of its borders that lie in the same place at rest, and in the pose before the sculpt.
 * Sculpting welds them: brushes see the mesh as if it were not split, and its seams stay closed. Lips that merely touch at
 * rest are apart in most poses and are not welded there, nor are points inside a surface, nor hundreds of points at one
 * place. */

typedef struct snw_weld {
	uint32_t
		*first;     /* [point_count]: the lowest point of the same place, for most points itself; NULL: the mesh has no seams */
	uint32_t *next; /* [point_count]: the other points of the place, in a circle */
	snw_mesh mesh;  /* the mesh with faces at first points alone */
} snw_weld;

/* Finds the seams. `around` is that of the split mesh and becomes that of the welded one; points in the same place have equal
 * rows. */
snw_weld snw_weld_make(const snw_mesh *mesh, const double *points_posed, const uint32_t *partners, snw_adjacency *around,
					   snw_arena *arena);

#endif
