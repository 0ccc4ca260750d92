/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Verbs on the stack: its errors as the papers measure them, on data that was used for the fit and on data that was held out;
 * its layers, and what fits say.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/command_line/verb.h"
#include "cli/stack/tables.h"
#include "example/groups.h"
#include "fit/samples.h"
#include "fit/stale.h"
#include "measure/measure.h"
#include "operators/arguments.h"
#include "pose/clip.h"
#include "stack/stack.h"

/* ---- measure ------------------------------------------------------------------------------------------------------------- */

/* The layer whose examples are left out: the named one, or the topmost fitted one. */
static snw_status find_learned(const snw_opened *opened, const char *method, const char **layer, snw_error *error) {
	const snw_scene *scene = opened->scene;
	for (uint32_t i = scene->layer_count; i-- > 0;) {
		const snw_layer *candidate = &scene->layers[i];
		const snw_deformer *deformer = snw_registry_find(opened->registry, candidate->deformer);
		const bool named = !method || strcmp(candidate->name, method) == 0 ||
						   (deformer && strcmp(deformer->descriptor->short_name, method) == 0);
		if (named && candidate->model != SNW_NONE) {
			*layer = candidate->name;
			return SNW_OK;
		}
	}
	return snw_fail(error, SNW_ERROR_MISSING, "--leave-one-out: %s; fit one first",
					method ? "no fitted layer of that name" : "no layer is fitted");
}

/* What is left out: the poses of a set that --clip names or, without examples, of the only one; else SNW_NONE, examples. */
static snw_status find_set(const snw_call *call, const snw_scene *scene, uint32_t *set, snw_error *error) {
	const char *clip = snw_call_option(call, "--clip");
	uint32_t count = 0;
	*set = SNW_NONE;
	for (uint32_t t = 0; t < scene->target_count; t++) {
		const snw_target *target = &scene->targets[t];
		if (target->is_set && (clip ? strcmp(target->name, clip) == 0 : snw_scene_active_example_count(scene) == 0)) {
			*set = t;
			count++;
		}
	}
	if (clip && count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "--clip %s: no set of poses of that name to leave poses out of", clip);
	}
	return count < 2
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_ARGUMENT, "%u sets of poses: name one with --clip to leave its poses out", count);
}

static void answer_left_out(const snw_call *call, cJSON *list, const char *kind, const char *name, const snw_measure *measure) {
	snw_say(call, "%s %10.4f %9.4f %9.4f", snw_padded(call, name, 28), measure->erms, measure->max_percent,
			measure->normals_degrees);
	cJSON *row = snw_answer_row(list);
	snw_answer_text(row, kind, name);
	snw_answer_number(row, "erms", measure->erms);
	snw_answer_number(row, "max_percent", measure->max_percent);
	snw_answer_number(row, "normals_degrees", measure->normals_degrees);
}

/* Root mean square, as over all of them together. */
static double mean_erms(uint32_t count, const snw_measure *measures) {
	double squares = 0;
	for (uint32_t i = 0; i < count; i++) {
		squares += measures[i].erms * measures[i].erms;
	}
	return sqrt(squares / count);
}

static void answer_poses(const snw_call *call, const snw_target *set, const char *layer, const snw_measure *measures) {
	cJSON *list = snw_answer_list(call->answer, "leave_one_out");
	snw_say(call, "%-28s %10s %9s %10s  (layer %s, fitted without the pose of '%s' and measured at it)", "left out", "erms",
			"max %", "normals °", layer, set->name);
	for (uint32_t i = 0; i < set->frame_count; i++) {
		answer_left_out(call, list, "pose", snw_arena_format(call->arena, "%u", i + 1), &measures[i]);
	}
	snw_say(call, "%s %10.4f", snw_padded(call, "all", 28), mean_erms(set->frame_count, measures));
}

