/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stack/replaced_blend.h"

static bool blends(const snw_registry *registry, const snw_layer *layer) {
	const snw_deformer *deformer = snw_registry_find(registry, layer->deformer);
	return deformer && deformer->descriptor->traits & SNW_REPLACES_BLEND;
}

uint32_t snw_replaced_blend(const snw_scene *scene, const snw_registry *registry, uint32_t layer) {
	uint32_t found = SNW_NONE;
	if (scene->layers[layer].muted || snw_registry_find(registry, scene->layers[layer].deformer)) {
		return SNW_NONE;
	}
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		if (blends(registry, &scene->layers[i]) && !scene->layers[i].muted) {
			return SNW_NONE;
		}
		found = i < layer && blends(registry, &scene->layers[i]) ? i : found;
	}
	return found;
}
