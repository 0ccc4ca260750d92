/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew do: runs a script of operators in one process.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/command_line/verb.h"
#include "file/file.h"
#include "operators/operator.h"

/* ---- do ------------------------------------------------------------------------------------------------------------------ */

static snw_status read_standard_input(snw_arena *arena, const char **text, snw_error *error) {
	char *bytes = NULL;
	size_t count = 0;
	const ssize_t length = getdelim(&bytes, &count, '\0', stdin);
	*text = snw_arena_text(arena, length > 0 ? bytes : "");
	free(bytes);
	return ferror(stdin) ? snw_fail(error, SNW_ERROR_IO, "standard input could not be read") : SNW_OK;
}

static snw_status read_script(const snw_call *call, bool as_one, snw_operator_script *script, snw_error *error) {
	const char *path = call->argument_count > 1 ? call->arguments[1] : NULL, *text = NULL;
	snw_status status;
	if (path) {
		snw_bytes bytes = {0};
		status = snw_file_read(path, call->arena, &bytes, error);
		text = snw_failed(status) ? NULL : snw_arena_format(call->arena, "%.*s", (int)bytes.count, (const char *)bytes.data);
	} else {
		status = read_standard_input(call->arena, &text, error);
	}
	return snw_failed(status) ? status
							  : snw_operator_script_read(text, as_one ? SNW_SCRIPT_AS_ONE : 0, call->arena, script, error);
}

static snw_status move_in_history(const snw_call *call, const snw_opened *opened, snw_script_step step, snw_error *error) {
	const char *label = "the present state";
	const snw_status status = step == SNW_SCRIPT_UNDO   ? snw_project_undo(opened->project, &label, error)
							  : step == SNW_SCRIPT_REDO ? snw_project_redo(opened->project, &label, error)
														: snw_project_checkpoint(opened->project, error);
	static const char *const words[] = {
		[SNW_SCRIPT_UNDO] = "undone", [SNW_SCRIPT_REDO] = "redone", [SNW_SCRIPT_SAVE] = "saved"};
	if (!snw_failed(status)) {
		snw_say(call, "%s: %s", words[step], label);
		snw_answer_text(call->answer, words[step], label);
	}
	return status;
}

/* The answers are an object a line of the script. */
static snw_status run_line(snw_call *call, snw_opened *opened, const snw_script_line *line, const char *step,
						   snw_error *error) {
	snw_operator_work *work;
	snw_call answering = *call;
	answering.quiet = call->quiet || step; /* a later line may take it back */
	answering.answer = snw_answer_row(cJSON_GetObjectItem(call->answer, "lines"));
	snw_answer_number(answering.answer, "line", line->number);
	if (line->step != SNW_SCRIPT_OPERATOR) {
		return move_in_history(&answering, opened, line->step, error);
	}
	const snw_status status = snw_operate_on(&answering, opened, &line->call, step, &work, error);
	call->stopped_early = answering.stopped_early;
	return status;
}

/* The scene as the line before has left it. */
static snw_status read_again(const snw_call *call, snw_opened *opened, snw_error *error) {
	snw_scene_destroy(opened->scene);
	opened->scene = NULL;
	return snw_project_read_scene(opened->project, &call->task, &opened->scene, error);
}

/* A line that was stopped early with a result is the last one. */
static snw_status run_lines(snw_call *call, snw_opened *opened, const snw_operator_script *script, const char *step,
							snw_error *error) {
	snw_status status = SNW_OK;
	(void)snw_answer_list(call->answer, "lines");
	for (uint32_t i = 0; i < script->count && !snw_failed(status) && !call->stopped_early; i++) {
		snw_error fault = {0};
		status = i > 0 ? read_again(call, opened, &fault) : SNW_OK;
		status = snw_failed(status) ? status : run_line(call, opened, &script->lines[i], step, &fault);
		if (snw_failed(status)) {
			return snw_fail(error, status, "line %u: %s", script->lines[i].number,
							fault.text[0] ? fault.text : snw_status_words(status));
		}
	}
	return status;
}

/* What the lines before the failing one have made is gone. */
static void keep_last_answer(cJSON *lines) {
	while (cJSON_GetArraySize(lines) > 1) {
		cJSON_DeleteItemFromArray(lines, 0);
	}
}

static snw_status run_do(snw_call *call, snw_error *error) {
	const bool as_one = snw_call_option(call, "--as-one") != NULL;
	const char *name = call->argument_count > 1 ? snw_path_name(call->arguments[1]) : "a script";
	snw_operator_script script = {0};
	snw_opened opened;
	snw_status status = read_script(call, as_one, &script, error);
	if (snw_failed(status) && script.count > 0) {
		cJSON *refused = snw_answer_row(snw_answer_list(call->answer, "lines"));
		snw_answer_number(refused, "line", script.lines[script.count - 1].number);
	}
	status = snw_failed(status)
				 ? status
				 : snw_open_project(call->arguments[0], SNW_OPEN_WRITE | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	status = run_lines(call, &opened, &script, as_one ? snw_arena_format(call->arena, "do %s", name) : NULL, error);
	if (as_one && !snw_failed(status)) {
		snw_say(call, "%u operator%s in one step", script.count, snw_plural(script.count));
	} else if (as_one && !snw_failed(snw_project_take_back(opened.project, NULL))) {
		const snw_error reason = *error;
		keep_last_answer(cJSON_GetObjectItem(call->answer, "lines"));
		(void)snw_fail(error, status, "%.900s; nothing was changed", reason.text);
	}
	snw_opened_close(&opened);
	return status;
}

static const snw_option do_options[] = {
	{"--as-one", NULL, "make all lines one step of the history; if one fails, nothing is changed"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_do = {
	.name = "do",
	.part = SNW_VERB_RECORDS,
	.usage = "P.sinew [SCRIPT]",
	.help = "Runs operators, one a line, from a file or standard input: weights prune --influences 4.",
	.actions = "",
	.answers_lines = true,
	.least_arguments = 1,
	.most_arguments = 2,
	.options = do_options,
	.run = run_do,
};

/* ---- history ------------------------------------------------------------------------------------------------------------- */

/* sinew undo, redo and history: the project's journal. */

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
	.part = SNW_VERB_RECORDS,
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
	.part = SNW_VERB_RECORDS,
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
	.part = SNW_VERB_RECORDS,
	.usage = "P.sinew [--save] [--forget]",
	.help = "Lists every change to a project.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = history_options,
	.run = run_history,
};
