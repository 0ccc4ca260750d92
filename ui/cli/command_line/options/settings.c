/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command_line/options/settings.h"

#include <string.h>

#include "parameter/parameters.h"

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
