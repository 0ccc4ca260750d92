/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew fit: learns a skin in the worker process, commits it as one step, and prints the errors before and after.
 */
#include "fit/fit.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "cli/command_line/open_project.h"
#include "cli/command_line/options/settings.h"
#include "cli/command_line/options/worker_limits.h"
#include "cli/command_line/output_path.h"
#include "cli/command_line/verb.h"
#include "cli/command_line/work_in_copy.h"
#include "cli/stack/error_table.h"
#include "edit/choose_base.h"
#include "edit/commit_fit.h"
#include "fit/baked_layers.h"
#include "fit/samples/samples.h"

/* The clips of --on and the frames of --frames, in the form that the fit takes; NULL if neither is given. What is not given is
 * as in the layer, which may not exist yet. */
static snw_status chosen_samples(const snw_call *call, const snw_scene *scene, const char *layer, const char **samples,
								 snw_error *error) {
	const uint32_t existing = snw_scene_find_layer(scene, layer);
	const char *before = existing == SNW_NONE ? NULL : scene->layers[existing].samples, *text, *names = NULL;
	for (int i = 0; (text = snw_call_option_at(call, "--on", i)); i++) {
		names = names ? snw_arena_format(call->arena, "%s,%s", names, text) : text;
	}
	*samples = NULL;
	if (names) {
		const bool is_all = strcmp(names, "all") == 0;
		*samples = snw_samples_with_names(before, is_all ? "" : snw_samples_parse(scene, names, call->arena), call->arena);
	}
	text = snw_call_option(call, "--frames");
	if (!text) {
		return SNW_OK;
	}
	snw_frame_choice choice;
	snw_error cause = {0};
	const snw_status status = snw_frame_choice_parse(text, &choice, &cause);
	if (snw_failed(status)) {
		return snw_fail(error, status, "--frames %s", cause.text);
	}
	const char *combined = snw_samples_with_frames(*samples ? *samples : before, choice, call->arena);
	*samples = combined ? combined : "";
	return SNW_OK;
}

/* As one command, if the data that the fit read is unchanged; otherwise, with --keep-as, as a muted layer. `base` may be
 * NULL. */
static snw_status commit(const snw_call *call, const snw_opened *opened, const snw_base *base, snw_fit_outcome *outcome,
						 snw_error *error) {
	const char *label = snw_arena_format(call->arena, "fit %s", call->arguments[0]), *name = snw_call_option(call, "--keep-as");
	if (base) {
		label = snw_arena_format(call->arena, "%s --base auto", label);
		return snw_project_commit_base(opened->project, opened->scene, base, outcome, label, error);
	}
	const snw_status status = snw_project_commit_fit(opened->project, opened->registry, outcome, label, error);
	if (status != SNW_ERROR_CONFLICT || !name) {
		return status;
	}
	snw_task_notice(&call->task, SNW_LOG_WARNING, "%s", error->text);
	outcome->layer.name = outcome->model.name = name;
	outcome->layer.muted = true;
	outcome->replaces = NULL;
	return snw_project_keep_fit(opened->project, outcome, error);
}

static snw_status check_base_options(const snw_call *call, snw_error *error) {
	const char *base = snw_call_option(call, "--base");
	if (strcmp(base, "auto") != 0) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"--base %s: expected auto; 'sinew stack' puts a base of your choice in place", base);
	}
	if (snw_call_option(call, "--keep-as")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"--keep-as cannot be combined with --base: the fit depends on the base; give one of them");
	}
	return snw_call_option(call, "--seconds")
			   ? snw_fail(error, SNW_ERROR_ARGUMENT,
						  "--seconds cannot be combined with --base, which first makes many fits; give one of them")
			   : SNW_OK;
}

static void print_bases(const snw_call *call, const snw_bases *bases) {
	cJSON *list = snw_answer_list(call->answer, "bases");
	snw_say(call, "%-40s %10s %9s  (the examples, each held out of its fit)", "base", "erms", "max %");
	for (uint32_t i = 0; i < bases->count; i++) {
		const snw_base *one = &bases->list[i];
		cJSON *row = snw_answer_row(list);
		snw_answer_text(row, "name", one->name);
		snw_answer_number(row, "erms", one->failure ? (double)NAN : one->erms);
		snw_answer_number(row, "max_percent", one->failure ? (double)NAN : one->max_percent);
		snw_answer_bool(row, "chosen", i == bases->best);
		if (one->failure) {
			snw_say(call, "%s %s", snw_padded(call, one->name, 40), one->failure);
		} else {
			snw_say(call, "%s %10.4f %9.4f%s", snw_padded(call, one->name, 40), one->erms, one->max_percent,
					i == bases->best ? "  chosen" : "");
		}
	}
}

