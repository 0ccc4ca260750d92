/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Subdivides a character with all that belongs to it.
 *
 * A linear skin and subdivision commute: both are linear in the 4-vectors of animation space (B. Merry, thesis 2007, section
 * 4.2). So the subdivided skin is that of the base blend with stencils applied to its rows, in every pose. Subdividing the rest
 * and the weights, which is what linear blend can do, is a different skin. Dual quaternions are not linear in anything of a
 * point, and a blend over proxies is of its model, so they keep their layer and blend the subdivided weights; how far that is
 * from subdivided poses is measured. Other models follow by the same stencils (fit/transfer_model.h).
 */
#ifndef SINEW_HOST_SUBDIVISION_SUBDIVIDE_H
#define SINEW_HOST_SUBDIVISION_SUBDIVIDE_H

#include "plugin/registry.h"
#include "stack/stack.h"
#include "subdivision/refinement.h"

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
