/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The layers of the stack, their parameters and their fits.
 */
#include <string.h>

#include "compare/compare.h"
#include "file/file.h"
#include "fit/fit.h"
#include "fit/samples.h"
#include "fit/stale.h"
#include "measure/measure.h"
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

/* ---- fits ---------------------------------------------------------------------------------------------------------------- */

/* Fits: a layer learns from the examples, targets and sequences of the project, in the worker process. */

static const snw_argument fit_arguments[] = {
	{"method", SNW_ARGUMENT_TEXT, "METHOD", "which method; 'sinew plugins' lists them",
	 .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED},
	SNW_SAMPLES_ARGUMENTS,
	{"set", SNW_ARGUMENT_TEXT, "KEY=VALUE",
	 "a parameter of the method, or KEY@NAME=VALUE for one group or joint; 'sinew plugins' lists the parameters",
	 .flags = SNW_ARGUMENT_MANY},
	{"base", SNW_ARGUMENT_TEXT, "auto",
	 "try every available base below a corrective: blends and layers that need no fit; measure each at held-out examples, and "
	 "keep the best",
	 .not_with = "keep-as|seconds|instead"},
	{"instead", SNW_ARGUMENT_SWITCH, NULL,
	 "in place of the layers that have learned from the sculpts: they are muted, and the fit lies on what they lie on",
	 .not_with = "keep-as|seconds"},
	{"layer", SNW_ARGUMENT_TEXT, "NAME", "name of the layer and model (default: the method's)", .flags = 0},
	{"keep-as", SNW_ARGUMENT_TEXT, "NAME",
	 "if the project changes meanwhile in what the fit reads, keep the fit as a muted layer of this name", .flags = 0},
	SNW_FIT_LIMIT_ARGUMENTS,
	{0},
};

/* ---- the request --------------------------------------------------------------------------------------------------------- */

static snw_status refuse_other_traits(const snw_descriptor *descriptor, snw_error *error) {
	const bool makes_skeleton = descriptor->traits & SNW_MAKES_SKELETON;
	return descriptor->traits & (SNW_MAKES_SKELETON | SNW_MAKES_WEIGHTS)
			   ? snw_fail(error, SNW_ERROR_UNSUPPORTED, "%s makes %s, not a layer; run 'sinew %s P.sinew --method %s'",
						  descriptor->short_name, makes_skeleton ? "a skeleton" : "skin weights",
						  makes_skeleton ? "skeleton" : "bind", descriptor->short_name)
			   : SNW_OK;
}

static snw_status read_fit_request(const snw_operation *o, snw_fit_request *request, snw_error *error) {
	const snw_deformer *deformer;
	*request = (snw_fit_request){.layer = snw_operation_text(o, "layer"), .left_out_example = SNW_NONE};
	snw_status status = snw_operation_method(o, "method", &deformer, error);
	status = snw_failed(status) ? status : refuse_other_traits(deformer->descriptor, error);
	if (snw_failed(status)) {
		return status;
	}
	request->method = deformer->descriptor->short_name;
	status = snw_operation_samples(o, request->layer ? request->layer : request->method, &request->samples, error);
	return snw_failed(status) ? status : snw_operation_fit_settings(o, deformer->descriptor, request, error);
}

/* ---- bases --------------------------------------------------------------------------------------------------------------- */

static snw_status check_base(const snw_operation *o, snw_error *error) {
	if (strcmp(snw_operation_text(o, "base"), "auto") != 0) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"--base %s: expected auto; 'sinew stack' puts a base of your choice in place",
						snw_operation_text(o, "base"));
	}
	return SNW_OK;
}

/* Measures the available bases, and takes the best. */
static snw_status choose_base(snw_operation *o, const snw_fit_request *request, snw_error *error) {
	snw_bases *bases = SNW_NEW(o->arena, snw_bases);
	snw_status status = check_base(o, error);
	status = snw_failed(status) ? status
								: snw_bases_measure(o->scene, o->in->registry, request, o->in->task, o->arena, bases, error);
	if (!snw_failed(status)) {
		o->work->bases = bases;
		o->work->base = &bases->list[bases->best];
	}
	return status;
}

static snw_status put_base(snw_project *project, const snw_scene *scene, const snw_base *base, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < base->layer_count && !snw_failed(status); i++) {
		const snw_layer *layer = &base->layers[i];
		const int64_t model = layer->model == SNW_NONE ? 0 : scene->models[layer->model].id;
		status = snw_project_put_layer(project, layer, model, (int32_t)i, NULL, error);
	}
	return status;
}

/* The layers of the project without those that have learned from the sculpts. */
static void stand_instead(snw_operation *o, const snw_fit_request *request) {
	const snw_deformer *deformer = snw_registry_find(o->in->registry, request->method);
	uint32_t its_layer;
	snw_base *base = SNW_NEW(o->arena, snw_base);
	*base = (snw_base){.name = "instead",
					   .layer_count = o->scene->layer_count,
					   .layers = snw_layers_before_sculpts(o->scene, o->in->registry, deformer, o->arena, &its_layer)};
	o->work->base = base;
}

/* A copy of the project with the base in place. */
static snw_status copy_with_base(const snw_operation *o, const char *copy, snw_error *error) {
	snw_project *project = NULL;
	snw_status status = snw_project_copy(o->in->path, copy, error);
	status = snw_failed(status) ? status : snw_project_open(copy, false, &project, error);
	status = snw_failed(status) ? status : snw_project_begin(project, o->work->base->name, error);
	status = snw_failed(status) ? status : put_base(project, o->scene, o->work->base, error);
	status = snw_failed(status) ? status : snw_project_commit(project, error);
	snw_project_close(project);
	return status;
}

