/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of the stack share: the trial character, a registry with the test layers, and layers put on by hand.
 */
#ifndef SINEW_TESTS_STACK_SETUP_H
#define SINEW_TESTS_STACK_SETUP_H

#include "check.h"

#include "parameter/parameters.h"
#include "pose/pose.h"
#include "sample/sample.h"
#include "stack/stack.h"
#include "task/task.h"

enum { MOST_LAYERS = 8 };

static inline snw_registry *setup_registry(const char *module) {
	snw_error error = {0};
	snw_registry *registry = snw_registry_open();
	check_ok(snw_registry_load(registry, module, &error), error);
	return registry;
}

/* Puts a layer on top; `settings` is "key=value key=value". Returns it for further changes. */
static inline snw_layer *setup_add_layer(snw_scene *scene, const snw_registry *registry, const char *method, const char *name,
										 const char *settings) {
	static _Thread_local char words[200];
	if (!scene->layers) {
		scene->layers = SNW_NEW_ARRAY(scene->arena, snw_layer, MOST_LAYERS);
	}
	assert_true(scene->layer_count < MOST_LAYERS);
	const snw_deformer *deformer = snw_registry_find(registry, method);
	snw_layer *layer = (snw_layer *)(uintptr_t)&scene->layers[scene->layer_count++];
	*layer = (snw_layer){
		.name = snw_arena_text(scene->arena, name),
		.deformer = snw_arena_text(scene->arena, deformer ? deformer->descriptor->id : method),
		.deformer_version = "1.0",
		.model = SNW_NONE,
	};
	snw_setting *list = SNW_NEW_ARRAY(scene->arena, snw_setting, 8);
	snprintf(words, sizeof words, "%s", settings);
	for (char *rest, *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		snw_error error = {0};
		uint32_t index;
		snw_value value;
		check_ok(snw_parameter_parse(deformer->descriptor, word, &index, &value, &error), error);
		list[layer->setting_count++] = (snw_setting){deformer->descriptor->parameters[index]->key, value};
	}
	layer->settings = list;
	return layer;
}

static inline snw_stack *setup_stack(const snw_scene *scene, const snw_registry *registry, const char *method) {
	snw_error error = {0};
	snw_stack *stack = NULL;
	const snw_stack_options options = {.method = method};
	check_ok(snw_stack_build(scene, registry, &options, NULL, &stack, &error), error);
	return stack;
}

static inline double setup_distance(const double *a, const double *b, size_t numbers) {
	double most = 0;
	for (size_t i = 0; i < numbers; i++) {
		most = fmax(most, fabs(a[i] - b[i]));
	}
	return most;
}

#endif
