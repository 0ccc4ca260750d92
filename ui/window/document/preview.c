/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is shown without being stored in the project: one example alone, by a corrective that is fitted from it; a parameter
 * that is being dragged; a skin of a bake; and the stack without the layers that have failed.
 */
#include <string.h>

#include "bake/bake.h"
#include "fit/fit.h"
#include "fit/sculpt_reference.h"
#include "scene/copy.h"
#include "stack/bounds.h"
#include "window/document/document.h"

static uint32_t example_of(const snw_scene *scene, int64_t id) {
	uint32_t i = 0;
	while (i < scene->example_count && scene->examples[i].id != id) {
		i++;
	}
	return i < scene->example_count ? i : SNW_NONE;
}

/* Mutes every other example. */
static void mute_others(snw_scene *scene, uint32_t example) {
	snw_example *examples = snw_arena_copy(scene->arena, scene->examples, scene->example_count * sizeof *examples);
	for (uint32_t i = 0; i < scene->example_count; i++) {
		examples[i].muted = i != example;
	}
	scene->examples = examples;
}

static bool is_left_out(const snw_preview *preview, int64_t layer) {
	bool found = false;
	for (int i = 0; i < SNW_LEFT_OUT_MOST && layer; i++) {
		found = found || preview->left_out[i] == layer;
	}
	return found;
}

bool snw_preview_leave_out(snw_preview *preview, int64_t layer) {
	bool is_done = is_left_out(preview, layer);
	for (int i = 0; i < SNW_LEFT_OUT_MOST && !is_done; i++) {
		is_done = !preview->left_out[i];
		preview->left_out[i] = is_done ? layer : preview->left_out[i];
	}
	return is_done;
}

void snw_preview_include(snw_preview *preview, int64_t layer) {
	for (int i = 0; i < SNW_LEFT_OUT_MOST; i++) {
		preview->left_out[i] = preview->left_out[i] == layer ? 0 : preview->left_out[i];
	}
}

/* Finds the layers that are left out; false if there are none. */
static bool list_left_out(const snw_preview *preview, const snw_scene *scene, bool *left_out) {
	bool any = false;
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		left_out[i] = preview && !scene->layers[i].muted && is_left_out(preview, scene->layers[i].id);
		any = any || left_out[i];
	}
	return any;
}

static void mute_left_out(snw_scene *scene, const bool *left_out) {
	snw_layer *layers = snw_arena_copy(scene->arena, scene->layers, scene->layer_count * sizeof *layers);
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		layers[i].muted = layers[i].muted || left_out[i];
	}
	scene->layers = layers;
}

/* Gives the layer the setting that is being dragged. */
static void try_setting(snw_scene *scene, const snw_preview *preview) {
	snw_layer *layers = snw_arena_copy(scene->arena, scene->layers, scene->layer_count * sizeof *layers);
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		snw_layer *layer = &layers[i];
		if (layer->id != preview->layer) {
			continue;
		}
		snw_setting *settings = SNW_NEW_ARRAY(scene->arena, snw_setting, layer->setting_count + 1u);
		uint32_t count = 0;
		for (uint32_t s = 0; s < layer->setting_count; s++) {
			if (strcmp(layer->settings[s].key, preview->key) != 0) {
				settings[count++] = layer->settings[s];
			}
		}
		settings[count++] = (snw_setting){snw_arena_text(scene->arena, preview->key), preview->value};
		layer->settings = settings;
		layer->setting_count = count;
	}
	scene->layers = layers;
}

/* Fits the layer from the examples that are not muted. */
static snw_status fit(const snw_scene *scene, const snw_registry *registry, const snw_task *task, snw_scene **fitted,
					  snw_error *error) {
	const uint32_t layer = snw_reference_layer(scene, registry);
	if (layer == SNW_NONE || scene->layers[layer].model == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "nothing has been fitted from the examples yet");
	}
	const snw_fit_request options = {
		.method = scene->layers[layer].deformer, .layer = scene->layers[layer].name, .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	snw_status status = snw_fit_run(scene, registry, &options, task, &outcome, error);
	status = snw_failed(status) ? status : snw_fit_apply(scene, &outcome, fitted, error);
	snw_arena_destroy(outcome.arena);
	return status;
}

