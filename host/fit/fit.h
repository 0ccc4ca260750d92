/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting a method to a scene: in the caller's process, or in the worker's.
 */
#ifndef SINEW_HOST_FIT_FIT_H
#define SINEW_HOST_FIT_FIT_H

#include "plugin/registry.h"
#include "scene/scene.h"
#include "services/services.h"
#include "stack/stack.h"
#include "task/task.h"

typedef struct snw_fit_request {
	const char *method; /* a deformer's short name or id */
	const char *layer;  /* the layer and model's name; NULL: the method's short name */
	uint32_t setting_count;
	const snw_setting *settings;
	const char *samples;       /* the samples that the fit reads (samples.h), stored in the layer; NULL: the layer's; "": all */
	uint32_t left_out_example; /* leave-one-out: the fit does not see this example; SNW_NONE for none */
	bool refits; /* keeps what the layer's last fit chose (SNW_REFITS_EXAMPLES); a fit where it has no model that can be read */
	bool replaces_skeleton; /* a method that makes a skeleton may take the place of the one that is there */
	bool follows_joints;    /* and sees its joints at rest, as a drawing of the skeleton that it is to make */
	/* [mesh_count]: the model's skin, for a method with `reskin`, which then learns nothing; in this process alone. NULL to
	 * learn. */
	const snw_rows_view *const *rows;
	bool black_box; /* hides from the fit that layers below are affine; for benchmarks, in this process alone */
} snw_fit_request;

/* The outcome of a fit, to be committed as one step. All in `arena`. */
typedef struct snw_fit_outcome {
	snw_arena *arena;
	snw_saved_model model; /* name, plug-in's id and version, bytes, hashes of what the fit read */
	snw_layer layer;       /* the new state of the scene's layer of that name; its model is SNW_NONE */
	const char *replaces;  /* the layer that it replaces, see below; NULL for none */
	bool proposes_only; /* SNW_MAKES_SKELETON, SNW_MAKES_WEIGHTS: no layer and no model; a new skeleton replaces the old one */
	snw_proposals proposals;
	snw_status status;  /* OK or a positive caveat */
	bool was_stopped;   /* cancelled, or over its limit of time: the best so far */
	const char *caveat; /* its words */
	uint64_t place;     /* snw_fit_place of the scene that the fit saw; 0 where it is not known */
	double seconds;
	double method_seconds; /* of the plug-in's `fit`; this and the next are set in this process alone */
	uint64_t below_calls;  /* its calls of the service `below`, counted for each pose */
} snw_fit_outcome;

/* A skin blends once. If the model blends, lowered or as a black box, its layer replaces the base blend: the lowest one below
 * it. The base blend is muted, and a new layer goes directly above it, so that the correctives above apply to it too. Any other
 * new layer is added on top. A muted layer that is fitted again replaces nothing. */

/* A hash of what the indices and counts of an outcome refer to: the meshes, joints, slots, channels and layers, and which
 * layers are muted. Never 0. */
uint64_t snw_fit_place(const snw_scene *scene);

/* In this process. `outcome->arena` is set by the caller. SNW_CANCELLED (positive) leaves no outcome. */
snw_status snw_fit_run(const snw_scene *scene, const snw_registry *registry, const snw_fit_request *request,
					   const snw_task *task, snw_fit_outcome *outcome, snw_error *error);

/* A new scene with the outcome applied: proposals, layer and model. It shares no memory with the old one, whose place
 * must be the outcome's. */
snw_status snw_fit_apply(const snw_scene *scene, const snw_fit_outcome *outcome, snw_scene **result, snw_error *error);

/* ---- below --------------------------------------------------------------------------------------------------------------- */

/* What lies below the layer that is fitted: the layers under it. A method that takes the base blend's place
 * (SNW_REPLACES_BLEND) lies on what that blend lies on and on the blend itself, even when an earlier fit has muted it: the
 * points that an example leaves alone follow the base blend, not the rest and not the layer's own last result. */

/* The layer of the scene that a blend under `limit` replaces: the lowest layer that blends and is not muted, else the highest
 * that blends. SNW_NONE where none does. */
uint32_t snw_fit_base_blend(const snw_scene *scene, const snw_registry *registry, uint32_t limit);

/* The stack below a layer of that deformer at index `limit` (layer_count for a new one); it is given back (stack/borrow.h). */
snw_status snw_fit_below_borrow(const snw_scene *scene, const snw_registry *registry, const snw_deformer *deformer,
								uint32_t limit, const snw_task *task, const snw_stack **below, snw_error *error);

#endif
