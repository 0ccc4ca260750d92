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

#endif
