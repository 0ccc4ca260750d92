/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Subdivision of meshes, and of characters with all that belongs to them.
 */
#ifndef SINEW_HOST_SUBDIVISION_SUBDIVIDE_H
#define SINEW_HOST_SUBDIVISION_SUBDIVIDE_H

#include "plugin/registry.h"
#include "program/program.h"
#include "scene/scene.h"
#include "stack/stack.h"
#include "subdivision/opensubdiv_shim.h"
#include "task/task.h"

/* ---- refinement ---------------------------------------------------------------------------------------------------------- */

/* Refines a mesh by a subdivision scheme, with the values of its points and corners. */

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

/* ---- subdivision --------------------------------------------------------------------------------------------------------- */

/* Subdivides a character with all that belongs to it.
 *
 * A linear skin and subdivision commute: both are linear in the 4-vectors of animation space (B. Merry, thesis 2007, section
 * 4.2). So the subdivided skin is that of the base blend with stencils applied to its rows, in every pose. Subdividing the rest
 * and the weights, which is what linear blend can do, is a different skin. Dual quaternions are not linear in anything of a
 * point, and a blend over proxies is of its model, so they keep their layer and blend the subdivided weights; how far that is
 * from subdivided poses is measured. Other models follow by the same stencils (fit/fit.h). */

/* ---- the error of a subdivided skin -------------------------------------------------------------------------------------- */

/* The program of a blend that is subdivided, and how far other skins are from its subdivided result. */

/* How far meshes are from the subdivided results of what they were made of, over poses of the scene and of its clips. */
typedef struct snw_subdivision_error {
	double erms;        /* as in measure/measure.h, over all meshes */
	double max_percent; /* the largest distance, in percent of its mesh's diagonal */
	uint32_t pose_count;
} snw_subdivision_error;

/* The whole stack of the subdivided scene against the subdivided results of the whole stack of the original. SNW_ERROR_CONFLICT
 * if the scene is no longer the original with refined meshes. */
snw_status snw_subdivision_measure(const snw_scene *original, const snw_scene *subdivided, const snw_registry *registry,
								   const snw_refinement *refinements, const snw_task *task, snw_subdivision_error *measured,
								   snw_error *error);

/* ---- subdivide ----------------------------------------------------------------------------------------------------------- */

/* The refinement of each mesh that has faces; SNW_ERROR_MISSING if none has. `refinements` [mesh_count], zero before. */
snw_status snw_refinements_make(const snw_scene *scene, snw_subdivision_scheme scheme, uint32_t levels, const snw_task *task,
								snw_refinement *refinements, snw_error *error);
void snw_refinements_free(snw_refinement *refinements, uint32_t count);

typedef struct snw_subdivided {
	snw_scene *original;         /* a copy, with the unedited points of examples in place */
	snw_refinement *refinements; /* [mesh_count]: without faces for a mesh that has none */
	snw_scene scene;             /* meshes, base skins, morphs, fields, examples and targets; and the new stack */
	uint32_t base;               /* the layer of the original that was subdivided; it is muted, unless it is removed or kept */
	bool keeps_base;             /* it blends subdivided weights: layer, position, model and naive are not filled */
	bool *removed;               /* [layer_count]: layers of the original of methods that have to be fitted again */
	bool *transferred;           /* [layer_count]: layers of the original whose models follow */
	snw_saved_model *models;     /* [layer_count]: these models */
	snw_layer layer;             /* the one that has the skin of the base now, as rows of a method that has `reskin` */
	int32_t position;            /* its place in the stack */
	snw_saved_model model;
	bool has_custom_normals;     /* they are dropped, with tangents */
	snw_subdivision_error naive; /* of linear blend by subdivided weights over the subdivided rest, instead of rows */
} snw_subdivided;

/* Layers that are fitted again with every change stay, and are stale. SNW_ERROR_UNSUPPORTED names a base blend that is not
 * linear; SNW_ERROR_MISSING: no layer blends or no method takes rows. What is made is in `arena` but for what
 * snw_subdivided_free ends; after an error there is nothing to end. */
snw_status snw_subdivide(const snw_scene *scene, const snw_registry *registry, snw_subdivision_scheme scheme, uint32_t levels,
						 const snw_task *task, snw_arena *arena, snw_subdivided *made, snw_error *error);
void snw_subdivided_free(snw_subdivided *made);

#endif
