/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command_line/options/settings.h"

#include <string.h>

#include "parameter/parameters.h"
#include "parameter/settings.h"

snw_status snw_settings_parse(const snw_call *call, const snw_scene *scene, const snw_descriptor *descriptor, uint32_t *count,
							  const snw_setting **settings, snw_error *error) {
	uint32_t given = 0;
	const char **changes = SNW_NEW_ARRAY(call->arena, const char *, (size_t)call->option_count + 1);
	for (const char *text; (text = snw_call_option_at(call, "--set", (int)given)); given++) {
		changes[given] = text;
	}
	snw_settings made = {0};
	const snw_status status = snw_settings_change(scene, descriptor, NULL, true, given, changes, call->arena, &made, error);
	*count = made.count;
	*settings = made.list;
	return status;
}

static const snw_parameter *find_parameter(const snw_deformer *deformer, const char *key) {
	const uint32_t index = deformer ? snw_parameter_of_key(deformer->descriptor, key, NULL) : SNW_NONE;
	return index == SNW_NONE ? NULL : deformer->descriptor->parameters[index];
}

const char *snw_settings_text(const snw_call *call, const snw_deformer *deformer, const snw_layer *layer) {
	const char *all = "";
	for (uint32_t i = 0; i < layer->setting_count; i++) {
		const snw_setting *setting = &layer->settings[i];
		const char *text = snw_parameter_text(find_parameter(deformer, setting->key), &setting->value, call->arena);
		const char *quote = strchr(text, ' ') || !*text ? "\"" : "";
		all = snw_arena_format(call->arena, "%s %s=%s%s%s", all, setting->key, quote, text, quote);
	}
	return all;
}

void snw_answer_settings(cJSON *row, const snw_deformer *deformer, const snw_layer *layer) {
	cJSON *values = row ? cJSON_AddObjectToObject(row, "settings") : NULL;
	for (uint32_t i = 0; i < layer->setting_count; i++) {
		const snw_setting *setting = &layer->settings[i];
		snw_answer_value(values, setting->key, find_parameter(deformer, setting->key), &setting->value);
	}
}

void snw_answer_value(cJSON *object, const char *key, const snw_parameter *parameter, const snw_value *value) {
	const double *numbers = value->numbers;
	const bool is_triple = parameter ? parameter->kind == SNW_PARAMETER_VECTOR || parameter->kind == SNW_PARAMETER_COLOR
									 : numbers[1] != 0 || numbers[2] != 0;
	if (parameter ? snw_parameter_has_text(parameter) : value->text != NULL) {
		snw_answer_text(object, key, value->text ? value->text : "");
	} else if (is_triple && object) {
		cJSON_AddItemToObject(object, key, cJSON_CreateDoubleArray(numbers, 3));
	} else {
		snw_answer_number(object, key, numbers[0]);
	}
}

snw_status snw_call_add_setting(snw_call *call, const char *option, const snw_descriptor *descriptor, snw_role role,
								snw_error *error) {
	const char *value = snw_call_option(call, option);
	const snw_parameter *parameter = snw_parameter_of_role(descriptor, role);
	if (value && !parameter) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s has no parameter for %s", descriptor->short_name, option);
	}
	if (value) {
		const char **names = SNW_NEW_ARRAY(call->arena, const char *, (size_t)call->option_count + 1);
		const char **values = SNW_NEW_ARRAY(call->arena, const char *, (size_t)call->option_count + 1);
		memcpy(names, call->option_names, (size_t)call->option_count * sizeof *names);
		memcpy(values, call->option_values, (size_t)call->option_count * sizeof *values);
		names[call->option_count] = "--set";
		values[call->option_count++] = snw_arena_format(call->arena, "%s=%s", parameter->key, value);
		call->option_names = names;
		call->option_values = values;
	}
	return SNW_OK;
}
