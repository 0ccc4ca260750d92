/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far two posed surfaces are from each other.
 */
#ifndef SINEW_HOST_LOD_LEVEL_ERROR_H
#define SINEW_HOST_LOD_LEVEL_ERROR_H

#include "scene/scene.h"

/* A tree of boxes over the triangles of a mesh, refitted as its points move. */
typedef struct lod_tree lod_tree;

/* The faces of the mesh are triangulated as at rest. In `arena`. */
lod_tree *lod_tree_make(const snw_mesh *mesh, snw_arena *arena);
/* To where the points [point_count][3] are; they have to outlive the queries. */
void lod_tree_refit(lod_tree *tree, const float *points);

typedef struct lod_nearest {
	double squares;   /* of the distance */
	uint32_t corners[3]; /* of the mesh: the triangle's */
	double shares[3];
	uint32_t triangle; /* of the tree */
} lod_nearest;

/* The nearest place. `hint` is a triangle that may be near, or SNW_NONE: it makes the search shorter and changes no distance. */
lod_nearest lod_tree_nearest(const lod_tree *tree, const float place[3], uint32_t hint);

uint32_t lod_tree_triangle_count(const lod_tree *tree);
const uint32_t *lod_tree_corners(const lod_tree *tree, uint32_t triangle); /* [3]: corners of the mesh */

#endif
