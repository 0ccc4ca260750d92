/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew measure: errors as the papers measure them, on data that was used for the fit and on data that was held out.
 */
#include "measure/measure.h"

#include <math.h>
#include <string.h>

#include "cli/command_line/open_project.h"
#include "cli/command_line/verb.h"
#include "cli/stack/contact.h"
#include "cli/stack/error_table.h"

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
	.usage = "P.sinew [--method METHOD] [--clip NAME] [--region MASK]… [--leave-one-out]",
	.help = "Measures errors against the examples, targets and sequences.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = measure_options,
	.run = run_measure,
};
