/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew subdivide: a finer mesh, with the skin and everything else refined with it, as one step.
 */
#include "edit/subdivision/subdivide.h"

#include <string.h>

#include "base/plural.h"
#include "cli/command_line/open_project.h"
#include "cli/command_line/verb.h"

enum { MOST_LEVELS = 5 };

static snw_status parse(const snw_call *call, snw_subdivision_scheme *scheme, uint32_t *levels, snw_error *error) {
	const char *name = snw_call_option(call, "--scheme");
	double number = 1;
	if (name && strcmp(name, "catmull-clark") != 0 && strcmp(name, "loop") != 0) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--scheme %s: expected catmull-clark or loop", name);
	}
	*scheme = name && strcmp(name, "loop") == 0 ? SNW_LOOP : SNW_CATMULL_CLARK;
	const snw_status status = snw_call_number(call, "--levels", 1, MOST_LEVELS, 1, &number, error);
	*levels = (uint32_t)number;
	if (!snw_failed(status) && *levels != number) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--levels: expected a whole number");
	}
	return status;
}

static void report_error(const snw_call *call, const char *key, const snw_subdivision_error *measured) {
	cJSON *object = call->answer ? cJSON_AddObjectToObject(call->answer, key) : NULL;
	snw_answer_number(object, "erms", measured->erms);
	snw_answer_number(object, "max_percent", measured->max_percent);
	snw_answer_number(object, "poses", measured->pose_count);
}

/* `whole` may be NULL: it was not measured. */
static void report(const snw_call *call, const snw_subdivision_report *report, const snw_subdivision_error *whole) {
	snw_say(call, "%u points and %u faces, before %u and %u; 'sinew undo' takes it back", report->points, report->faces,
			report->points_before, report->faces_before);
	snw_say(call, "layer '%s' has the subdivided skin of '%s'", report->layer, report->base);
	if (whole) {
		snw_say(call,
				"against the subdivided results of the old stack, at %u pose%s: erms %.4f, at most %.4f %% of the diagonal",
				whole->pose_count, snw_plural(whole->pose_count), whole->erms, whole->max_percent);
	}
	snw_say(call, "linear blend with subdivided weights would have: erms %.4f, at most %.4f %% of the diagonal",
			report->naive.erms, report->naive.max_percent);
	snw_answer_number(call->answer, "points", report->points);
	snw_answer_number(call->answer, "faces", report->faces);
	snw_answer_text(call->answer, "base", report->base);
	snw_answer_text(call->answer, "layer", report->layer);
	if (whole) {
		report_error(call, "stack", whole);
	}
	report_error(call, "naive", &report->naive);
	cJSON *removed = snw_answer_list(call->answer, "removed");
	for (uint32_t i = 0; i < report->removed_count; i++) {
		snw_say(call, "layer '%s' is removed: its model is of the old mesh; fit it again", report->removed[i]);
		snw_answer_text(snw_answer_row(removed), "layer", report->removed[i]);
	}
	if (report->has_custom_normals) {
		snw_say(call, "custom normals and tangents are dropped: normals now follow from the faces");
	}
	snw_answer_bool(call->answer, "normals_dropped", report->has_custom_normals);
}

/* The project as it is now against `opened`, as it was. The change is made, so a failure or a cancel is a notice. */
static bool measure(const snw_call *call, const snw_opened *opened, const snw_subdivision_report *made,
					snw_subdivision_error *whole) {
	snw_opened after;
	snw_error reason = {0};
	snw_status status = snw_open_project(opened->path, SNW_OPEN_READ, &call->task, &after, &reason);
	if (!snw_failed(status)) {
		status = snw_subdivision_measure(opened->scene, after.scene, opened->registry, made->refinements, &call->task, whole,
										 &reason);
		snw_opened_close(&after);
	}
	if (snw_failed(status)) {
		snw_task_notice(&call->task, SNW_LOG_WARNING, "the change is made, but its error was not measured: %s", reason.text);
	}
	return !snw_failed(status);
}

static snw_status run(snw_call *call, snw_error *error) {
	snw_opened opened;
	snw_subdivision_scheme scheme = SNW_CATMULL_CLARK;
	uint32_t levels = 1;
	snw_subdivision_report made;
	snw_subdivision_error whole;
	snw_status status = parse(call, &scheme, &levels, error);
	status = snw_failed(status)
				 ? status
				 : snw_open_project(call->arguments[0], SNW_OPEN_WRITE | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	status = snw_project_subdivide(opened.project, opened.scene, opened.registry, scheme, levels, &call->task, call->arena,
								   &made, error);
	if (!snw_failed(status)) {
		status = snw_opened_refit(call, &opened, error);
		const bool is_measured = !snw_failed(status) && measure(call, &opened, &made, &whole);
		report(call, &made, is_measured ? &whole : NULL);
		snw_subdivision_report_free(&made, opened.scene->mesh_count);
	}
	snw_opened_close(&opened);
	return status;
}

static const snw_option options[] = {
	{"--scheme", "NAME", "catmull-clark for any faces (default), or loop for triangles"},
	{"--levels", "N", "how many times, 1 to 5 (default: 1); each level has four times the faces"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_subdivide = {
	.name = "subdivide",
	.usage = "P.sinew [--scheme catmull-clark|loop] [--levels N]",
	.help = "Subdivides the meshes, with their skin, sculpts, morphs, targets and fields.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = options,
	.run = run,
};
