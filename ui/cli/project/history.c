/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew undo, redo and history: the project's journal.
 */
#include "cli/command_line/open_project.h"
#include "cli/command_line/verb.h"

typedef snw_status step_function(snw_project *project, const char **label, snw_error *error);

static snw_status step(const snw_call *call, step_function *take, const char *done, snw_error *error) {
	snw_project *project = NULL;
	const char *label = NULL;
	snw_status status = snw_project_open(call->arguments[0], false, &project, error);
	if (!snw_failed(status)) {
		status = take(project, &label, error);
	}
	if (!snw_failed(status)) {
		snw_say(call, "%s: %s", done, label);
		snw_answer_text(call->answer, "label", label);
	}
	snw_project_close(project);
	return status;
}

static snw_status run_undo(snw_call *call, snw_error *error) {
	return step(call, snw_project_undo, "undone", error);
}

static snw_status run_redo(snw_call *call, snw_error *error) {
	return step(call, snw_project_redo, "redone", error);
}

static void list_entries(const snw_call *call, const snw_history_entry *entries, uint32_t count) {
	cJSON *list = snw_answer_list(call->answer, "history");
	for (uint32_t i = 0; i < count; i++) {
		snw_say(call, "%5lld  %s  %s%s%s", (long long)entries[i].id, entries[i].time, entries[i].label,
				entries[i].undone ? "  (undone)" : "", entries[i].checkpoint ? "  (saved)" : "");
		cJSON *row = snw_answer_row(list);
		snw_answer_number(row, "id", (double)entries[i].id);
		snw_answer_text(row, "label", entries[i].label);
		snw_answer_text(row, "time", entries[i].time);
		snw_answer_bool(row, "undone", entries[i].undone);
		snw_answer_bool(row, "checkpoint", entries[i].checkpoint);
	}
}

static snw_status run_history(snw_call *call, snw_error *error) {
	snw_project *project = NULL;
	const bool save = snw_call_option(call, "--save") != NULL, forget = snw_call_option(call, "--forget") != NULL;
	snw_history_entry *entries = NULL;
	uint32_t count = 0;
	snw_status status = save || forget ? snw_project_open(call->arguments[0], false, &project, error)
									   : snw_project_open_outline(call->arguments[0], &project, error);
	if (!snw_failed(status) && save) {
		status = snw_project_checkpoint(project, error);
	}
	if (!snw_failed(status) && forget) {
		status = snw_project_forget(project, error);
	}
	if (!snw_failed(status)) {
		status = snw_project_history(project, call->arena, &entries, &count, error);
	}
	if (!snw_failed(status)) {
		list_entries(call, entries, count);
	}
	snw_project_close(project);
	return status;
}

static const snw_option no_options[] = {{NULL, NULL, NULL}};
static const snw_option history_options[] = {
	{"--save", NULL, "mark the current state as a checkpoint"},
	{"--forget", NULL, "drop the undo history and shrink the file"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_undo = {
	.name = "undo",
	.usage = "P.sinew",
	.help = "Undoes the last change.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = no_options,
	.run = run_undo,
};

const snw_verb snw_verb_redo = {
	.name = "redo",
	.usage = "P.sinew",
	.help = "Redoes the last change that was undone.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = no_options,
	.run = run_redo,
};

const snw_verb snw_verb_history = {
	.name = "history",
	.usage = "P.sinew [--save] [--forget]",
	.help = "Lists every change to a project.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = history_options,
	.run = run_history,
};
