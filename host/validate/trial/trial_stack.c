/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/trial/trial_stack.h"

/* The layer's settings are the harness's values, all of them. */
static snw_layer make_layer(const harness *b, bool has_model) {
	const snw_descriptor *descriptor = b->deformer->descriptor;
	snw_setting *settings = SNW_NEW_ARRAY(b->scene->arena, snw_setting, descriptor->parameter_count);
	for (uint32_t i = 0; i < descriptor->parameter_count; i++) {
		settings[i] = (snw_setting){descriptor->parameters[i]->key, b->values[i]};
	}
	return (snw_layer){.id = INT32_MAX,
					   .name = "trial",
					   .deformer = descriptor->id,
					   .deformer_version = descriptor->version,
					   .model = has_model ? 0 : SNW_NONE,
					   .setting_count = descriptor->parameter_count,
					   .settings = settings};
}

static void add_layer(trial_stack *stack, const harness *b, bool is_alone) {
	const bool replaces = b->deformer->descriptor->traits & SNW_REPLACES_BLEND;
	const uint32_t kept = is_alone || replaces ? 0 : b->scene->layer_count;
	snw_layer *layers = SNW_NEW_ARRAY(b->scene->arena, snw_layer, (size_t)kept + 1);
	for (uint32_t i = 0; i < kept; i++) {
		layers[i] = b->scene->layers[i];
	}
	layers[kept] = make_layer(b, stack->has_model);
	stack->scene = *b->scene;
	stack->scene.layers = layers;
	stack->scene.layer_count = kept + 1;
	if (stack->has_model) {
		snw_saved_model *model = SNW_NEW(b->scene->arena, snw_saved_model);
		*model = (snw_saved_model){.id = INT32_MAX,
								   .name = "trial",
								   .deformer = b->deformer->descriptor->id,
								   .deformer_version = b->deformer->descriptor->version,
								   .bytes = stack->model.bytes,
								   .byte_count = stack->model.count};
		stack->scene.models = model;
		stack->scene.model_count = 1;
	}
}

snw_status trial_stack_open(trial_stack *stack, const harness *b, bool is_alone, snw_error *error) {
	*stack = (trial_stack){0};
	snw_status status = SNW_OK;
	if (!(b->deformer->descriptor->traits & SNW_BINDS)) {
		status = harness_save(b, b->model, &stack->model, error);
		stack->has_model = !snw_failed(status);
	}
	if (snw_failed(status)) {
		return status;
	}
	add_layer(stack, b, is_alone);
	const snw_stack_options whole = {0};
	const snw_stack_options below = {.only_below = true, .below_layer = stack->scene.layer_count - 1};
	status = snw_stack_build(&stack->scene, b->registry, &whole, NULL, &stack->whole, error);
	status = snw_failed(status) ? status : snw_stack_build(&stack->scene, b->registry, &below, NULL, &stack->below, error);
	if (!snw_failed(status)) {
		stack->whole_evaluation = snw_evaluation_create_reference(stack->whole);
		stack->below_evaluation = snw_evaluation_create_reference(stack->below);
	}
	return status;
}

void trial_stack_close(trial_stack *stack) {
	if (stack->whole_evaluation) {
		snw_evaluation_destroy(stack->whole_evaluation);
		snw_evaluation_destroy(stack->below_evaluation);
	}
	snw_stack_destroy(stack->below);
	snw_stack_destroy(stack->whole);
	if (stack->has_model) {
		snw_memory_sink_close(&stack->model);
	}
}