/* --base auto: measures the available bases; *base is the best one. */
static snw_status choose_base(const snw_call *call, const snw_opened *opened, const snw_fit_request *request,
							  const snw_base **base, snw_error *error) {
	snw_bases bases;
	snw_status status = check_base_options(call, error);
	if (!snw_failed(status)) {
		status = snw_bases_measure(opened->scene, opened->registry, request, &call->task, call->arena, &bases, error);
	}
	if (!snw_failed(status)) {
		print_bases(call, &bases);
		*base = &bases.list[bases.best];
	}
	return status;
}

/* Fits in the worker, over `base` unless that is NULL, and commits. */
static snw_status fit_and_commit(snw_call *call, const snw_opened *opened, const snw_fit_request *request, const snw_base *base,
								 snw_fit_outcome *outcome, snw_error *error) {
	snw_worker_limits limits;
	outcome->arena = call->arena;
	snw_status status = snw_call_limits(call, &limits, error);
	if (!snw_failed(status)) {
		status =
			base ? snw_worker_fit_over_base(opened->path, opened->scene, base, request, &limits, &call->task, outcome, error)
				 : snw_worker_fit(opened->path, request, &limits, &call->task, outcome, error);
	}
	if (status > 0 && !snw_failed(status)) {
		call->stopped_early = snw_terminal_forget_stop() || outcome->was_stopped;
	}
	/* A model with a caveat is kept. */
	return snw_failed(status) ? status : commit(call, opened, base, outcome, error);
}

