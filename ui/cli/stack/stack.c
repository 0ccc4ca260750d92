/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew stack: lists the layers, from the bottom up. Its operators change them.
 */
#include "cli/stack/tables.h"

#include <math.h>

#include "cli/command_line/verb.h"
#include "fit/stale.h"
#include "measure/measure.h"
#include "operators/arguments.h"
#include "stack/stack.h"

/* ---- stack --------------------------------------------------------------------------------------------------------------- */

/* Words about a layer whose plug-in is missing. */
static const char *missing_text(const snw_call *call, const snw_opened *opened, uint32_t index) {
	const uint32_t replaced = snw_replaced_blend(opened->scene, opened->registry, index);
	return replaced == SNW_NONE ? "  (its plug-in is missing; the layer is kept but does not run)"
								: snw_arena_format(call->arena,
												   "  (its plug-in is missing; the layer is kept but does not run, and '%s', "
												   "which it replaced, is muted: unmute it)",
												   opened->scene->layers[replaced].name);
}

static snw_status list_layers(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
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

static const snw_action stack_actions[] = {
	{"list", list_layers, SNW_OPEN_READ | SNW_OPEN_OUTLINE | SNW_OPEN_PLUGINS},
	{0},
};

static const snw_action_table stack_table = {.noun = SNW_NOUN_LAYER, .actions = stack_actions};

static const snw_option stack_options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_stack = {
	.name = "stack",
	.part = SNW_VERB_FITS,
	.table = &stack_table,
	.noun = &snw_operators_stack,
	.least_arguments = 1,
	.most_arguments = 2,
	.options = stack_options,
};

/* ---- fit ----------------------------------------------------------------------------------------------------------------- */

/* sinew fit: what it prints besides the report of its operator (operators/fit.c), such as the errors before and after. */

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

/* Below a bake a layer is over those that the bake reads, which are muted. */
static snw_status print_errors(const snw_call *call, const snw_opened *opened, const char *layer, snw_error *error) {
	snw_scene below;
	snw_opened source = *opened;
	snw_scene_below_bake(opened->scene, call->arena, &below);
	source.scene = snw_scene_find_layer(&below, layer) == SNW_NONE ? opened->scene : &below;
	return snw_error_table_print(call, &source, &layer, 1, NULL, error);
}

static snw_status show_fit(snw_call *call, const char *path, const snw_operator_work *work, snw_error *error) {
	snw_opened opened;
	if (work->bases) {
		print_bases(call, work->bases);
	}
	snw_status status = snw_open_project(path, SNW_OPEN_READ | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	status = print_errors(call, &opened, work->outcome->layer.name, error);
	if (!snw_failed(status)) {
		suggest_base(call, &opened, path, work->outcome);
	}
	snw_opened_close(&opened);
	return status;
}

static const snw_option fit_options[] = {
	{"-o", "OUT.sinew", "write another project and leave this one unchanged"},
	{"--replace", NULL, "with -o: overwrite a project even if it has changes"},
	{"--in-process", NULL, "run without a worker process, for debuggers"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_fit = {
	.name = "fit",
	.part = SNW_VERB_FITS,
	.noun = &snw_operators_fit,
	.project_place = 1,
	.show = show_fit,
	.options = fit_options,
};

/* ---- proposed ------------------------------------------------------------------------------------------------------------ */

/* sinew skeleton and sinew bind: the errors, which they print besides the reports of their operators (operators/skeleton.c). */

/* Where there is a ground truth. */
static snw_status show_proposed(snw_call *call, const char *path, const snw_operator_work *work, snw_error *error) {
	snw_opened opened;
	(void)work;
	snw_status status = snw_open_project(path, SNW_OPEN_READ | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	if (opened.scene->example_count + opened.scene->target_count > 0) {
		status = snw_error_table_print(call, &opened, NULL, 0, NULL, error);
	}
	snw_opened_close(&opened);
	return status;
}

static const snw_option proposed_options[] = {
	{"--in-process", NULL, "run without a worker process, for debuggers"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_skeleton = {.name = "skeleton",
									.part = SNW_VERB_MAKES,
									.noun = &snw_operators_skeleton,
									.show = show_proposed,
									.options = proposed_options};
const snw_verb snw_verb_bind = {
	.name = "bind", .part = SNW_VERB_MAKES, .noun = &snw_operators_bind, .show = show_proposed, .options = proposed_options};
