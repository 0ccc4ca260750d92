/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew plugin: begins a plug-in, builds one, lists them.
 */
#include "cli/developer/plugin.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

snw_status snw_cli_make_executable(const char *path, snw_error *error) {
	struct stat info;
	const bool is_done = stat(path, &info) == 0 && chmod(path, (info.st_mode & 0644) | (info.st_mode & 0444) >> 2) == 0;
	return is_done ? SNW_OK : snw_fail(error, SNW_ERROR_IO, "%s: its mode cannot be set: %s", path, strerror(errno));
}

const char *snw_cli_embedded(const char *name) {
	const snw_embedded_text *row = snw_embedded_texts;
	while (strcmp(row->name, name) != 0) {
		row++;
	}
	return row->text;
}

static snw_status print_reference(const snw_call *call) {
	const char *text = snw_cli_embedded("plugin-reference");
	snw_answer_text(call->answer, "reference", text);
	if (!call->json && !call->quiet) {
		fputs(text, stdout); /* with its tabs, which snw_say would clean */
	}
	return SNW_OK;
}

static snw_status run(snw_call *call, snw_error *error) {
	const char *action = call->arguments[0];
	if (strcmp(action, "new") == 0) {
		return snw_cli_plugin_new(call, error);
	}
	if (strcmp(action, "build") == 0) {
		return snw_cli_plugin_build(call, error);
	}
	const bool is_list = strcmp(action, "list") == 0;
	if (!is_list && strcmp(action, "reference") != 0) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "no such action '%s'; choose new, build, list or reference", action);
	}
	if (call->argument_count > 1) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "unexpected argument '%s'; usage: sinew plugin %s", call->arguments[1],
						action);
	}
	return is_list ? snw_cli_list_plugins(call, error) : print_reference(call);
}

static const snw_option options[] = {
	{"--kind", "KIND",
	 "new: the template: blend (weights of its own), corrective (learns from examples), black-box (moves points itself), "
	 "sequence (learns from a mesh animation)"},
	{"-o", "PATH", "new: the folder (default: NAME); build: a shared object to write instead of installing it"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_plugin = {
	.name = "plugin",
	.usage = "new NAME --kind blend|corrective|black-box|sequence [-o FOLDER] | build FILE.c… [-o FILE.so] | list | reference",
	.help = "Starts a plug-in from a template; compiles, validates and installs one; lists deformers; prints the reference of "
			"the headers.",
	.actions = "new|build|list|reference",
	.is_action_first = true,
	.least_arguments = 1,
	.most_arguments = 100,
	.runs_once = true,
	.options = options,
	.run = run,
};
