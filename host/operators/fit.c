/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fits: a layer learns from the examples, targets and sequences of the project, in the worker process.
 */
#include "fit/fit.h"

#include <string.h>

#include "compare/compare.h"
#include "file/file.h"
#include "fit/stale.h"
#include "measure/measure.h"
#include "operators/arguments.h"

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

static void report_fit(const snw_operation *o) {
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
		report_fit(o);
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
