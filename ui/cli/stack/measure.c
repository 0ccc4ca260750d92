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

static snw_status leave_one_out(const snw_call *call, const snw_opened *opened, snw_error *error) {
	const snw_scene *scene = opened->scene;
	const char *layer = NULL;
	snw_status status = find_learned(opened, snw_call_option(call, "--method"), &layer, error);
	snw_measure *measures = SNW_NEW_ARRAY(call->arena, snw_measure, scene->example_count + 1u);
	if (!snw_failed(status)) {
		const snw_task without_notices = {.context = call->task.context,
										  .progress = call->task.progress}; /* one for each fit */
		status = snw_measure_leave_one_out(scene, opened->registry, layer, &without_notices, measures, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	cJSON *list = snw_answer_list(call->answer, "leave_one_out");
	snw_say(call, "%-28s %10s %9s %10s  (layer %s, fitted without the example and measured at it)", "left out", "erms", "max %",
			"normals °", layer);
	for (uint32_t i = 0; i < scene->example_count; i++) {
		if (scene->examples[i].muted) {
			continue;
		}
		snw_say(call, "%s %10.4f %9.4f %9.4f", snw_padded(call, scene->examples[i].name, 28), measures[i].erms,
				measures[i].max_percent, measures[i].normals_degrees);
		cJSON *row = snw_answer_row(list);
		snw_answer_text(row, "example", scene->examples[i].name);
		snw_answer_number(row, "erms", measures[i].erms);
		snw_answer_number(row, "max_percent", measures[i].max_percent);
		snw_answer_number(row, "normals_degrees", measures[i].normals_degrees);
	}
	return SNW_OK;
}

static snw_status run(snw_call *call, snw_error *error) {
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

static const snw_option options[] = {
	{"--method", "METHOD", "which method or layer to compare with linear blend (default: the whole stack)"},
	{"--clip", "NAME", "only against the target of this clip, or against this sequence"},
	{"--region", "MASK", "only where a mask is at least half: x+, x- (y, z), joints:A,B or field:NAME; may be repeated"},
	{"--leave-one-out", NULL, "leave out each example in turn, fit, and measure at it"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_measure = {
	.name = "measure",
	.usage = "P.sinew [--method METHOD] [--clip NAME] [--region MASK]… [--leave-one-out]",
	.help = "Measures errors against the examples, targets and sequences.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = options,
	.run = run,
};
