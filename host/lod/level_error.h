/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far a level is from its mesh: both surfaces, posed, with the nearest place of each on the other.
 */
#ifndef SINEW_HOST_LOD_LEVEL_ERROR_H
#define SINEW_HOST_LOD_LEVEL_ERROR_H

#include "stack/stack.h"
#include "task/task.h"

/* A tree of boxes over the triangles of a mesh, refitted as its points move. */
typedef struct lod_tree lod_tree;

/* The faces of the mesh are triangulated as at rest. In `arena`. */
lod_tree *lod_tree_make(const snw_mesh *mesh, snw_arena *arena);
/* To where the points [point_count][3] are; they have to outlive the queries. */
void lod_tree_refit(lod_tree *tree, const float *points);

typedef struct lod_nearest {
	double squares;      /* of the distance */
	uint32_t corners[3]; /* of the mesh: the triangle's */
	double shares[3];
	uint32_t triangle; /* of the tree */
} lod_nearest;

/* The nearest place. `hint` is a triangle that may be near, or SNW_NONE: it makes the search shorter and changes no distance.
 * */
lod_nearest lod_tree_nearest(const lod_tree *tree, const float place[3], uint32_t hint);

/* Fills what is told of each level: its errors in the poses, and the share of the screen. SNW_CANCELLED tells of the poses that
 * were measured before, to whose number it sets the count. */
snw_status lod_levels_measure(const snw_scene *scene, const snw_stack *stack, uint32_t *pose_count, snw_pose *const *poses,
							  uint32_t count, snw_level *levels, const snw_task *task, snw_error *error);

#endif
