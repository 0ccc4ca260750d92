/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last steps of a mesh: the influences of a file, in any order and of any quality, become a base skin; coincident points
 * become one.
 */
#ifndef SINEW_HOST_IMPORT_COMMON_FINISH_MESH_H
#define SINEW_HOST_IMPORT_COMMON_FINISH_MESH_H

#include <stdint.h>

#include "base/arena.h"
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

/* ---- arrival ------------------------------------------------------------------------------------------------------------- */

/* A check after every import: is what the file has in the scene, and in a likely place? It only gives notices. */

/* How many of them a file has. */
typedef struct snw_arrival {
	uint32_t skinned_joints; /* that move points */
	uint32_t shapes;         /* morph targets */
	uint32_t clips;          /* that move something */
} snw_arrival;

/* One line for each kind of which the file has some and the scene none. */
void snw_check_arrival(const snw_scene *scene, const snw_arrival *file, const snw_task *task);
/* One line for each mesh that rests far from the joints that move it: its bind is in other units or elsewhere. */
void snw_check_rest_places(const snw_scene *scene, const snw_task *task);

/* ---- names --------------------------------------------------------------------------------------------------------------- */

/* Repairs the names in imported files, which may be missing, repeated, or not valid text. */

/* A copy of at most 200 bytes, in which control characters (with a notice) and bytes that are not UTF-8 become '_'. NULL if the
 * text is missing or blank. */
char *snw_name_clean(snw_arena *arena, const char *text, const snw_task *task);

/* Makes `count` names unique in place: a NULL one becomes "<word>-<index>", a repeated one gets a suffix "-2", "-3"…, with
 * one notice that counts them and shows the first. `kind` is the noun for what they name: "node", "clip". */
void snw_names_make_unique(snw_arena *arena, const char **names, uint32_t count, const char *kind, const snw_task *task);

#endif
