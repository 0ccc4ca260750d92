/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seams of a split mesh: points of its borders that lie in the same place at rest, and in the pose before the sculpt. Sculpting
 * welds them: brushes see the mesh as if it were not split, and its seams stay closed. Lips that merely touch at rest are apart
 * in most poses and are not welded there, nor are points inside a surface, nor hundreds of points at one place.
 */
#ifndef SINEW_HOST_SCULPT_SEAMS_WELD_H
#define SINEW_HOST_SCULPT_SEAMS_WELD_H

#include "mesh/adjacency.h"

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
