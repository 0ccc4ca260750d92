/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew stack: the layers, from the bottom up.
 */
#include "stack/stack.h"

#include "cli/command_line/actions.h"
#include "cli/command_line/options/settings.h"
#include "edit/add_layer.h"
#include "fit/baked_layers.h"
#include "parameter/parameters.h"
#include "stack/replaced_blend.h"

/* Words about a layer whose plug-in is missing. */
static const char *missing_text(const snw_call *call, const snw_opened *opened, uint32_t index) {
	const uint32_t replaced = snw_replaced_blend(opened->scene, opened->registry, index);
	return replaced == SNW_NONE ? "  (its plug-in is missing; the layer is kept but does not run)"
								: snw_arena_format(call->arena,
												   "  (its plug-in is missing; the layer is kept but does not run, and '%s', "
												   "which it replaced, is muted: unmute it)",
												   opened->scene->layers[replaced].name);
}

static snw_status list(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused, (void)error;
	cJSON *rows = snw_answer_list(call->answer, "layers");
	for (uint32_t i = 0; i < opened->scene->layer_count; i++) {
		const snw_layer *layer = &opened->scene->layers[i];
		const snw_deformer *deformer = snw_registry_find(opened->registry, layer->deformer);
		const char *stale = snw_opened_stale_text(call, opened, i);
		snw_say(call, "%3u  %s %s%s%s%s%s", i, snw_padded(call, layer->name, 20),
				deformer ? deformer->descriptor->name : layer->deformer, snw_settings_text(call, deformer, layer),
				layer->muted ? "  (muted)" : "", stale, deformer ? "" : missing_text(call, opened, i));
		cJSON *row = snw_answer_row(rows);
		snw_answer_text(row, "name", layer->name);
		snw_answer_text(row, "deformer", layer->deformer);
		snw_answer_bool(row, "muted", layer->muted);
		snw_answer_bool(row, "available", deformer != NULL);
		snw_answer_bool(row, "stale", stale[0] != 0);
		snw_answer_settings(row, deformer, layer);
	}
	return SNW_OK;
}

static snw_status put(const snw_opened *opened, const snw_layer *layer, int32_t position, snw_error *error) {
	int64_t id;
	const int64_t model = layer->model == SNW_NONE ? 0 : opened->scene->models[layer->model].id;
	return snw_project_put_layer(opened->project, layer, model, position, &id, error);
}

static snw_status add(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused;
	const char *method;
	snw_status status = snw_call_argument(call, 2, "the method", &method, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_deformer *deformer = snw_registry_find(opened->registry, method);
	if (!deformer) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: no such method; 'sinew plugins' lists them", method);
	}
	if (!(deformer->descriptor->traits & SNW_BINDS)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: this method must be fitted; 'sinew fit %s %s' adds its layer", method,
						method, call->arguments[0]);
	}
	const char *name = snw_call_option(call, "--layer");
	snw_layer layer = {.name = name ? name : deformer->descriptor->short_name,
					   .deformer = deformer->descriptor->id,
					   .deformer_version = deformer->descriptor->version,
					   .model = SNW_NONE};
	if (snw_scene_find_layer(opened->scene, layer.name) != SNW_NONE) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: a layer with this name exists; choose another with --layer",
						layer.name);
	}
	status =
		snw_settings_parse(call, opened->scene, deformer->descriptor, 0, NULL, &layer.setting_count, &layer.settings, error);
	if (snw_failed(status)) {
		return status;
	}
	const uint32_t replaced = snw_layer_replaces(opened->scene, opened->registry, deformer);
	if (replaced != SNW_NONE) {
		snw_say(call, "it replaces %s, which is now muted; 'sinew undo' takes that back", opened->scene->layers[replaced].name);
	}
	return snw_layer_put_over(opened->project, opened->scene, &layer, 0, replaced, error);
}

static snw_status remove_layer(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	(void)call;
	return snw_project_remove(opened->project, SNW_PROJECT_LAYER, opened->scene->layers[index].id, error);
}

static snw_status move(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	uint32_t place;
	const snw_status status = snw_call_place(call, "the bottom", opened->scene->layer_count, &place, error);
	return snw_failed(status) ? status : put(opened, &opened->scene->layers[index], (int32_t)place, error);
}

static snw_status set(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	snw_layer layer = opened->scene->layers[index];
	const snw_deformer *deformer = snw_registry_find(opened->registry, layer.deformer);
	if (!deformer) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: its plug-in %s is missing, so its parameters are unknown", layer.name,
						layer.deformer);
	}
	snw_status status = snw_settings_parse(call, opened->scene, deformer->descriptor, layer.setting_count, layer.settings,
										   &layer.setting_count, &layer.settings, error);
	const bool refits = deformer->descriptor->traits & SNW_REFITS;
	const bool is_fit_again =
		!snw_failed(status) && layer.model != SNW_NONE && !refits && snw_settings_dirty_fit(call, deformer->descriptor);
	if (is_fit_again && snw_layer_is_baked(&layer)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"%s: a bake sets this parameter; 'sinew bake %s --budget KEY=N,…' bakes anew", layer.name,
						call->arguments[0]);
	}
	if (is_fit_again) {
		snw_task_notice(&call->task, SNW_LOG_WARNING,
						"%s: this parameter takes effect with the next fit; run 'sinew fit %s %s'", layer.name,
						deformer->descriptor->short_name, call->arguments[0]);
	}
	return snw_failed(status) ? status : put(opened, &layer, -1, error);
}

/* mute and unmute */
static snw_status set_muted(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	snw_layer layer = opened->scene->layers[index];
	layer.muted = snw_action_is(call, "mute");
	return put(opened, &layer, -1, error);
}

static const snw_action actions[] = {
	{"list", list, SNW_OPEN_READ | SNW_OPEN_OUTLINE | SNW_OPEN_PLUGINS, NULL},
	{"add", add, SNW_ACTION_CHANGES & ~SNW_ACTION_NAMED, "add layer"},
	{"remove", remove_layer, SNW_ACTION_CHANGES, "delete layer"},
	{"move", move, SNW_ACTION_CHANGES, "move layer"},
	{"set", set, SNW_ACTION_CHANGES, "set parameters of"},
	{"mute", set_muted, SNW_ACTION_CHANGES, "mute layer"},
	{"unmute", set_muted, SNW_ACTION_CHANGES, "unmute layer"},
	{0},
};

static const snw_action_table layers = {
	.noun = "layer", .listed_by = "stack list", .find = snw_scene_find_layer, .name_option = "--layer", .actions = actions};

static const snw_option options[] = {
	{"--layer", "NAME", "name of the new layer (default: the method's)"},
	{"--set", "KEY=VALUE",
	 "a parameter of the layer, or KEY@NAME=VALUE for one group or joint; KEY= resets it; may be repeated"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_stack = {
	.name = "stack",
	.usage = "P.sinew list | add METHOD [--set KEY=VALUE]… | remove LAYER | move LAYER POSITION | set LAYER --set KEY=VALUE… | "
			 "mute LAYER | unmute LAYER",
	.help = "Lists and changes the stack of layers, lowest first.",
	.table = &layers,
	.least_arguments = 1,
	.most_arguments = 4,
	.options = options,
};
