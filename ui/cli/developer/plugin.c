/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew plugin: begins a plug-in, builds one, lists them.
 */
#include "cli/developer/developer.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/command_line/embedded_texts.h"
#include "cli/command_line/verb.h"
#include "file/file.h"
#include "parameter/parameters.h"
#include "plugin/registry.h"
#include "validate/validate.h"

/* ---- plugins ------------------------------------------------------------------------------------------------------------- */

/* sinew plugins: the deformers that were found, and those that were rejected, with the reason. */

static const char *value_text(const snw_call *call, const snw_parameter *p) {
	return p->kind == SNW_PARAMETER_SWITCH ? (p->initial.numbers[0] != 0 ? "on" : "off")
										   : snw_parameter_text(p, &p->initial, call->arena);
}

/* The values of a parameter: "gaussian|linear", "off|on", "1 to 12", or the kind of thing that it names. */
static const char *range_text(const snw_call *call, const snw_parameter *p) {
	const uint32_t words = snw_parameter_word_count(p);
	const char *text = "";
	for (uint32_t i = 0; i < words; i++) {
		text = snw_arena_format(call->arena, "%s%s%s", text, i > 0 ? "|" : "", p->choices[i]);
	}
	switch (p->kind) {
	case SNW_PARAMETER_SWITCH:
		return "off|on";
	case SNW_PARAMETER_CHOICE:
		return text;
	case SNW_PARAMETER_VECTOR:
		return snw_arena_format(call->arena, "x,y,z, each %g to %g", p->minimum, p->maximum);
	case SNW_PARAMETER_COLOR:
		return "a colour";
	case SNW_PARAMETER_JOINT:
		return "a joint";
	case SNW_PARAMETER_FIELD:
		return "a field over points";
	case SNW_PARAMETER_TEXT:
		return "a line of text";
	case SNW_PARAMETER_FILE:
		return "a file";
	default:
		return snw_arena_format(call->arena, "%s%s%g to %g", text, words > 0 ? ", " : "", p->minimum + words, p->maximum);
	}
}

static void describe_parameters(const snw_call *call, const snw_descriptor *descriptor, cJSON *row) {
	static const char *const kinds[] = {"number", "integer", "switch", "choice", "vector",
										"colour", "joint",   "field",  "text",   "file"};
	static const char *const stages[] = {"fit", "lower", "drive"};
	cJSON *list = snw_answer_list(row, "parameters");
	for (uint32_t i = 0; i < descriptor->parameter_count; i++) {
		const snw_parameter *p = descriptor->parameters[i];
		snw_say(call, "      %s=%s%s%s (%s)  %s", p->key, value_text(call, p), p->unit[0] ? " " : "", p->unit,
				range_text(call, p), p->help);
		cJSON *parameter = snw_answer_row(list);
		snw_answer_text(parameter, "key", p->key);
		snw_answer_text(parameter, "label", p->label);
		snw_answer_text(parameter, "help", p->help);
		snw_answer_text(parameter, "unit", p->unit);
		snw_answer_text(parameter, "kind", kinds[p->kind]);
		snw_answer_text(parameter, "stage", stages[p->stage]);
		snw_answer_value(parameter, "initial", p, &p->initial);
		if (!snw_parameter_has_text(p)) {
			snw_answer_number(parameter, "minimum", p->minimum);
			snw_answer_number(parameter, "maximum", p->maximum);
		}
		cJSON *choices = p->choices ? snw_answer_list(parameter, "choices") : NULL;
		for (int c = 0; choices && p->choices[c]; c++) {
			cJSON_AddItemToArray(choices, cJSON_CreateString(p->choices[c]));
		}
	}
}

/* Adds a row of the listing; true for a deformer that was loaded. */
static bool list_row(const snw_call *call, const snw_plugin_info *info, cJSON *loaded, cJSON *refused) {
	cJSON *row = snw_answer_row(info->deformer ? loaded : refused);
	snw_answer_text(row, "path", info->path);
	if (!info->deformer) {
		snw_say(call, "rejected             %s\n    %s", info->path, info->reason);
		snw_answer_text(row, "reason", info->reason);
		return false;
	}
	const snw_descriptor *d = info->deformer->descriptor;
	snw_say(call, "%-20s %s %s, %s\n    %s", d->short_name, d->name, d->version, d->paper[0] ? d->paper : "no paper",
			info->path);
	snw_answer_text(row, "id", d->id);
	snw_answer_text(row, "short_name", d->short_name);
	snw_answer_text(row, "name", d->name);
	snw_answer_text(row, "version", d->version);
	snw_answer_text(row, "paper", d->paper);
	describe_parameters(call, d, row);
	return true;
}

/* The rows of one file; with a NULL `path` of all. Returns how many deformers were loaded. `reason` gets why the last was
 * not. */
static uint32_t list_plugins(const snw_call *call, const char *path, const char **reason) {
	uint32_t loaded_count = 0;
	snw_registry *registry = snw_registry_open();
	const char *real_path = path ? snw_path_absolute(call->arena, NULL, path) : NULL;
	cJSON *loaded = snw_answer_list(call->answer, "loaded");
	cJSON *refused = snw_answer_list(call->answer, "refused");
	for (uint32_t i = 0; i < snw_registry_count(registry); i++) {
		const snw_plugin_info *info = snw_registry_get(registry, i);
		if (!path || strcmp(snw_path_absolute(call->arena, NULL, info->path), real_path) == 0) {
			loaded_count += list_row(call, info, loaded, refused);
			*reason = info->reason ? snw_arena_text(call->arena, info->reason) : *reason;
		}
	}
	snw_registry_close(registry);
	return loaded_count;
}

