/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting a method to a scene: in the caller's process, or in the worker's.
 */
#ifndef SINEW_HOST_FIT_FIT_H
#define SINEW_HOST_FIT_FIT_H

#include "base/task.h"
#include "plugin/registry.h"
#include "scene/scene.h"
#include "services/services.h"

typedef struct snw_fit_request {
	const char *method; /* a deformer's short name or id */
	const char *layer;  /* the layer and model's name; NULL: the method's short name */
	uint32_t setting_count;
	const snw_setting *settings;
	const char *samples;       /* what the fit reads, from now on (samples.h); NULL: as the layer has it; "": everything */
	uint32_t left_out_example; /* leave-one-out: this example is not there; SNW_NONE for none */
	bool black_box;            /* as if nothing were known of what lies below: for benches, in this process */
} snw_fit_request;

/* Everything a fit leaves, to be committed as one step. All in `arena`. */
typedef struct snw_fit_outcome {
	snw_arena *arena;
	snw_saved_model model; /* name, plug-in's id and version, bytes */
	snw_layer layer;       /* what the scene's layer of that name becomes; model is SNW_NONE */
	const char *replaces;  /* the layer that it takes the place of: see below; NULL for none */
	snw_proposals proposals;
	snw_status status;  /* OK or a positive caveat */
	const char *caveat; /* its words */
	uint64_t place;     /* snw_fit_place of the scene that the fit saw; 0 where it is not known */
	double seconds;
	double method_seconds; /* of the plug-in's own fit; in this process only, as the next */
	uint64_t below_calls;  /* how often it asked what lies below, for each pose */
} snw_fit_outcome;

/* A skin blends once: where the model lowers to a blend, its layer takes the place of the base blend, which is the lowest layer
 * below it that blends. The base blend stays, muted; a new layer goes directly above it, so that what corrects the one corrects
 * the other. Any other new layer goes on top; a muted layer that is fitted again replaces nothing. */

/* What an outcome is put into: which meshes and joints there are, which layers, and which of them are muted. Never 0. */
uint64_t snw_fit_place(const snw_scene *scene);

/* In this process. `outcome->arena` is set by the caller. SNW_CANCELLED (positive) leaves no outcome. */
snw_status snw_fit_run(const snw_scene *scene, const snw_registry *registry, const snw_fit_request *request,
					   const snw_task *task, snw_fit_outcome *outcome, snw_error *error);

/* The scene as it would be after the outcome: a new scene that shares nothing (proposals applied, layer and model in place). */
snw_status snw_fit_apply(const snw_scene *scene, const snw_fit_outcome *outcome, snw_scene **result, snw_error *error);

#endif
