/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/character/examples/example_layers.h"

#include "edit/sculpt_layers.h"

snw_status snw_example_layers(const snw_call *call, const snw_opened *opened, uint32_t example, snw_error *error) {
	(void)error;
	const snw_example *row = &opened->scene->examples[example];
	cJSON *rows = snw_answer_list(call->answer, "layers");
	for (uint32_t i = row->layer_count; i-- > 0;) {
		const snw_sculpt_layer *layer = &row->layers[i];
		cJSON *answer = snw_answer_row(rows);
		snw_say(call, "%s opacity %4.2f %7u points%s", snw_padded(call, layer->name, 24), layer->opacity, layer->count,
				layer->muted ? "  (muted)" : "");
		snw_answer_text(answer, "name", layer->name);
		snw_answer_number(answer, "opacity", layer->opacity);
		snw_answer_bool(answer, "muted", layer->muted);
		snw_answer_number(answer, "points", layer->count);
	}
	if (row->layer_count == 0) {
		snw_say(call, "%s has no sculpt layers; 'example layer %s NAME --add' adds one", row->name, row->name);
	}
	return SNW_OK;
}

/* Opacity, mute and name. */
static snw_status set_layer(const snw_call *call, const snw_opened *opened, uint32_t example, uint32_t layer,
							snw_error *error) {
	snw_sculpt_layer changed = opened->scene->examples[example].layers[layer];
	const bool mutes = (snw_call_option(call, "--mute") != NULL), unmutes = (snw_call_option(call, "--unmute") != NULL);
	if (mutes && unmutes) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "give --mute or --unmute, not both");
	}
	changed.muted = mutes || (changed.muted && !unmutes);
	changed.name = snw_call_option(call, "--rename") ? snw_call_option(call, "--rename") : changed.name;
	const snw_status status = snw_call_number(call, "--opacity", 0, 1, changed.opacity, &changed.opacity, error);
	return snw_failed(status) ? status
							  : snw_project_set_sculpt_layer(opened->project, opened->scene, opened->registry, example, layer,
															 &changed, error);
}

snw_status snw_example_layer(const snw_call *call, const snw_opened *opened, uint32_t example, snw_error *error) {
	const snw_scene *scene = opened->scene;
	const snw_example *row = &scene->examples[example];
	if (call->argument_count < 4) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "the sculpt layer is missing: example layer %s LAYER", row->name);
	}
	const char *name = call->arguments[3];
	if (snw_call_option(call, "--add")) {
		return snw_project_add_sculpt_layer(opened->project, scene, opened->registry, example, name, error);
	}
	const uint32_t layer = snw_sculpt_layer_find(row, name);
	if (layer == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: example %s has no such sculpt layer; 'example layers %s' lists them",
						name, row->name, row->name);
	}
	if (snw_call_option(call, "--merge")) {
		return snw_project_merge_sculpt_layer(opened->project, scene, opened->registry, example, layer, error);
	}
	if (snw_call_option(call, "--remove")) {
		return snw_project_remove_sculpt_layer(opened->project, scene, opened->registry, example, layer, error);
	}
	return set_layer(call, opened, example, layer, error);
}
