/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A document that shows one example alone: the corrective is fitted from it, to look at. The project stays as it is.
 */
#include "scene/copy.h"
#include "stack/fit.h"
#include "stack/reference.h"
#include "window/document.h"

/* The scene with every other example muted. */
static snw_scene *alone(const snw_scene *scene, uint32_t example) {
	snw_scene *copy = snw_scene_copy(scene);
	snw_example *examples = snw_arena_copy(copy->arena, copy->examples, copy->example_count * sizeof *examples);
	for (uint32_t i = 0; i < copy->example_count; i++) {
		examples[i].muted = i != example;
	}
	copy->examples = examples;
	return copy;
}

/* Fitted from what is heard. */
static snw_status fit(const snw_scene *scene, const snw_registry *registry, const snw_task *task, snw_scene **fitted,
					  snw_error *error) {
	const uint32_t layer = snw_reference_layer(scene, registry);
	if (layer == SNW_NONE || scene->layers[layer].model == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "nothing has been fitted from the examples yet");
	}
	const snw_fit_request request = {
		.method = scene->layers[layer].deformer, .layer = scene->layers[layer].name, .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	snw_status status = snw_fit_run(scene, registry, &request, task, &outcome, error);
	status = status < 0 || status == SNW_CANCELLED ? status : snw_fit_apply(scene, &outcome, fitted, error);
	snw_arena_destroy(outcome.arena);
	return status;
}

snw_status snw_document_show_alone(snw_document *document, const snw_registry *registry, const snw_task *task, uint32_t example,
								   snw_error *error) {
	const snw_stack_options options = {0};
	snw_scene *others_muted = alone(document->scene, example), *fitted = NULL;
	snw_stack *stack = NULL;
	snw_status status = fit(others_muted, registry, task, &fitted, error);
	if (status >= 0 && status != SNW_CANCELLED) {
		status = snw_stack_build(fitted, registry, &options, task, &stack, error);
	}
	snw_scene_destroy(others_muted);
	if (status < 0 || status == SNW_CANCELLED) {
		snw_scene_destroy(fitted);
		return status;
	}
	document->methods[0].stack = stack;
	document->shown = fitted;
	document->solo = example;
	return SNW_OK;
}
