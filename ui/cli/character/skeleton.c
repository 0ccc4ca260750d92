/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew skeleton: a skeleton for a mesh animation, with weights and poses, committed as one step.
 */
#include "cli/command_line/options/settings.h"
#include "cli/command_line/options/worker_limits.h"
#include "cli/command_line/verb.h"
#include "cli/stack/propose.h"
#include "fit/commit.h"

static snw_status prepare(snw_call *call, const snw_opened *opened, const snw_descriptor *descriptor, snw_fit_request *request,
						  snw_error *error) {
	const bool has_number = snw_call_option(call, "--bones"), has_file = snw_call_option(call, "--from"),
			   from_joints = snw_call_option(call, "--from-joints");
	if (has_number + has_file + from_joints > 1) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"give one of --bones, --from and --from-joints, not two: a drawing has its bones");
	}
	if (from_joints && opened->scene->skeleton.joint_count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"the project has no joints; draw them with 'sinew joint add', or in the window");
	}
	request->replaces_skeleton = from_joints || snw_call_option(call, "--replace");
	request->follows_joints = from_joints;
	const snw_status status = snw_call_add_setting(call, "--bones", descriptor, SNW_ROLE_BONES, error);
	return snw_failed(status) ? status : snw_call_add_setting(call, "--from", descriptor, SNW_ROLE_DRAWING, error);
}

static snw_status commit(const snw_call *call, const snw_opened *opened, snw_fit_outcome *outcome, snw_error *error) {
	(void)call;
	return snw_project_commit_fit(opened->project, opened->registry, outcome, "make a skeleton", error);
}

static void print(const snw_call *call, const snw_scene *scene, const snw_fit_outcome *outcome) {
	(void)scene;
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
	static const snw_proposing_verb verb = {
		.trait = SNW_MAKES_SKELETON, .made = "skeleton", .prepare = prepare, .commit = commit, .print = print};
	return snw_propose(call, &verb, error);
}

static const snw_option options[] = {
	{"--bones", "N|auto", "how many bones, besides a root (default: auto, which finds the number)"},
	{"--from", "FILE.tgf", "a drawing: which joints there are, and which bones between them"},
	{"--from-joints", NULL, "the project's joints are the drawing; the skeleton takes their place"},
	{"--replace", NULL, "replace the existing skeleton"},
	{"--method", "METHOD", "which method makes it, where several can"},
	{"--set", "KEY=VALUE", "a parameter of the method; may be repeated; 'sinew plugins' lists the parameters"},
	SNW_MEMORY_OPTION,
	SNW_SECONDS_OPTION,
	{"--in-process", NULL, "run without a worker process, for debuggers"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_skeleton = {
	.name = "skeleton",
	.usage = "P.sinew [--bones N|auto|--from FILE.tgf|--from-joints] [--replace]",
	.help = "Makes a skeleton for a mesh animation: joints, weights, and the poses of its frames as a clip.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = options,
	.run = run,
};
