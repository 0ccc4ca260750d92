/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scene of refined meshes: their skins, morphs, fields, examples and targets, all by the same stencils.
 */
#ifndef SINEW_HOST_SUBDIVISION_REFINED_SCENE_H
#define SINEW_HOST_SUBDIVISION_REFINED_SCENE_H

#include "program/rows.h"
#include "subdivision/refinement.h"
#include "task/task.h"

/* A refined point has every influence of the points in its stencil, slots ascending. In `arena`. SNW_CANCELLED if the task is
 * stopped. */
snw_status snw_refined_influences(const snw_stencils *stencils, const snw_influences *from, uint32_t slot_count, size_t width,
								  const snw_task *task, snw_arena *arena, snw_influences *refined, snw_error *error);

/* The scene with refined meshes, [mesh_count]; a refinement without faces leaves its mesh as it is. Ids stay. Its new arrays
 * are in `arena`, the others belong to `scene`. Examples need their unedited points in place; a refined point is edited where a
 * point of its stencil is. Custom normals are dropped. SNW_CANCELLED if the task is stopped. */
snw_status snw_refined_scene(const snw_scene *scene, const snw_refinement *refinements, const snw_task *task, snw_arena *arena,
							 snw_scene *refined, snw_error *error);

#endif
