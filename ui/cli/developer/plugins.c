/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew plugins: the deformers that were found, and those that were rejected, with the reason.
 */
#include <string.h>

#include "cli/command_line/options/settings.h"
#include "cli/developer/plugin.h"
#include "file/file.h"
#include "parameter/parameters.h"
#include "plugin/registry.h"

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

snw_status snw_cli_list_plugins(const snw_call *call, snw_error *error) {
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
	return snw_cli_list_plugins(call, error);
}

static const snw_option plugins_options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_plugins = {
	.name = "plugins",
	.usage = "",
	.help = "Lists deformers with their parameters, and rejected plug-ins with the reason.",
	.actions = "",
	.least_arguments = 0,
	.most_arguments = 0,
	.runs_once = true,
	.options = plugins_options,
	.run = run_plugins,
};
