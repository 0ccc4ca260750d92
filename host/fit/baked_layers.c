/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/baked_layers.h"

#include <stdlib.h>

#include "fit/samples.h"

#define READ "read" /* the key of the id of a layer that the bake read */

bool snw_layer_is_baked(const snw_layer *layer) {
	return snw_samples_are_poses(layer->samples);
}

uint32_t snw_scene_first_baked(const snw_scene *scene) {
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		if (snw_layer_is_baked(&scene->layers[i])) {
			return i;
		}
	}
	return SNW_NONE;
}

static bool was_read(const snw_layer *baked, int64_t id, snw_arena *arena) {
	const char *read;
	for (uint32_t i = 0; (read = snw_samples_note(baked->samples, READ, i, arena)); i++) {
		if (strtoll(read, NULL, 10) == id) {
			return true;
		}
	}
	return false;
}

void snw_scene_below_bake(const snw_scene *scene, snw_arena *arena, snw_scene *below) {
	const uint32_t first = snw_scene_first_baked(scene);
	*below = *scene;
	if (first == SNW_NONE) {
		return;
	}
	const snw_layer *baked = &scene->layers[first];
	snw_layer *layers = SNW_NEW_ARRAY(arena, snw_layer, first);
	for (uint32_t i = 0; i < first; i++) {
		layers[i] = scene->layers[i];
		layers[i].muted = layers[i].muted && (baked->muted || !was_read(baked, layers[i].id, arena));
	}
	below->layers = layers;
	below->layer_count = first;
}

const snw_scene *snw_scene_of_layer(const snw_scene *scene, const char *layer, snw_arena *arena) {
	snw_scene *below = SNW_NEW(arena, snw_scene);
	snw_scene_below_bake(scene, arena, below);
	return layer && snw_scene_find_layer(below, layer) != SNW_NONE ? below : scene;
}

const char *snw_bake_record_write(const snw_scene *scene, uint32_t clip_count, const uint32_t *clips,
								  const snw_bake_record *record, snw_arena *arena) {
	const struct {
		const char *key, *value;
	} notes[] = {{"budget", record->budget},
				 {"for", record->engine},
				 {"method", record->method},
				 {"clips", record->names_clips ? "named" : NULL}};
	const char *samples = snw_samples_of_poses(scene, clip_count, clips, arena);
	for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
		if (notes[i].value) {
			samples = snw_samples_add_note(samples, notes[i].key, notes[i].value, arena);
		}
	}
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		if (!scene->layers[i].muted) {
			samples =
				snw_samples_add_note(samples, READ, snw_arena_format(arena, "%lld", (long long)scene->layers[i].id), arena);
		}
	}
	return samples;
}

snw_bake_record snw_bake_record_read(const snw_layer *layer, snw_arena *arena) {
	return (snw_bake_record){.budget = snw_samples_note(layer->samples, "budget", 0, arena),
							 .engine = snw_samples_note(layer->samples, "for", 0, arena),
							 .method = snw_samples_note(layer->samples, "method", 0, arena),
							 .names_clips = snw_samples_note(layer->samples, "clips", 0, arena)};
}