/* Replaces `*scene` by the previewed scene. */
static snw_status make(snw_scene **scene, const snw_preview *preview, uint32_t solo, const snw_registry *registry,
					   const snw_task *task, snw_error *error) {
	snw_scene *fitted = NULL;
	if (preview->layer) {
		try_setting(*scene, preview);
	}
	if (solo == SNW_NONE) {
		return SNW_OK;
	}
	mute_others(*scene, solo);
	const snw_status status = fit(*scene, registry, task, &fitted, error);
	if (fitted) {
		snw_scene_destroy(*scene);
		*scene = fitted;
	}
	return status;
}

/* Whether the skin was baked from the project as it is. */
static bool shows_bake(const snw_document *document, const snw_preview *preview) {
	const snw_shown_bake *bake = preview ? preview->bake : NULL;
	return bake && document->path && strcmp(bake->path, document->path) == 0 && bake->change == document->change;
}

static snw_scene *copy_baked(const snw_document *document, const snw_preview *preview) {
	snw_arena *scratch = snw_arena_create();
	snw_scene after;
	snw_scene_after_bake(document->scene, &preview->bake->baked, preview->variant, scratch, &after);
	snw_scene *copy = snw_scene_copy(&after);
	snw_arena_destroy(scratch);
	return copy;
}

/* Gives the document's first method the stack of the previewed scene. */
static bool show(snw_document *document, const snw_preview *preview, uint32_t solo, const snw_registry *registry,
				 const snw_task *task, snw_error *error) {
	const snw_stack_options options = {0};
	const bool is_baked = shows_bake(document, preview);
	snw_scene *scene = is_baked ? copy_baked(document, preview) : snw_scene_copy(document->scene);
	snw_stack_owner *stacks = NULL;
	const snw_stack *stack = NULL;
	snw_status status = SNW_OK;
	if (!is_baked) {
		mute_left_out(scene, document->left_out);
		status = make(&scene, preview, solo, registry, task, error);
	}
	if (!snw_failed(status)) {
		stacks = snw_stack_owner_create(scene, registry);
		status = snw_stack_borrow(scene, registry, &options, task, &stack, error);
	}
	if (snw_failed(status)) {
		snw_stack_owner_destroy(stacks);
		snw_scene_destroy(scene);
		return false;
	}
	snw_stack_make_bounds(stack);
	document->methods[0].stack = stack;
	document->shown = scene;
	document->shown_stacks = stacks;
	document->solo = is_baked ? SNW_NONE : solo;
	document->variant = is_baked ? preview->variant : SNW_NONE;
	return true;
}

bool snw_document_apply_preview(snw_document *document, const snw_preview *preview, const snw_registry *registry,
								const snw_task *task, snw_error *error) {
	const uint32_t solo = preview && preview->solo ? example_of(document->scene, preview->solo) : SNW_NONE;
	bool *left_out = SNW_NEW_ARRAY(document->arena, bool, document->scene->layer_count);
	const bool leaves_out = list_left_out(preview, document->scene, left_out);
	const bool tries = solo != SNW_NONE || (preview && preview->layer) || shows_bake(document, preview);
	document->left_out = left_out;
	if (!tries && !leaves_out) {
		return false;
	}
	if (show(document, preview, solo, registry, task, error) || !leaves_out) {
		return document->shown != NULL;
	}
	if (tries) { /* the layers that have failed are left out all the same */
		const snw_preview rest = {0};
		(void)show(document, &rest, SNW_NONE, registry, task, NULL);
	}
	return true;
}