static void answer_examples(const snw_call *call, const snw_scene *scene, const char *layer, const snw_measure *measures) {
	cJSON *list = snw_answer_list(call->answer, "leave_one_out");
	snw_say(call, "%-28s %10s %9s %10s  (layer %s, fitted without the example and measured at it)", "left out", "erms", "max %",
			"normals °", layer);
	for (uint32_t i = 0; i < scene->example_count; i++) {
		if (!scene->examples[i].muted) {
			answer_left_out(call, list, "example", scene->examples[i].name, &measures[i]);
		}
	}
}

static snw_status leave_one_out(const snw_call *call, const snw_opened *opened, snw_error *error) {
	const snw_scene *scene = opened->scene;
	const snw_task task = {.context = call->task.context, .progress = call->task.progress}; /* without the notices of fits */
	const char *layer = NULL;
	uint32_t set = SNW_NONE;
	snw_status status = find_learned(opened, snw_call_option(call, "--method"), &layer, error);
	status = snw_failed(status) ? status : find_set(call, scene, &set, error);
	if (snw_failed(status)) {
		return status;
	}
	const uint32_t count = set == SNW_NONE ? scene->example_count : scene->targets[set].frame_count;
	snw_measure *measures = SNW_NEW_ARRAY(call->arena, snw_measure, count + 1u);
	if (set == SNW_NONE) {
		status = snw_measure_leave_one_out(scene, opened->registry, layer, &task, measures, error);
	} else {
		status = snw_measure_leave_poses_out(scene, opened->registry, layer, set, &task, measures, error);
	}
	if (!snw_failed(status) && set == SNW_NONE) {
		answer_examples(call, scene, layer, measures);
	} else if (!snw_failed(status)) {
		answer_poses(call, &scene->targets[set], layer, measures);
	}
	return status;
}

