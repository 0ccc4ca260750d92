/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Refines a mesh by a subdivision scheme, with the values of its points and corners.
 */
#ifndef SINEW_HOST_SUBDIVISION_REFINEMENT_H
#define SINEW_HOST_SUBDIVISION_REFINEMENT_H

#include "program/program.h"
#include "scene/scene.h"
#include "subdivision/opensubdiv_shim.h"
#include "task/task.h"

/* `levels` ≥ 1. Edges of the mesh's boundary, and corners there that have a single face, stay sharp. SNW_ERROR_DATA for faces
 * that the scheme cannot refine, SNW_ERROR_LIMIT if there would be too many; the message names the mesh. End it with
 * snw_refinement_free. */
snw_status snw_refinement_make(const snw_mesh *mesh, snw_subdivision_scheme scheme, uint32_t levels, snw_refinement *refinement,
							   snw_error *error);

/* made [count][width] are sums of values [][width]. */
void snw_stencils_apply(const snw_stencils *stencils, const double *values, size_t width, double *made);
void snw_stencils_apply_floats(const snw_stencils *stencils, const float *values, size_t width, float *made);

/* The refined mesh at rest, in `arena`: its name, points, faces, materials, UVs and colours; no normals, skin or morphs. */
snw_mesh snw_refined_mesh(const snw_refinement *refinement, const snw_mesh *mesh, snw_arena *arena);

/* ---- refined scene ------------------------------------------------------------------------------------------------------- */

/* The scene of refined meshes: their skins, morphs, fields, examples and targets, all by the same stencils. */

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
