/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The normals that an engine shows when it plays the file: those at rest with the changes that the morph targets bring, rotated
 * by the blended matrix of their point. The file's custom corner normals rotate alike and are not looked at.
 */
#ifndef SINEW_HOST_EXPORT_PLAN_PLAYBACK_NORMALS_H
#define SINEW_HOST_EXPORT_PLAN_PLAYBACK_NORMALS_H

#include "export/plan/plan.h"

typedef struct snw_played_normals snw_played_normals;

/* For a mesh whose shapes are chosen; in `arena`. NULL for a mesh without faces. */
snw_played_normals *snw_played_normals_make(const snw_plan_mesh *mesh, snw_arena *arena);

/* The points whose faces a shape rotates at rest, ascending: a shape's changes of normals (plan.h) are in this order. */
typedef struct snw_rotated_points {
	uint32_t count;
	const uint32_t *points;
} snw_rotated_points;
snw_rotated_points snw_played_normals_rotated(const snw_played_normals *played, uint32_t shape);

/* The normals at rest with what the shapes add at these weights [shape_count], [point_count][3]. Valid until the next call. */
const float *snw_played_normals_at_rest(snw_played_normals *played, const double *weights);
/* The normals at a moment, [point_count][3], of any length, valid until the next call. `weights` are those of the morph targets
 * of all meshes; `palette` is the mesh's (snw_plan_palette). */
const float *snw_played_normals_at(snw_played_normals *played, const double *weights, const double *palette);

#endif
