/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last steps of a mesh: the influences of a file, in any order and of any quality, become a base skin; coincident points
 * become one.
 */
#ifndef SINEW_HOST_IMPORT_COMMON_FINISH_MESH_H
#define SINEW_HOST_IMPORT_COMMON_FINISH_MESH_H

#include "scene/scene.h"
#include "task/task.h"

typedef struct snw_influence {
	uint32_t point;
	uint32_t slot;
	double weight;
} snw_influence;

/* Fills the mesh's influence arrays, for its point_count points, in `arena`; `list` is sorted in place. Duplicates of a slot at
 * a point are merged; weights that are zero, negative or not finite are dropped; the others are normalised. A point without
 * weights is bound to `fallback_slot`. One notice counts the points whose weights were repaired, another those without weights.
 * Points and slots must be in range. */
void snw_mesh_bind(snw_mesh *mesh, snw_influence *list, size_t count, uint32_t fallback_slot, snw_arena *arena,
				   const snw_task *task);

/* Merges coincident points unless they are kept (mesh/merge_points.h), and leaves out faces that repeat a point, with a notice
 * that counts them. */
void snw_mesh_finish(snw_mesh *mesh, bool keep_points, bool repeats_points, snw_arena *arena, const snw_task *task);

#endif
