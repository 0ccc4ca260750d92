/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting a method to a scene: in the caller's process, or in the worker's.
 */
#ifndef SINEW_HOST_FIT_FIT_H
#define SINEW_HOST_FIT_FIT_H

#include "plugin/registry.h"
#include "project/project.h"
#include "scene/scene.h"
#include "services/services.h"
#include "sinew/sinew.h"
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

/* The stack below a layer of that deformer at index `limit` (layer_count for a new one); it is given back (stack/stack.h). */
snw_status snw_fit_below_borrow(const snw_scene *scene, const snw_registry *registry, const snw_deformer *deformer,
								uint32_t limit, const snw_task *task, const snw_stack **below, snw_error *error);

/* ---- the input ----------------------------------------------------------------------------------------------------------- */

/* The input of a fit: the scene's examples, groups, sequences and targets as views of the ABI. */

/* Views of the scene in `arena`. The scene and the caller's `values` must outlive them. The input has the examples, sequences
 * and targets that `needs` asks for and `samples` (samples.h) selects. It leaves out `left_out_example` (SNW_NONE for none),
 * muted examples and groups without members. Fails as snw_frames_choose does. */
snw_status snw_fit_input_make(const snw_scene *scene, uint32_t needs, const char *samples, uint32_t left_out_example,
							  uint32_t value_count, const snw_value *values, const snw_task *task, snw_arena *arena,
							  snw_fit_input **made, snw_error *error);

/* Adds the layer's settings of single groups and joints to `input`. Settings of groups that are left out, or of groups and
 * joints that no longer exist, are ignored. Fails as snw_value_resolve does. */
snw_status snw_fit_input_override(const snw_scene *scene, const snw_descriptor *descriptor, const snw_layer *layer,
								  snw_arena *arena, snw_fit_input *input, snw_error *error);

/* Places the unedited points of the examples where `below` puts them, in new arrays of `arena`. Sets *read if there are any. */
snw_status snw_fit_input_place_unedited(const snw_scene *scene, const snw_stack *below, uint32_t left_out_example,
										snw_arena *arena, snw_fit_input *input, bool *read, snw_error *error);

/* ---- skeleton ------------------------------------------------------------------------------------------------------------ */

/* Skeletons of fits: slots for joints that have none, and a character whose skeleton goes. */

/* ---- slots --------------------------------------------------------------------------------------------------------------- */

/* Slots are for joints that have none, so that a mesh can be bound to them. Their inverse bind is that of the skeleton at
 * rest. */

/* How many joints have no slot. A joint whose place at rest has no inverse can have none and is not counted. */
uint32_t snw_scene_missing_slots(const snw_scene *scene);

/* Appends a slot for each of them. */
void snw_scene_complete_slots(snw_scene *scene);

/* ---- a method that makes another skeleton -------------------------------------------------------------------------------- */

/* A copy without joints, slots, skins and the tracks of joints; poses keep their channels. SNW_ERROR_CONFLICT where that would
 * leave something without sense: a group with joints, an example in a pose, a target of a clip, a fitted layer that is not
 * muted, a skin of a mesh that has no sequence. */
snw_status snw_scene_without_skeleton(const snw_scene *scene, snw_scene **bare, snw_error *error);

/* Takes the tracks of joints out of all clips of a scene. */
void snw_scene_drop_joint_tracks(snw_scene *scene);

/* ---- commits ------------------------------------------------------------------------------------------------------------- */

/* Writes layers and the outcomes of fits into the project. */

/* ---- layers, within an open command -------------------------------------------------------------------------------------- */

/* Writes a layer with its model (0 for none). A new one goes directly above `replaced`, which is muted, or on top if that is
 * SNW_NONE: a skin blends once, so a layer that blends takes the place of the blend that is there. */
snw_status snw_layer_put_over(snw_project *project, const snw_scene *scene, const snw_layer *layer, int64_t model,
							  uint32_t replaced, snw_error *error);

/* The layer that a new one of that deformer replaces, as a fit of it does (snw_fit_base_blend): SNW_NONE if it does not blend,
 * or if the blend is muted already. */
uint32_t snw_layer_replaces(const snw_scene *scene, const snw_registry *registry, const snw_deformer *deformer);

/* ---- outcomes ------------------------------------------------------------------------------------------------------------ */

/* The weights of an outcome that are wanted. */
typedef struct snw_skin_choice {
	int64_t mesh;  /* the id of the only mesh; 0 for all */
	bool replaces; /* also in place of weights that are there */
	uint32_t lock_count;
	const uint32_t *locked; /* [lock_count]: joints that keep the weights that are there */
	const double *mask;     /* of the only mesh: as in snw_skin_mix; NULL for 1 everywhere */
} snw_skin_choice;

/* Within an open command: writes the model, its layer (a new one at the place that fit/fit.h defines, an old one at its place)
 * and all proposals. Of weights only the chosen ones are written (NULL `choice`: all), by what the project holds now, and the
 * outcome loses the others; where some of the old weights stay, no point gets more influences than the most of either skin.
 * SNW_ERROR_CONFLICT, and nothing is written, if no weights remain, or if another program has changed layers, or which points,
 * joints or channels there are, since the fit read the project; with a `registry` (it may be NULL) also if it has changed
 * anything else that the fit read. Without a registry the layer is then stale. */
snw_status snw_project_put_outcome(snw_project *project, const snw_registry *registry, const snw_skin_choice *choice,
								   snw_fit_outcome *outcome, snw_error *error);

/* The same as a command, with all weights, or nothing. With a NULL label it is part of the previous command, if there is one
 * (snw_project_begin_amend); SNW_ERROR_CONFLICT if the project has changed since its scene was read. */
snw_status snw_project_commit_fit(snw_project *project, const snw_registry *registry, const snw_fit_outcome *outcome,
								  const char *label, snw_error *error);

/* Within an open command, for a fit of what the command itself has put. `scene` is as the fit saw it, or it is
 * SNW_ERROR_CONFLICT. */
snw_status snw_project_put_fit(snw_project *project, const snw_scene *scene, const snw_fit_outcome *outcome, snw_error *error);

/* ---- models of changed meshes -------------------------------------------------------------------------------------------- */

/* Models of meshes whose points and faces have changed: a deformer with `transfer` takes its model there, by stencils. */

typedef struct snw_model_transfer {
	const snw_scene *before;
	const snw_scene *after; /* the same joints, slots, channels and meshes, in the same order */
	const snw_registry *registry;
	const snw_stencils_view *const *stencils; /* [mesh_count] */
	const snw_task *task;
	snw_arena *arena;
} snw_model_transfer;

/* The model of a layer of `before` for the layer of that name at index `layer_after` of `after`, whose layers below it have
 * their models already. What was stale stays stale. `model` is in the arena. SNW_ERROR_UNSUPPORTED: the method has no
 * `transfer`, or not for this model; the message names the layer and says why. */
snw_status snw_transfer_model(const snw_model_transfer *transfer, uint32_t layer_before, uint32_t layer_after,
							  snw_saved_model *model, snw_error *error);

#endif
