/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Carries what belongs to meshes to their refined meshes: skins, morphs, fields, examples and targets, all by the same stencils.
 */
#ifndef SINEW_HOST_SUBDIVISION_CARRY_H
#define SINEW_HOST_SUBDIVISION_CARRY_H

#include "program/rows.h"
#include "subdivision/refinement.h"

/* A refined point has every influence of the points in its stencil, slots ascending. In `arena`. */
snw_influences snw_refined_influences(const snw_stencils *stencils, const snw_influences *from, uint32_t slot_count,
									  size_t width, snw_arena *arena);

/* The scene with refined meshes, [mesh_count]; a refinement without faces leaves its mesh as it is. Ids stay. Its new arrays are in
 * `arena`, the others belong to `scene`. Examples need their unedited points in place; a refined point is edited where a point of
 * its stencil is. Custom normals are dropped. */
snw_scene snw_refined_scene(const snw_scene *scene, const snw_refinement *refinements, snw_arena *arena);

#endif
