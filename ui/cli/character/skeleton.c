/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew skeleton: a skeleton for a mesh animation, with weights and poses, committed as one step.
 */
#include "cli/command_line/open_project.h"
#include "cli/command_line/settings.h"
#include "cli/command_line/verb.h"
#include "cli/command_line/worker_limits.h"
#include "cli/stack/error_table.h"
#include "edit/commit_fit.h"

/* The method that --method names, or the first that makes skeletons. */
static snw_status find_method(const snw_call *call, const snw_opened *opened, const snw_deformer **deformer, snw_error *error) {
	const char *name = snw_call_option(call, "--method");
	*deformer =
		name ? snw_registry_find(opened->registry, name) : snw_registry_find_trait(opened->registry, SNW_MAKES_SKELETON);
	if (!*deformer) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s; 'sinew plugins' lists the methods",
						name ? snw_arena_format(call->arena, "%s: no such method", name)
							 : "no method that makes a skeleton is loaded");
	}
	return (*deformer)->descriptor->traits & SNW_MAKES_SKELETON
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_ARGUMENT, "%s makes no skeleton; run 'sinew fit %s' to fit it", name, name);
}

static snw_status make(snw_call *call, const snw_opened *opened, snw_fit_outcome *outcome, snw_error *error) {
	const snw_deformer *deformer;
	snw_status status = find_method(call, opened, &deformer, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_fit_request request = {.method = deformer->descriptor->short_name,
							   .replaces_skeleton = snw_call_option(call, "--replace") != NULL,
							   .left_out_example = SNW_NONE};
	if (snw_call_option(call, "--bones") && snw_call_option(call, "--from")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "give --bones or --from, not both: a drawing has its bones");
	}
	snw_call_add_setting(call, "--bones", "bones");
	snw_call_add_setting(call, "--from", "drawing");
	status = snw_settings_parse(call, opened->scene, deformer->descriptor, 0, NULL, &request.setting_count, &request.settings,
								error);
	snw_worker_limits limits;
	status = snw_failed(status) ? status : snw_call_limits(call, &limits, error);
	if (!snw_failed(status)) {
		outcome->arena = call->arena;
		status = snw_worker_fit(opened->path, &request, &limits, &call->task, outcome, error);
	}
	return snw_failed(status) ? status
							  : snw_project_commit_fit(opened->project, opened->registry, outcome, "make a skeleton", error);
}

static void say(const snw_call *call, const snw_fit_outcome *outcome) {
	const uint32_t joints = outcome->proposals.skeleton.joint_count;
	snw_say(call, "a skeleton of %u joints in %.3f s; 'sinew undo' takes it back", joints, outcome->seconds);
	snw_answer_number(call->answer, "joints", joints);
	snw_answer_number(call->answer, "seconds", outcome->seconds);
	snw_answer_text(call->answer, "status", snw_status_words(outcome->status));
	cJSON *names = snw_answer_list(call->answer, "names");
	for (uint32_t j = 0; j < joints; j++) {
		cJSON *row = snw_answer_row(names);
		const uint32_t parent = outcome->proposals.skeleton.parents[j];
		snw_answer_text(row, "name", outcome->proposals.skeleton.names[j]);
		snw_answer_text(row, "parent", parent == SNW_NONE ? "" : outcome->proposals.skeleton.names[parent]);
	}
}

static snw_status run(snw_call *call, snw_error *error) {
	const char *path = call->arguments[0];
	snw_fit_outcome outcome = {0};
	snw_opened opened;
	snw_status status = snw_open_project(path, SNW_OPEN_WRITE | SNW_OPEN_LONG | SNW_OPEN_PLUGINS, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	status = make(call, &opened, &outcome, error);
	status = snw_failed(status) ? status : snw_opened_refit(call, &opened, error);
	snw_opened_close(&opened);
	status = snw_failed(status) ? status : snw_open_project(path, SNW_OPEN_READ | SNW_OPEN_PLUGINS, &opened, error);
	if (!snw_failed(status)) {
		say(call, &outcome);
		status = snw_error_table_print(call, &opened, NULL, 0, NULL, error);
		snw_opened_close(&opened);
	}
	return status;
}

static const snw_option options[] = {
	{"--bones", "N|auto", "how many bones, besides a root; auto finds the number"},
	{"--from", "FILE.tgf", "a drawing: which joints there are, and which bones between them"},
	{"--replace", NULL, "replace the existing skeleton"},
	{"--method", "METHOD", "which method makes it, where several can"},
	{"--set", "key=value", "a parameter of the method; may be repeated; 'sinew plugins' lists the parameters"},
	SNW_MEMORY_OPTION,
	SNW_SECONDS_OPTION,
	{"--in-process", NULL, "run without a worker process, for debuggers"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_skeleton = {
	.name = "skeleton",
	.usage = "P.sinew [--bones N|auto|--from FILE.tgf] [--replace]",
	.help = "Makes a skeleton for a mesh animation: joints, weights, and the poses of its frames as a clip.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = options,
	.run = run,
};
