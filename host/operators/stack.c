/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The layers of the stack, and their parameters.
 */
#include <string.h>

#include "fit/fit.h"
#include "fit/samples.h"
#include "fit/stale.h"
#include "operators/arguments.h"
#include "parameter/parameters.h"

#define LAYER                                                                                                                  \
	{                                                                                                                          \
		"layer", SNW_ARGUMENT_THING, "LAYER", "the layer",                                                                     \
			.flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED | SNW_ARGUMENT_CHOSEN, .noun = SNW_NOUN_LAYER                     \
	}
#define PARAMETER_VALUES(needed)                                                                                               \
	{                                                                                                                          \
		"set", SNW_ARGUMENT_TEXT, "KEY=VALUE",                                                                                 \
			"a parameter, or KEY@NAME=VALUE for one group or joint; KEY= restores the default",                                \
			.flags = SNW_ARGUMENT_MANY | (needed)                                                                              \
	}

static const snw_argument add_layer_arguments[] = {
	{"method", SNW_ARGUMENT_TEXT, "METHOD", "a method that needs no fit; 'sinew plugins' lists them",
	 .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED},
	{"layer", SNW_ARGUMENT_TEXT, "NAME", "its name (default: the method's, or the next free one)", .flags = 0},
	PARAMETER_VALUES(0),
	{0},
};
static const snw_argument move_layer_arguments[] = {LAYER, SNW_PLACE_ARGUMENTS("the bottom"), {0}};
static const snw_argument set_parameters_arguments[] = {LAYER, PARAMETER_VALUES(SNW_ARGUMENT_NEEDED), {0}};
static const snw_argument unset_parameter_arguments[] = {
	LAYER,
	{"key", SNW_ARGUMENT_TEXT, "KEY", "a parameter, or KEY@NAME of one group or joint",
	 .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED},
	{0},
};
static const snw_argument name_layer_arguments[] = {
	LAYER,
	{"new", SNW_ARGUMENT_TEXT, "NEW", "the new name", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED},
	{0},
};
static const snw_argument layer_arguments[] = {LAYER, {0}};
static const snw_argument choose_samples_arguments[] = {LAYER, SNW_SAMPLES_ARGUMENTS, {0}};

static const snw_layer *layer_of(const snw_operation *o) {
	return &o->scene->layers[snw_operation_thing(o, "layer")];
}

/* A position of -1: where it is. */
static snw_status put_layer(const snw_operation *o, const snw_layer *layer, int32_t position, snw_error *error) {
	int64_t id;
	const int64_t model = layer->model == SNW_NONE ? 0 : o->scene->models[layer->model].id;
	snw_report_changed(o->report, SNW_NOUN_LAYER, layer->name);
	return snw_project_put_layer(o->project, layer, model, position, &id, error);
}

/* ---- parameters ---------------------------------------------------------------------------------------------------------- */

static snw_status change_parameters(const snw_operation *o, const snw_descriptor *descriptor, snw_layer *layer,
									snw_error *error) {
	const snw_argument_values *given = snw_operation_values(o, "set");
	const char **changes = SNW_NEW_ARRAY(o->arena, const char *, (size_t)given->count + 1);
	snw_settings settings = {layer->setting_count, layer->settings};
	for (uint32_t i = 0; i < given->count; i++) {
		changes[i] = given->at[i].text;
	}
	const snw_status status =
		snw_settings_change(o->scene, descriptor, o->in->folder, false, given->count, changes, o->arena, &settings, error);
	layer->setting_count = settings.count;
	layer->settings = settings.list;
	return status;
}

/* What a change of a parameter means for a layer that was fitted: of a bake it is refused. `text` begins with the key. */
static snw_status report_fit(const snw_operation *o, const snw_layer *layer, const snw_descriptor *descriptor, const char *text,
							 snw_error *error) {
	const char *key = snw_arena_format(o->arena, "%.*s", (int)snw_parameter_key_length(text), text);
	const uint32_t index = snw_parameter_of_key(descriptor, key, NULL);
	const bool is_fitted = layer->model != SNW_NONE && !(descriptor->traits & SNW_REFITS);
	if (!is_fitted || index == SNW_NONE || descriptor->parameters[index]->stage != SNW_STAGE_FIT) {
		return SNW_OK;
	}
	if (snw_layer_is_baked(layer)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "layer '%s': a bake sets this parameter: %s; bake again with another budget",
						layer->name, key);
	}
	snw_report_say(o->report, "%s takes effect with the next fit of %s", key, layer->name);
	return SNW_OK;
}

