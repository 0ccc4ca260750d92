/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a model is stale. Every model stores a hash of each kind of data that its fit read. A model is stale if one of them
 * differs from the hash of the current data. So no command has to set a flag, and undo makes a model current again.
 */
#ifndef SINEW_HOST_FIT_STALE_H
#define SINEW_HOST_FIT_STALE_H

#include "plugin/registry.h"
#include "scene/scene.h"

/* The kinds that have changed since the layer was fitted, as bits 1u << snw_read_kind. 0 if the layer is current, if it binds,
 * or if its plug-in is missing. SNW_STALE_UNKNOWN alone if the model has no hashes. */
#define SNW_STALE_UNKNOWN ((uint32_t)1 << 31)
uint32_t snw_layer_stale(const snw_scene *scene, const snw_registry *registry, uint32_t layer);

/* The same for the outcome of a method that makes no layer: what has changed since it read the scene. `layer` and `reads` are
 * the outcome's. */
uint32_t snw_proposals_stale(const snw_scene *scene, const snw_registry *registry, const snw_layer *layer,
							 const uint64_t reads[SNW_READ_KINDS]);

/* "the examples and the layers below it changed", in `arena`. */
const char *snw_stale_words(uint32_t stale, snw_arena *arena);

/* Hashes the data that a fit of `layer` over the layers below `below_layer` would read. 0 for a kind that the method does not
 * read. `reads_below` says whether it reads the layers below. */
void snw_fit_reads(const snw_scene *scene, const snw_registry *registry, const snw_deformer *deformer, const snw_layer *layer,
				   uint32_t below_layer, bool reads_below, uint64_t reads[SNW_READ_KINDS]);

/* A hash of what the whole stack plays in the poses of a selection: meshes, base skins, the skeleton, all layers that are not
 * muted, the poses, and the field that the selection's note "protect" names. */
uint64_t snw_played_hash(const snw_scene *scene, const snw_registry *registry, const char *samples);

/* ---- baked layers -------------------------------------------------------------------------------------------------------- */

/* Baked layers play in place of the layers below them, which a bake mutes. They record how the bake was asked for and which
 * layers it read, so that these can be fitted again below it, and the whole be baked again. */

bool snw_layer_is_baked(const snw_layer *layer);

/* The lowest baked layer; SNW_NONE without a bake. */
uint32_t snw_scene_first_baked(const snw_scene *scene);

/* The scene that a bake reads, in `arena`; shares the data of `scene`. Of a baked project it has the layers below the bake, and
 * those that the bake read are not muted, unless the bake is: then the layers play as they are. A scene without a bake is as it
 * is. */
void snw_scene_below_bake(const snw_scene *scene, snw_arena *arena, snw_scene *below);

/* The scene that the layer of that name is fitted and measured in: that which the bake reads for a layer below one, otherwise
 * `scene` as it is. In `arena`; shares the data of `scene`. NULL: a new layer. */
const snw_scene *snw_scene_of_layer(const snw_scene *scene, const char *layer, snw_arena *arena);

/* How a bake was asked for; NULL for what was not given. */
typedef struct snw_bake_record {
	const char *budget; /* in the form that snw_budget_parse reads */
	const char *engine, *method;
	bool names_clips; /* otherwise it read all that move joints */
} snw_bake_record;

/* The `samples` of the layers of a bake that has read `scene`, with these clips; in `arena`. */
const char *snw_bake_record_write(const snw_scene *scene, uint32_t clip_count, const uint32_t *clips,
								  const snw_bake_record *record, snw_arena *arena);
/* The record of a baked layer, in `arena`. A bake by an early version has none: all members are NULL. */
snw_bake_record snw_bake_record_read(const snw_layer *layer, snw_arena *arena);

#endif
