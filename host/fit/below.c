/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/below.h"

#include <string.h>

static snw_stack_options up_to(const snw_scene *scene, uint32_t layer) {
	return (snw_stack_options){.method = scene->layers[layer].name};
}

static snw_stack_options under(uint32_t limit) {
	return (snw_stack_options){.only_below = true, .below_layer = limit};
}

/* The layer that blends first in a stack of the scene; SNW_NONE where none does, or where the stack cannot be built. */
static uint32_t lowest_blend(const snw_scene *scene, const snw_registry *registry, snw_stack_options options) {
	snw_stack *stack = NULL;
	if (snw_failed(snw_stack_build(scene, registry, &options, NULL, &stack, NULL))) {
		return SNW_NONE;
	}
	const char *name = snw_stack_base_blend(stack);
	const uint32_t layer = name ? snw_scene_find_layer(scene, name) : SNW_NONE;
	snw_stack_destroy(stack);
	return layer;
}

uint32_t snw_fit_base_blend(const snw_scene *scene, const snw_registry *registry, uint32_t limit) {
	uint32_t base = lowest_blend(scene, registry, under(limit));
	for (uint32_t i = limit; base == SNW_NONE && i-- > 0;) {
		base = scene->layers[i].muted && lowest_blend(scene, registry, up_to(scene, i)) == i ? i : SNW_NONE;
	}
	return base;
}

snw_status snw_fit_below_build(const snw_scene *scene, const snw_registry *registry, const snw_deformer *deformer,
							   uint32_t limit, const snw_task *task, snw_stack **below, snw_error *error) {
	const bool replaces = deformer->descriptor->traits & SNW_REPLACES_BLEND;
	const uint32_t base = replaces ? snw_fit_base_blend(scene, registry, limit) : SNW_NONE;
	const snw_stack_options options = base == SNW_NONE ? under(limit) : up_to(scene, base);
	return snw_stack_build(scene, registry, &options, task, below, error);
}