/* Commits the fit to the project at `path` as one command. */
static snw_status fit_project(snw_call *call, const char *path, void *context, snw_error *error) {
	snw_fit_outcome *outcome = context;
	const char *method = call->arguments[0];
	snw_opened opened;
	snw_status status = snw_open_project(path, SNW_OPEN_WRITE | SNW_OPEN_LONG | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_deformer *deformer = snw_registry_find(opened.registry, method);
	snw_fit_request request = {.method = method, .layer = snw_call_option(call, "--layer"), .left_out_example = SNW_NONE};
	if (!deformer) {
		status = snw_fail(error, SNW_ERROR_MISSING, "%s: no such method; 'sinew plugins' lists them", method);
	} else if (deformer->descriptor->traits & SNW_MAKES_SKELETON) {
		status = snw_fail(error, SNW_ERROR_UNSUPPORTED, "%s makes a skeleton, not a layer; run 'sinew skeleton %s --method %s'",
						  method, path, method);
	} else if (deformer->descriptor->traits & SNW_MAKES_WEIGHTS) {
		status = snw_fail(error, SNW_ERROR_UNSUPPORTED, "%s makes skin weights, not a layer; run 'sinew bind %s --method %s'",
						  method, path, method);
	} else {
		status = chosen_samples(call, opened.scene, request.layer ? request.layer : deformer->descriptor->short_name,
								&request.samples, error);
		status = snw_failed(status) ? status
									: snw_settings_parse(call, opened.scene, deformer->descriptor, &request.setting_count,
														 &request.settings, error);
	}
	const snw_base *base = NULL;
	if (!snw_failed(status) && snw_call_option(call, "--base")) {
		status = choose_base(call, &opened, &request, &base, error);
	}
	if (!snw_failed(status)) {
		status = fit_and_commit(call, &opened, &request, base, outcome, error);
	}
	if (!snw_failed(status)) {
		status = snw_opened_refit(call, &opened, error);
	}
	snw_opened_close(&opened);
	return status;
}

/* After fitting a corrective directly over the baseline: suggests methods that bind without a fit and could be placed below
 * it. */
static void suggest_base(const snw_call *call, const snw_opened *opened, const char *path, const snw_fit_outcome *outcome) {
	const snw_deformer *fitted = snw_registry_find(opened->registry, outcome->layer.deformer);
	uint32_t active = 0;
	for (uint32_t i = 0; i < opened->scene->layer_count; i++) {
		active += !opened->scene->layers[i].muted;
	}
	const char *names = "";
	for (uint32_t i = 0; i < snw_registry_count(opened->registry); i++) {
		const snw_deformer *deformer = snw_registry_get(opened->registry, i)->deformer;
		const uint32_t traits = deformer ? deformer->descriptor->traits : 0;
		if ((traits & SNW_BINDS) && !(traits & SNW_BASELINE)) {
			names = snw_arena_format(call->arena, "%s%s%s", names, *names ? ", " : "", deformer->descriptor->short_name);
		}
	}
	if (fitted && (fitted->descriptor->traits & SNW_CORRECTS) && active == 2 && *names) {
		snw_say(
			call,
			"hint: what lies below matters as much as the number of sculpts; 'sinew fit %s %s --base auto' tries %s below, and "
			"docs/real-data.md compares them",
			fitted->descriptor->short_name, path, names);
	}
}

/* A bake that reads the layer has muted it. */
static void warn_muted(const snw_call *call, const char *path, const snw_opened *opened, const snw_layer *layer) {
	snw_scene below;
	snw_scene_below_bake(opened->scene, call->arena, &below);
	const uint32_t index = snw_scene_find_layer(&below, layer->name);
	if (layer->muted && index != SNW_NONE && !below.layers[index].muted) {
		snw_task_notice(&call->task, SNW_LOG_WARNING, "layer %s lies below a bake; 'sinew bake %s' bakes it again", layer->name,
						path);
	} else if (layer->muted) {
		snw_task_notice(&call->task, SNW_LOG_WARNING, "layer %s is still muted; 'sinew stack %s unmute %s' unmutes it",
						layer->name, path, layer->name);
	}
}

/* Below a bake a layer is over those that the bake reads, which are muted. */
static snw_status print_errors(const snw_call *call, const snw_opened *opened, const char *layer, snw_error *error) {
	snw_scene below;
	snw_opened source = *opened;
	snw_scene_below_bake(opened->scene, call->arena, &below);
	source.scene = snw_scene_find_layer(&below, layer) == SNW_NONE ? opened->scene : &below;
	return snw_error_table_print(call, &source, &layer, 1, NULL, error);
}

static snw_status report(const snw_call *call, const char *path, const snw_fit_outcome *outcome, snw_error *error) {
	snw_opened opened;
	snw_status status = snw_open_project(path, SNW_OPEN_READ | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	if (outcome->status > 0) {
		snw_task_notice(&call->task, SNW_LOG_WARNING, "the fit %s%s%s", snw_status_words(outcome->status),
						outcome->caveat ? ": " : "", outcome->caveat ? outcome->caveat : "");
	}
	warn_muted(call, path, &opened, &outcome->layer);
	snw_say(call, "fitted %s in %.3f s; the model has %zu bytes", outcome->layer.name, outcome->seconds,
			outcome->model.byte_count);
	if (outcome->replaces) {
		snw_say(call, "it replaces %s, which is now muted; 'sinew undo' takes that back", outcome->replaces);
	}
	snw_answer_text(call->answer, "layer", outcome->layer.name);
	snw_answer_number(call->answer, "seconds", outcome->seconds);
	snw_answer_number(call->answer, "model_bytes", (double)outcome->model.byte_count);
	snw_answer_text(call->answer, "status", snw_status_words(outcome->status));
	status = print_errors(call, &opened, outcome->layer.name, error);
	if (!snw_failed(status)) {
		suggest_base(call, &opened, path, outcome);
	}
	snw_opened_close(&opened);
	return status;
}

static snw_status run(snw_call *call, snw_error *error) {
	const char *path = call->arguments[1], *out = snw_call_option(call, "-o");
	const bool copies = out && strcmp(out, path) != 0;
	snw_fit_outcome outcome = {0};
	snw_status status = copies ? snw_output_project(call, out, error) : SNW_OK;
	if (!snw_failed(status)) {
		status =
			copies ? snw_work_in_copy(call, path, out, fit_project, &outcome, error) : fit_project(call, path, &outcome, error);
	}
	return snw_failed(status) ? status : report(call, out ? out : path, &outcome, error);
}

static const snw_option options[] = {
	{"--set", "KEY=VALUE",
	 "a parameter of the method, or KEY@NAME=VALUE for one group or joint; may be repeated; 'sinew plugins' lists the "
	 "parameters"},
	{"--on", "CLIP,…",
	 "fit only to the targets and sequences of these clips, and hold out the others; 'examples' means the sculpts; "
	 "the layer keeps the choice for later fits; 'all' resets it"},
	{"--frames", "FRAMES",
	 "which frames of each clip to fit to: all, every:N (every N-th), or cover:N (the N that cover its poses best); the layer "
	 "keeps "
	 "the choice for later fits"},
	{"--layer", "NAME", "name of the layer and model (default: the method's)"},
	{"--keep-as", "NAME", "if the project changes meanwhile in what the fit reads, keep the fit as a muted layer of this name"},
	{"--base", "auto",
	 "try every available base below a corrective: blends and layers that need no fit; print the error of each at held-out "
	 "examples, and keep the best; without --keep-as and --seconds"},
	SNW_MEMORY_OPTION,
	{"--seconds", "N",
	 "stop after N seconds of work and keep the best so far, if the method has one (default: 3600); load from other programs "
	 "does not count"},
	{"-o", "OUT.sinew", "write another project and leave this one unchanged"},
	{"--replace", NULL, "with -o: overwrite a project even if it has changes"},
	{"--in-process", NULL, "run without a worker process, for debuggers"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_fit = {
	.name = "fit",
	.usage = "METHOD P.sinew [--on CLIP[,CLIP…]] [--frames FRAMES] [--set KEY=VALUE]… [--base auto] [-o OUT.sinew]",
	.help = "Fits a method to the project's examples, targets and sequences, and shows the error before and after.",
	.actions = "",
	.least_arguments = 2,
	.most_arguments = 2,
	.options = options,
	.run = run,
};