static snw_status run_measure(snw_call *call, snw_error *error) {
	snw_opened opened;
	snw_status status = snw_open_project(call->arguments[0], SNW_OPEN_READ | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	const char *clip = snw_call_option(call, "--clip");
	const char *methods[] = {snw_call_option(call, "--method")};
	if (snw_call_option(call, "--leave-one-out")) {
		status = leave_one_out(call, &opened, error);
	} else if (clip && snw_scene_find_clip(opened.scene, clip) == SNW_NONE &&
			   snw_scene_find_target(opened.scene, clip) == SNW_NONE) {
		status = snw_fail(error, SNW_ERROR_MISSING, "--clip %s: no such clip or sequence; 'sinew info' lists them", clip);
	} else {
		snw_opened_warn_stale(call, &opened, methods[0]);
		status = snw_error_table_print(call, &opened, methods, 1, clip, error);
		status = snw_failed(status) ? status : snw_contact_made_print(call, &opened, methods[0], error);
	}
	snw_opened_close(&opened);
	return status;
}

static const snw_option measure_options[] = {
	{"--method", "METHOD", "which method or layer to compare with linear blend (default: the whole stack)"},
	{"--clip", "NAME", "only against the target of this clip, or against this sequence"},
	{"--region", "MASK", "only where a mask is at least half: x+, x- (y, z), joints:A,B or field:NAME; may be repeated"},
	{"--leave-one-out", NULL, "leave out each example in turn, or each pose of a set (--clip), fit, and measure at it"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_measure = {
	.name = "measure",
	.part = SNW_VERB_FITS,
	.usage = "P.sinew [--method METHOD] [--clip NAME] [--region MASK]… [--leave-one-out]",
	.help = "Measures errors against the examples, targets and sequences.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = measure_options,
	.run = run_measure,
};

/* ---- error table --------------------------------------------------------------------------------------------------------- */

/* Padded to a number of columns; a dash, of three bytes, for an unknown value. */
static const char *error_number(const snw_call *call, double value, int columns) {
	return isfinite(value) ? snw_arena_format(call->arena, "%*.4f", columns, value)
						   : snw_arena_format(call->arena, "%*s", columns + 2, "–");
}

/* What is measured: which methods, and where. */
typedef struct error_table {
	const snw_call *call;
	const snw_opened *opened;
	cJSON *list;
	const char *const *methods;
	uint32_t method_count;
	const char *clip;
	const char *region_name; /* NULL: everywhere */
	const double *region;
	bool has_spill; /* some examples leave points unedited */
	uint32_t measured;
} error_table;

/* Where the largest error is: a point, and the frame or, of examples, the sculpt. */
static const char *largest_place(const error_table *table, uint32_t mesh, uint32_t target, const snw_measure *m) {
	const snw_scene *scene = table->opened->scene;
	if (!isfinite(m->max_percent)) {
		return "";
	}
	uint32_t left = m->max_frame;
	for (uint32_t i = 0; target == SNW_NONE && i < scene->example_count; i++) {
		if (scene->examples[i].mesh == mesh && !scene->examples[i].muted && left-- == 0) {
			return snw_arena_format(table->call->arena, "  point %u, %s", m->max_point, scene->examples[i].name);
		}
	}
	return snw_arena_format(table->call->arena, "  point %u, frame %u", m->max_point, m->max_frame);
}

static snw_status print_row(error_table *table, const char *against, uint32_t mesh, uint32_t target, const char *method,
							snw_error *error) {
	const snw_call *call = table->call;
	const snw_measure_request request = {.mesh = mesh, .target = target, .method = method, .region = table->region};
	snw_measure m;
	const snw_status status = snw_measure_run(table->opened->scene, table->opened->registry, &request, &call->task, &m, error);
	if (snw_failed(status)) {
		return status;
	}
	const char *name = method ? method : "stack";
	const bool is_held_out = target != SNW_NONE && snw_samples_hold_out(table->opened->scene, table->opened->registry,
																		&table->opened->scene->targets[target]);
	const char *where = largest_place(table, mesh, target, &m);
	const char *spill = table->has_spill ? snw_arena_format(call->arena, " %s %s", error_number(call, m.spill_mm, 9),
															error_number(call, m.spill_max_mm, 9))
										 : "";
	snw_say(call, "%s %s %s %s %s %s %s%s%s%s", snw_padded(call, against, 28), snw_padded(call, name, 18),
			error_number(call, m.erms, 10), error_number(call, m.distortion_percent, 12),
			error_number(call, m.enveloping_error, 10), error_number(call, m.max_percent, 9),
			error_number(call, m.normals_degrees, 9), spill, where, is_held_out ? ", held out" : "");
	cJSON *row = snw_answer_row(table->list);
	snw_answer_text(row, "against", against);
	snw_answer_text(row, "mesh", table->opened->scene->meshes[mesh].name);
	snw_answer_text(row, "method", name);
	snw_answer_text(row, "region", table->region_name);
	snw_answer_bool(row, "held_out", is_held_out);
	snw_answer_number(row, "points", m.point_count);
	snw_answer_number(row, "frames", m.frame_count);
	snw_answer_number(row, "erms", m.erms);
	snw_answer_number(row, "distortion_percent", m.distortion_percent);
	snw_answer_number(row, "enveloping_error", m.enveloping_error);
	snw_answer_number(row, "max_percent", m.max_percent);
	snw_answer_number(row, "max_point", m.max_point);
	snw_answer_number(row, "max_frame", m.max_frame);
	snw_answer_number(row, "spill_mm", m.spill_mm);
	snw_answer_number(row, "spill_max_mm", m.spill_max_mm);
	snw_answer_number(row, "normals_degrees", m.normals_degrees);
	snw_answer_number(row, "normals_max_degrees", m.normals_max_degrees);
	return SNW_OK;
}

/* All methods against one set of frames. */
static snw_status print_methods(error_table *table, const char *against, uint32_t mesh, uint32_t target, snw_error *error) {
	if (!table->measured++) {
		snw_say(table->call, "%-28s %-18s %10s %12s %10s %9s %10s%s  max at", "against", "method", "erms", "distortion %",
				"enveloping", "max %", "normals °", table->has_spill ? "  spill mm   at most" : "");
	}
	const char *label = table->region ? snw_arena_format(table->call->arena, "%s in %s", against, table->region_name) : against;
	snw_status status = SNW_OK;
	const char *baseline = snw_registry_trait_name(table->opened->registry, SNW_BASELINE);
	if (baseline && table->opened->scene->meshes[mesh].influence_offsets) {
		status = print_row(table, label, mesh, target, baseline, error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < table->method_count; i++) {
		if (!table->methods[i] || !baseline || strcmp(table->methods[i], baseline) != 0) {
			status = print_row(table, label, mesh, target, table->methods[i], error);
		}
	}
	return status;
}

static bool has_examples(const snw_scene *scene, uint32_t mesh) {
	for (uint32_t i = 0; i < scene->example_count; i++) {
		if (scene->examples[i].mesh == mesh && !scene->examples[i].muted) {
			return true;
		}
	}
	return false;
}

static bool ends_with(const char *text, const char *end) {
	const size_t length = strlen(text), count = strlen(end);
	return count <= length && strcmp(text + length - count, end) == 0;
}

/* One mesh against its examples and targets. */
static snw_status print_mesh_errors(error_table *table, uint32_t mesh, snw_error *error) {
	const snw_scene *scene = table->opened->scene;
	const char *suffix = scene->mesh_count > 1 ? snw_arena_format(table->call->arena, " of %s", scene->meshes[mesh].name) : "";
	snw_status status = SNW_OK;
	if (!table->clip && has_examples(scene, mesh)) {
		status = print_methods(table, snw_arena_format(table->call->arena, "examples%s", suffix), mesh, SNW_NONE, error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < scene->target_count; i++) {
		const snw_target *target = &scene->targets[i];
		const uint32_t clip = snw_target_clip(scene, target);
		const char *owner = clip == SNW_NONE ? target->name : scene->clips[clip].name;
		if (target->mesh == mesh &&
			(!table->clip || strcmp(table->clip, owner) == 0 || strcmp(table->clip, target->name) == 0)) {
			const bool says_mesh = ends_with(target->name, suffix);
			status = print_methods(
				table, says_mesh ? target->name : snw_arena_format(table->call->arena, "%s%s", target->name, suffix), mesh, i,
				error);
		}
	}
	return status;
}

snw_status snw_error_table_print(const snw_call *call, const snw_opened *opened, const char *const *methods,
								 uint32_t method_count, const char *clip, snw_error *error) {
	error_table table = {.call = call,
						 .opened = opened,
						 .list = snw_answer_list(call->answer, "errors"),
						 .methods = methods,
						 .method_count = method_count,
						 .clip = clip};
	/* The rows of all meshes and targets ask for the same stacks. */
	snw_stack_owner *stacks = snw_stack_owner_create(opened->scene, opened->registry);
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < opened->scene->example_count; i++) {
		table.has_spill = table.has_spill || opened->scene->examples[i].edited;
	}
	for (uint32_t mesh = 0; !snw_failed(status) && mesh < opened->scene->mesh_count; mesh++) {
		table.region_name = snw_call_option_at(call, "--region", 0);
		for (int r = 0; !snw_failed(status) && (r == 0 || table.region_name);
			 table.region_name = snw_call_option_at(call, "--region", ++r)) {
			if (table.region_name) {
				status = snw_mask_values(opened->scene, mesh, table.region_name, call->arena, &table.region, error);
			}
			status = snw_failed(status) ? status : print_mesh_errors(&table, mesh, error);
		}
	}
	snw_stack_owner_destroy(stacks);
	if (!snw_failed(status) && !table.measured) {
		snw_task_notice(&call->task, SNW_LOG_INFO, "nothing to measure against; add an example or a target");
	}
	return status;
}

/* ---- the stack ----------------------------------------------------------------------------------------------------------- */

/* sinew stack: lists the layers, from the bottom up. Its operators change them. */

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

/* sinew fit: what it prints besides the report of its operator (operators/stack.c), such as the errors before and after. */

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

/* sinew skeleton and sinew bind: the errors, which they print besides the reports of their operators (operators/weights.c). */

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
