/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collapses edges of a surface, the cheapest first (M. Garland and P. Heckbert, Surface simplification using quadric error
 * metrics, 1997; in any number of dimensions 1998), in motion coordinates. The new vertex is an affine combination of those
 * around the edge, so that it has a place in every pose (B. Merry, thesis 2007, 9.4), and nothing shrinks. Values of corners
 * are those that the nearest linear functions have there (H. Hoppe, New quadric metric for simplifying meshes with appearance
 * attributes, 1999).
 */
#ifndef SINEW_HOST_LOD_COLLAPSE_H
#define SINEW_HOST_LOD_COLLAPSE_H

#include "lod/surface.h"
#include "task/task.h"

/* An affine combination of the vertices of the first surface. */
typedef struct lod_stencil {
	uint32_t count;
	uint32_t *vertices; /* ascending */
	double *weights;    /* their sum is 1 */
} lod_stencil;

typedef struct lod_collapse lod_collapse;

/* The surface's triangles, coordinates and wedges change from then on. In `arena`. */
lod_collapse *lod_collapse_make(lod_surface *surface, snw_arena *arena);

/* Collapses until at most that many triangles of the meshes that take part are left, or nothing can go. The activity is for
 * the task. SNW_CANCELLED. */
snw_status lod_collapse_to(lod_collapse *collapse, uint32_t triangles, const char *activity, const snw_task *task,
						   snw_error *error);

uint32_t lod_collapse_triangles(const lod_collapse *collapse);
const lod_stencil *lod_collapse_stencil(const lod_collapse *collapse, uint32_t vertex);

#endif