static snw_status set_parameters(snw_operation *o, snw_error *error) {
	snw_layer layer = *layer_of(o);
	const snw_argument_values *given = snw_operation_values(o, "set");
	const snw_deformer *deformer = snw_registry_find(o->in->registry, layer.deformer);
	if (!deformer) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"the plug-in %s of layer '%s' is missing, so its parameters are unknown; install it", layer.deformer,
						layer.name);
	}
	snw_status status = change_parameters(o, deformer->descriptor, &layer, error);
	for (uint32_t i = 0; i < given->count && !snw_failed(status); i++) {
		status = report_fit(o, &layer, deformer->descriptor, given->at[i].text, error);
	}
	return snw_failed(status) ? status : put_layer(o, &layer, -1, error);
}

/* The plug-in may be missing. */
static snw_status unset_parameter(snw_operation *o, snw_error *error) {
	snw_layer layer = *layer_of(o);
	const char *key = snw_operation_text(o, "key");
	const snw_deformer *deformer = snw_registry_find(o->in->registry, layer.deformer);
	snw_settings settings = {layer.setting_count, layer.settings};
	if (!snw_settings_remove(key, o->arena, &settings)) {
		return snw_fail(error, SNW_ERROR_MISSING, "layer '%s' has no setting of %s; 'stack list' lists them", layer.name, key);
	}
	layer.setting_count = settings.count;
	layer.settings = settings.list;
	const snw_status status = deformer ? report_fit(o, &layer, deformer->descriptor, key, error) : SNW_OK;
	return snw_failed(status) ? status : put_layer(o, &layer, -1, error);
}

/* ---- what its fits read -------------------------------------------------------------------------------------------------- */

static snw_status check_samples(const snw_operation *o, const snw_layer *layer, const char *samples, snw_error *error) {
	const snw_deformer *deformer = snw_registry_find(o->in->registry, layer->deformer);
	if (!deformer) {
		return snw_fail(error, SNW_ERROR_MISSING, "the plug-in %s of layer '%s' is missing; install it", layer->deformer,
						layer->name);
	}
	if (!samples) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "what should the fits of %s read? give --clip or --frames", layer->name);
	}
	if (snw_layer_is_baked(layer)) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "layer '%s' is baked: 'sinew bake --clip' chooses what a bake reads",
						layer->name);
	}
	return snw_samples_check(o->scene, deformer->descriptor, samples, error);
}

static snw_status choose_samples_of_layer(snw_operation *o, snw_error *error) {
	snw_layer layer = *layer_of(o);
	const char *samples;
	snw_status status = snw_operation_samples(o, layer.name, &samples, error);
	status = snw_failed(status) ? status : check_samples(o, &layer, samples, error);
	if (snw_failed(status)) {
		return status;
	}
	layer.samples = *samples ? samples : NULL;
	snw_report_text(o->report, "samples", snw_samples_text(samples, o->arena));
	return put_layer(o, &layer, -1, error);
}

/* ---- layers -------------------------------------------------------------------------------------------------------------- */

static snw_status find_added_method(const snw_operation *o, const snw_deformer **deformer, snw_error *error) {
	const char *method = snw_operation_text(o, "method");
	const snw_status status = snw_operation_method(o, "method", deformer, error);
	return snw_failed(status) || (*deformer)->descriptor->traits & SNW_BINDS
			   ? status
			   : snw_fail(error, SNW_ERROR_ARGUMENT, "%s must be fitted; 'sinew fit %s %s' adds its layer", method, method,
						  o->in->name);
}