/* Fits on such a copy beside the project, which is not changed. */
static snw_status fit_over_base(snw_operation *o, const snw_fit_request *request, snw_error *error) {
	snw_file_write *file = NULL;
	snw_status status = snw_file_write_begin(o->in->path, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	const char *copy = snw_file_write_path(file);
	status = copy_with_base(o, copy, error);
	status = snw_failed(status) ? status : snw_operation_fit(o, copy, request, error);
	snw_error_rename(error, copy, o->in->path);
	snw_file_write_abandon(file);
	return status;
}

/* ---- the outcome --------------------------------------------------------------------------------------------------------- */

static snw_status put_over_base(const snw_operation *o, snw_error *error) {
	snw_scene *present = NULL;
	snw_status status = put_base(o->project, o->scene, o->work->base, error);
	status = snw_failed(status) ? status : snw_project_scene(o->project, &present, error);
	status = snw_failed(status) ? status : snw_project_put_fit(o->project, present, o->work->outcome, error);
	snw_scene_destroy(present);
	return status;
}

/* Where the project has changed in what the fit has read, with --keep-as as a muted layer, without its proposals. */
static snw_status put_fit(const snw_operation *o, snw_error *error) {
	snw_fit_outcome *outcome = o->work->outcome;
	const char *name = snw_operation_text(o, "keep-as");
	const snw_registry *registry = o->in->shows_stale ? NULL : o->in->registry;
	const snw_status status = snw_project_put_outcome(o->project, registry, NULL, outcome, error);
	if (status != SNW_ERROR_CONFLICT || !name) {
		return status;
	}
	snw_report_warn(o->report, "%s", error->text);
	*error = (snw_error){0};
	*outcome = (snw_fit_outcome){.arena = outcome->arena,
								 .model = outcome->model,
								 .layer = outcome->layer,
								 .status = outcome->status,
								 .caveat = outcome->caveat,
								 .seconds = outcome->seconds};
	outcome->layer.name = outcome->model.name = name;
	outcome->layer.muted = true;
	return snw_project_put_outcome(o->project, NULL, NULL, outcome, error);
}

/* Where the user does not see it. A bake that reads the layer has muted it. */
static void warn_muted(const snw_operation *o, const snw_layer *layer) {
	snw_scene below;
	snw_scene_below_bake(o->scene, o->arena, &below);
	const uint32_t index = snw_scene_find_layer(&below, layer->name);
	const char *path = o->in->name;
	if (o->in->shows_stale) {
		return;
	}
	if (layer->muted && index != SNW_NONE && !below.layers[index].muted) {
		snw_report_warn(o->report, "layer %s lies below a bake; 'sinew bake %s' bakes it again", layer->name, path);
	} else if (layer->muted) {
		snw_report_warn(o->report, "layer %s is muted; 'sinew stack %s unmute %s' unmutes it", layer->name, path, layer->name);
	}
}

static void report_outcome(const snw_operation *o) {
	const snw_fit_outcome *outcome = o->work->outcome;
	const char *layer = outcome->layer.name;
	if (outcome->status > 0) {
		snw_report_warn(o->report, "the fit %s%s%s", snw_status_words(outcome->status), outcome->caveat ? ": " : "",
						outcome->caveat ? outcome->caveat : "");
	}
	warn_muted(o, &outcome->layer);
	snw_report_made(o->report, SNW_NOUN_LAYER, layer);
	snw_report_say(o->report, "fitted %s in %.3f s; the model has %zu bytes", layer, outcome->seconds,
				   outcome->model.byte_count);
	if (outcome->replaces) {
		snw_report_changed(o->report, SNW_NOUN_LAYER, outcome->replaces);
		snw_report_say(o->report, "%s replaces %s, which is now muted; undo takes that back", layer, outcome->replaces);
	}
	snw_report_text(o->report, "layer", layer);
	snw_report_number(o->report, "seconds", outcome->seconds);
	snw_report_number(o->report, "model_bytes", (double)outcome->model.byte_count);
	snw_report_text(o->report, "status", snw_status_words(outcome->status));
}

static snw_status write_fit(snw_operation *o, snw_error *error) {
	const snw_status status = o->work->base ? put_over_base(o, error) : put_fit(o, error);
	if (!snw_failed(status)) {
		report_outcome(o);
	}
	return status;
}

static snw_status fit(snw_operation *o, snw_error *error) {
	snw_fit_request request;
	snw_status status = read_fit_request(o, &request, error);
	if (!snw_failed(status) && snw_operation_has(o, "instead")) {
		stand_instead(o, &request);
	} else if (!snw_failed(status) && snw_operation_has(o, "base")) {
		status = choose_base(o, &request, error);
	}
	if (!snw_failed(status)) {
		status = o->work->base ? fit_over_base(o, &request, error) : snw_operation_fit(o, o->in->path, &request, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	o->work->write = write_fit;
	o->work->is_beside = !o->work->base;
	o->work->label = snw_arena_format(o->arena, "fit %s%s", o->work->outcome->layer.name, o->work->bases ? " --base auto" : "");
	return SNW_OK;
}

static const snw_operator fit_operators[] = {
	{"", "Fit", "Fits a method to the project's examples, targets and sequences.", "fit",
	 SNW_OPERATOR_LONG | SNW_OPERATOR_PLUGINS | SNW_OPERATOR_REFITS, fit_arguments, fit},
	{0},
};

const snw_operator_noun snw_operators_fit = {
	"fit", "Fits a method to the project's examples, targets and sequences, and shows the error before and after.",
	fit_operators};
