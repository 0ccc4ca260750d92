/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Baked layers play in place of the layers below them, which a bake mutes. They record how the bake was asked for and which
 * layers it read, so that these can be fitted again below it, and the whole be baked again.
 */
#ifndef SINEW_HOST_FIT_BAKED_LAYERS_H
#define SINEW_HOST_FIT_BAKED_LAYERS_H

#include "scene/scene.h"

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