static snw_status add_layer(snw_operation *o, snw_error *error) {
	const snw_deformer *deformer;
	const char *name = snw_operation_text(o, "layer");
	snw_status status = find_added_method(o, &deformer, error);
	status = snw_failed(status) || !name ? status : snw_noun_expect_free(o->scene, SNW_NOUN_LAYER, name, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_descriptor *descriptor = deformer->descriptor;
	snw_layer layer = {.name = name ? name : snw_noun_free_name(o->scene, SNW_NOUN_LAYER, descriptor->short_name, o->arena),
					   .deformer = descriptor->id,
					   .deformer_version = descriptor->version,
					   .model = SNW_NONE};
	const uint32_t replaced = snw_layer_replaces(o->scene, o->in->registry, deformer);
	snw_report_made(o->report, SNW_NOUN_LAYER, layer.name);
	if (replaced != SNW_NONE) {
		const char *other = o->scene->layers[replaced].name;
		snw_report_changed(o->report, SNW_NOUN_LAYER, other);
		snw_report_say(o->report, "%s replaces %s, which is now muted; undo takes that back", layer.name, other);
	}
	status = change_parameters(o, descriptor, &layer, error);
	return snw_failed(status) ? status : snw_layer_put_over(o->project, o->scene, &layer, 0, replaced, error);
}

static snw_status remove_layer(snw_operation *o, snw_error *error) {
	snw_report_removed(o->report, SNW_NOUN_LAYER, layer_of(o)->name);
	return snw_project_remove(o->project, SNW_PROJECT_LAYER, layer_of(o)->id, error);
}

static snw_status move_layer(snw_operation *o, snw_error *error) {
	uint32_t place;
	const snw_status status = snw_operation_place(o, snw_operation_thing(o, "layer"), o->scene->layer_count, &place, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_report_number(o->report, "place", place);
	return put_layer(o, layer_of(o), (int32_t)place, error);
}

static snw_status rename_layer(snw_operation *o, snw_error *error) {
	snw_layer layer = *layer_of(o);
	const char *old = layer.name;
	layer.name = snw_operation_text(o, "new");
	const snw_status status =
		strcmp(layer.name, old) == 0 ? SNW_OK : snw_noun_expect_free(o->scene, SNW_NOUN_LAYER, layer.name, error);
	return snw_failed(status) ? status : put_layer(o, &layer, -1, error);
}

static snw_status put_muted_layer(const snw_operation *o, bool muted, snw_error *error) {
	snw_layer layer = *layer_of(o);
	layer.muted = muted;
	return put_layer(o, &layer, -1, error);
}

static snw_status mute_layer(snw_operation *o, snw_error *error) {
	return put_muted_layer(o, true, error);
}

static snw_status unmute_layer(snw_operation *o, snw_error *error) {
	return put_muted_layer(o, false, error);
}

static const snw_operator stack_operators[] = {
	{"add", "Add layer", "Adds a layer of a method that needs no fit. One that blends mutes the blend that is there.",
	 "add layer", CHANGES, add_layer_arguments, add_layer},
	{"remove", "Delete layer", "Deletes a layer.", "delete layer", CHANGES, layer_arguments, remove_layer},
	{"move", "Move layer", "Moves a layer to a position, or up or down.", "move layer", CHANGES, move_layer_arguments,
	 move_layer},
	{"set", "Set parameter", "Sets parameters of a layer, or those of one group or joint.", "set $1 of", CHANGES,
	 set_parameters_arguments, set_parameters},
	{"unset", "Reset parameter", "Restores the default of a parameter, or removes the value for one group or joint.",
	 "unset $1 of", CHANGES, unset_parameter_arguments, unset_parameter},
	{"mute", "Mute layer", "Leaves a layer out of the stack until you unmute it.", "mute layer", CHANGES, layer_arguments,
	 mute_layer},
	{"unmute", "Unmute layer", "Takes a layer into the stack again.", "unmute layer", CHANGES, layer_arguments, unmute_layer},
	{"read", "Choose what a fit reads",
	 "Chooses what the fits of a layer read, and what is held out. It takes effect with the next fit.", "choose samples of",
	 CHANGES, choose_samples_arguments, choose_samples_of_layer},
	{"name", "Rename layer", "Renames a layer.", "rename layer", CHANGES, name_layer_arguments, rename_layer},
	{0},
};

const snw_operator_noun snw_operators_stack = {"stack", "Lists and changes the stack of layers, lowest first.",
											   stack_operators};
