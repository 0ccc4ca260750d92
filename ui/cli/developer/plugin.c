/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew plugin: begins a plug-in, builds one, lists them.
 */
#include "cli/developer/plugin.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/command_line/embedded_texts.h"
#include "file/file.h"

snw_status snw_cli_make_executable(const char *path, snw_error *error) {
	struct stat info;
	const bool is_done = stat(path, &info) == 0 && chmod(path, (info.st_mode & 0644) | (info.st_mode & 0444) >> 2) == 0;
	return is_done ? SNW_OK : snw_fail(error, SNW_ERROR_IO, "%s: its mode cannot be set: %s", path, strerror(errno));
}

/* ---- a new plug-in ------------------------------------------------------------------------------------------------------- */

/* A folder with a plug-in that works, to be changed: its source, a test, a file for meson, the MIT License. */

/* What a kind begins with, and how its test uses it. */
typedef struct kind {
	const char *name, *sample, *verb, *words;
} kind;

static const kind plugin_kinds[] = {
	{"blend", "small-arm", "measure", "--method template-name"},
	{"corrective", "small-arm", "fit template-name", ""},
	{"black-box", "small-arm", "fit template-name", ""},
	{"sequence", "cloth", "fit template-name", ""},
};

static snw_status find_kind(const snw_call *call, const kind **found, snw_error *error) {
	const char *name = snw_call_option(call, "--kind");
	for (size_t i = 0; name && i < sizeof plugin_kinds / sizeof plugin_kinds[0]; i++) {
		if (strcmp(plugin_kinds[i].name, name) == 0) {
			*found = &plugin_kinds[i];
			return SNW_OK;
		}
	}
	return name ? snw_fail(error, SNW_ERROR_ARGUMENT, "%s: no such kind; choose blend, corrective, black-box or sequence", name)
				: snw_fail(error, SNW_ERROR_ARGUMENT,
						   "the template is missing; give --kind blend, corrective, black-box or sequence");
}

/* Lower case, words joined by '-', as the ABI wants short names; it is part of names of files too. */
static bool is_short_name(const char *name) {
	if (!islower((unsigned char)name[0]) || strlen(name) > 60 || name[strlen(name) - 1] == '-') {
		return false;
	}
	return name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0' && !strstr(name, "--");
}

/* "Heavy cloth" of "heavy-cloth". */
static const char *title_of(const char *name, snw_arena *arena) {
	char *title = snw_arena_text(arena, name);
	title[0] = (char)toupper((unsigned char)title[0]);
	for (char *at = strchr(title, '-'); at; at = strchr(at, '-')) {
		*at = ' ';
	}
	return title;
}

static const char *replace(const char *text, const char *from, const char *to, snw_arena *arena) {
	const char *at = strstr(text, from);
	const char *done = "";
	for (; at; text = at + strlen(from), at = strstr(text, from)) {
		done = snw_arena_format(arena, "%s%.*s%s", done, (int)(at - text), text, to);
	}
	return snw_arena_format(arena, "%s%s", done, text);
}

static snw_status write_file(const snw_call *call, const char *path, const char *template, const kind *of, const char *name,
							 bool is_program, snw_error *error) {
	snw_arena *arena = call->arena;
	const char *const replacements[][2] = {
		{"sinew template-verb \"$folder/sample.sinew\" template-words",
		 snw_arena_format(arena, "sinew %s \"$folder/sample.sinew\"%s%s", of->verb, of->words[0] ? " " : "", of->words)},
		{"template-sample", of->sample},
		{"template-name", name},
		{"Template title", title_of(name, arena)},
	};
	const char *text = snw_cli_embedded(template);
	for (size_t i = 0; i < sizeof replacements / sizeof replacements[0]; i++) {
		text = replace(text, replacements[i][0], replacements[i][1], arena);
	}
	snw_file_write *file;
	snw_status status = snw_file_write_begin(path, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	fputs(text, snw_file_write_stream(file));
	status = snw_file_write_commit(file, error);
	return snw_failed(status) || !is_program ? status : snw_cli_make_executable(path, error);
}

static snw_status write_folder(const snw_call *call, const char *folder, const kind *of, const char *name, snw_error *error) {
	snw_arena *arena = call->arena;
	const struct {
		const char *name, *template;
		bool is_program;
	} files[] = {
		{snw_arena_format(arena, "%s.c", name), snw_arena_format(arena, "%s.c", of->name), false},
		{"test.sh", "test.sh", true},
		{"meson.build", "meson.build", false},
		{"LICENSE", "LICENSE", false},
	};
	if (mkdir(folder, 0755) != 0) {
		return snw_fail(error, SNW_ERROR_IO, "%s: the folder cannot be made: %s; name another one with -o", folder,
						strerror(errno));
	}
	snw_status status = SNW_OK;
	for (size_t i = 0; i < sizeof files / sizeof files[0] && !snw_failed(status); i++) {
		const char *path = snw_path_join(arena, folder, files[i].name);
		status = write_file(call, path, files[i].template, of, name, files[i].is_program, error);
		if (!snw_failed(status)) {
			snw_say(call, "%s", path);
		}
	}
	return status;
}

static snw_status plugin_new(const snw_call *call, snw_error *error) {
	const kind *of = NULL;
	if (call->argument_count != 2) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "one name is needed; usage: sinew plugin new NAME --kind KIND");
	}
	const char *name = call->arguments[1], *folder = snw_call_option(call, "-o");
	if (!is_short_name(name)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"%s: not a name for a deformer; use up to 60 lower-case letters, digits and '-'", name);
	}
	folder = folder ? folder : name;
	snw_status status = find_kind(call, &of, error);
	status = snw_failed(status) ? status : write_folder(call, folder, of, name, error);
	if (!snw_failed(status)) {
		snw_say(call, "next: sinew plugin build %s/%s.c", folder, name);
		snw_answer_text(call->answer, "folder", folder);
	}
	return status;
}

/* ---- the verb ------------------------------------------------------------------------------------------------------------ */

static snw_status print_reference(const snw_call *call) {
	const char *text = snw_cli_embedded("plugin-reference");
	snw_answer_text(call->answer, "reference", text);
	if (!call->json && !call->quiet) {
		fputs(text, stdout); /* with its tabs, which snw_say would clean */
	}
	return SNW_OK;
}

static snw_status run_plugin(snw_call *call, snw_error *error) {
	const char *action = call->arguments[0];
	if (strcmp(action, "new") == 0) {
		return plugin_new(call, error);
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

static const snw_option plugin_options[] = {
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
	.options = plugin_options,
	.run = run_plugin,
};
