/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew plugins: the deformers that were found, and those that were refused, with the reason.
 */
#include "cli/command_line/verb.h"
#include "plugin/registry.h"

static const char *value_text(const snw_call *call, const snw_parameter *p, double value) {
	const char *word = p->kind == SNW_PARAMETER_SWITCH ? (value != 0 ? "on" : "off") : snw_parameter_word(p, value);
	return word ? word : snw_arena_format(call->arena, "%g", value);
}

/* "gaussian|linear", "off|on", or "1 to 12". */
static const char *range_text(const snw_call *call, const snw_parameter *p) {
	if (p->kind == SNW_PARAMETER_SWITCH) {
		return "off|on";
	}
	if (p->kind != SNW_PARAMETER_CHOICE) {
		const char *word = snw_parameter_word(p, p->minimum);
		return word ? snw_arena_format(call->arena, "%s, %g to %g", word, p->minimum + 1, p->maximum)
					: snw_arena_format(call->arena, "%g to %g", p->minimum, p->maximum);
	}
	const char *text = p->choices[0];
	for (int i = 1; p->choices[i]; i++) {
		text = snw_arena_format(call->arena, "%s|%s", text, p->choices[i]);
	}
	return text;
}

static void describe_parameters(const snw_call *call, const snw_descriptor *descriptor, cJSON *row) {
	static const char *const kinds[] = {"number", "integer", "switch", "choice"};
	static const char *const stages[] = {"fit", "lower", "drive"};
	cJSON *list = snw_answer_list(row, "parameters");
	for (uint32_t i = 0; i < descriptor->parameter_count; i++) {
		const snw_parameter *p = descriptor->parameters[i];
		snw_say(call, "      %s=%s%s%s (%s)  %s", p->key, value_text(call, p, p->initial.numbers[0]), p->unit[0] ? " " : "",
				p->unit, range_text(call, p), p->help);
		cJSON *parameter = snw_answer_row(list);
		snw_answer_text(parameter, "key", p->key);
		snw_answer_text(parameter, "label", p->label);
		snw_answer_text(parameter, "help", p->help);
		snw_answer_text(parameter, "unit", p->unit);
		snw_answer_text(parameter, "kind", kinds[p->kind]);
		snw_answer_text(parameter, "stage", stages[p->stage]);
		snw_answer_number(parameter, "initial", p->initial.numbers[0]);
		snw_answer_number(parameter, "minimum", p->minimum);
		snw_answer_number(parameter, "maximum", p->maximum);
		cJSON *choices = p->choices ? snw_answer_list(parameter, "choices") : NULL;
		for (int c = 0; choices && p->choices[c]; c++) {
			cJSON_AddItemToArray(choices, cJSON_CreateString(p->choices[c]));
		}
	}
}

static snw_status run(snw_call *call, snw_error *error) {
	(void)error;
	snw_registry *registry = snw_registry_open();
	cJSON *loaded = snw_answer_list(call->answer, "loaded");
	cJSON *refused = snw_answer_list(call->answer, "refused");
	for (uint32_t i = 0; i < snw_registry_count(registry); i++) {
		const snw_plugin_info *info = snw_registry_get(registry, i);
		cJSON *row = snw_answer_row(info->deformer ? loaded : refused);
		snw_answer_text(row, "path", info->path);
		if (info->deformer) {
			const snw_descriptor *d = info->deformer->descriptor;
			snw_say(call, "%-20s %s %s, %s\n    %s", d->short_name, d->name, d->version, d->paper[0] ? d->paper : "no paper",
					info->path);
			snw_answer_text(row, "id", d->id);
			snw_answer_text(row, "short_name", d->short_name);
			snw_answer_text(row, "name", d->name);
			snw_answer_text(row, "version", d->version);
			snw_answer_text(row, "paper", d->paper);
			describe_parameters(call, d, row);
		} else {
			snw_say(call, "rejected             %s\n    %s", info->path, info->reason);
			snw_answer_text(row, "reason", info->reason);
		}
	}
	snw_registry_close(registry);
	return SNW_OK;
}

static const snw_option options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_plugins = {
	.name = "plugins",
	.usage = "",
	.help = "Lists deformers with their parameters, and rejected plug-ins with the reason.",
	.actions = "",
	.least_arguments = 0,
	.most_arguments = 0,
	.options = options,
	.run = run,
};