/* All deformers that were found, and the files that were rejected. SNW_ERROR_MISSING if there is no deformer. */
static snw_status cli_list_plugins(const snw_call *call, snw_error *error) {
	const char *reason = NULL;
	return list_plugins(call, NULL, &reason) > 0
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_MISSING,
						  "no plug-in was found; reinstall Sinew, or give the folder of its plug-ins "
						  "in $SINEW_PLUGIN_PATH");
}

snw_status snw_cli_list_plugin(const snw_call *call, const char *path, bool is_installed, snw_error *error) {
	const char *reason = NULL;
	const uint32_t loaded_count = list_plugins(call, path, &reason);
	if (reason) {
		return snw_fail(error, SNW_ERROR_DATA, "%s is built, but rejected: %s", path, reason);
	}
	return loaded_count > 0 || !is_installed
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_DATA, "%s is built, but its folder is rejected; 'sinew plugins' says why", path);
}

static snw_status run_plugins(snw_call *call, snw_error *error) {
	return cli_list_plugins(call, error);
}

static const snw_option plugins_options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_plugins = {
	.name = "plugins",
	.part = SNW_VERB_EXTENDS,
	.usage = "",
	.help = "Lists deformers with their parameters, and rejected plug-ins with the reason.",
	.actions = "",
	.least_arguments = 0,
	.most_arguments = 0,
	.runs_once = true,
	.options = plugins_options,
	.run = run_plugins,
};

/* ---- plugin -------------------------------------------------------------------------------------------------------------- */

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
	return is_list ? cli_list_plugins(call, error) : print_reference(call);
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
	.part = SNW_VERB_EXTENDS,
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

/* ---- validate ------------------------------------------------------------------------------------------------------------ */

/* sinew validate: whether a plug-in follows the rules of the ABI. */

typedef struct check_report {
	const snw_call *call;
	cJSON *list;
} check_report;

static void report_check(void *context, const char *name, bool passed, const char *detail) {
	const check_report *r = context;
	snw_say(r->call, "%-6s %-40s %s", passed ? "passed" : "FAILED", name, detail ? detail : "");
	fflush(stdout); /* into a pipe too, while later checks still run */
	cJSON *row = snw_answer_row(r->list);
	snw_answer_text(row, "check", name);
	snw_answer_bool(row, "passed", passed);
	snw_answer_text(row, "words", detail);
}

snw_status snw_cli_validate(const snw_call *call, const char *path, const snw_validate_options *options, snw_error *error) {
	check_report r = {.call = call, .list = snw_answer_list(call->answer, "checks")};
	const snw_validate_listener listener = {.context = &r, .check = report_check};
	snw_say(call, "seed %llu", (unsigned long long)options->seed);
	snw_answer_number(call->answer, "seed", (double)options->seed);
	snw_validate_options stoppable = *options;
	stoppable.task = &call->task;
	return snw_validate(path, &stoppable, &listener, error);
}

static snw_status choose_level(const snw_call *call, snw_validate_level *level, snw_error *error) {
	const char *name = snw_call_option(call, "--level");
	*level = !name || strcmp(name, "normal") == 0 ? SNW_VALIDATE_NORMAL
			 : strcmp(name, "quick") == 0         ? SNW_VALIDATE_QUICK
												  : SNW_VALIDATE_THOROUGH;
	return *level != SNW_VALIDATE_THOROUGH || strcmp(name, "thorough") == 0
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_ARGUMENT, "%s: no such level; choose quick, normal or thorough", name);
}

/* A round of random values is repeated by its seed, alone. */
static snw_status choose_round(const snw_call *call, snw_validate_options *options, snw_error *error) {
	double seed;
	if (!snw_call_option(call, "--reproduce")) {
		return SNW_OK;
	}
	const snw_status status = snw_call_number(call, "--reproduce", 0, 4294967295.0, 0, &seed, error);
	if (!snw_failed(status)) {
		options->seed = (uint64_t)seed;
		options->only = "random";
		options->random_seconds = 0; /* one round */
	}
	return status;
}

static snw_status run_validate(snw_call *call, snw_error *error) {
	double seed;
	snw_validate_options options = {.only = snw_call_option(call, "--check"),
									.in_process = snw_call_option(call, "--in-process") != NULL};
	snw_status status = snw_call_number(call, "--seed", 0, 4294967295.0, (double)(uint32_t)time(NULL), &seed, error);
	options.seed = (uint64_t)seed;
	status = snw_failed(status) ? status : snw_call_number(call, "--seconds", 0.1, 3600, 0, &options.limit_seconds, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--random", 0.1, 86400, 0, &options.random_seconds, error);
	status = snw_failed(status) ? status : choose_level(call, &options.level, error);
	status = snw_failed(status) ? status : choose_round(call, &options, error);
	return snw_failed(status) ? status : snw_cli_validate(call, call->arguments[0], &options, error);
}

static const snw_option validate_options[] = {
	{"--level", "LEVEL", "how much is tried: quick, normal (the default), or thorough, which asks for a stop at every report"},
	{"--check", "NAME", "run this check alone, such as drive"},
	{"--random", "S", "also try random values of all parameters, for so many seconds"},
	{"--reproduce", "SEED", "repeat one round of --random"},
	{"--seed", "N", "repeat a run: the seed decides what is damaged, how ranges are split, which poses and values are tried"},
	{"--seconds", "N", "time limit of one check (default: 60)"},
	{"--in-process", NULL, "for debuggers: check in this process, without limits"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_validate = {
	.name = "validate",
	.part = SNW_VERB_EXTENDS,
	.usage = "PLUGIN.so",
	.help = "Checks a plug-in against the rules of the ABI. Each check runs in its own process.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.runs_once = true,
	.options = validate_options,
	.run = run_validate,
};
