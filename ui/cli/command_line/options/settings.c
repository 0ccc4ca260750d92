/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command_line/options/settings.h"

#include <string.h>

#include "file/file.h"
#include "parameter/overrides.h"
#include "parameter/parameters.h"

static snw_setting *find(snw_setting *settings, uint32_t count, const char *key) {
	for (uint32_t i = 0; i < count; i++) {
		if (strcmp(settings[i].key, key) == 0) {
			return &settings[i];
		}
	}
	return NULL;
}

/* The setting in "KEY=VALUE". A path is stored relative to the project's folder. */
static snw_status parse_setting(const snw_call *call, const snw_scene *scene, const snw_descriptor *descriptor,
								const char *text, const snw_parameter **parameter, snw_setting *setting, snw_error *error) {
	uint32_t index;
	snw_status status = snw_parameter_parse(descriptor, text, &index, &setting->value, error);
	if (snw_failed(status)) {
		return status;
	}
	*parameter = descriptor->parameters[index];
	setting->key = snw_arena_format(call->arena, "%.*s", (int)snw_parameter_key_length(text), text);
	if ((*parameter)->kind == SNW_PARAMETER_FILE && setting->value.text[0]) {
		const char *path = snw_path_absolute(call->arena, NULL, setting->value.text);
		setting->value.text = scene->folder ? snw_path_inside(scene->folder, path) : path;
	}
	return snw_setting_check_names(scene, descriptor, setting, error);
}

/* Whether "KEY=" resets the setting. For a text of the whole layer it is the empty text instead. */
static bool is_reset(const snw_descriptor *descriptor, const char *key, const char *text) {
	const char *name;
	const uint32_t index = snw_parameter_of_key(descriptor, key, &name);
	const bool has_text = index != SNW_NONE && snw_parameter_has_text(descriptor->parameters[index]);
	return (!has_text || name) && text[strlen(key)] == '=' && !text[strlen(key) + 1];
}

snw_status snw_settings_parse(const snw_call *call, const snw_scene *scene, const snw_descriptor *descriptor,
							  uint32_t old_count, const snw_setting *old, uint32_t *count, const snw_setting **settings,
							  snw_error *error) {
	const char *text;
	uint32_t most = old_count;
	while (snw_call_option_at(call, "--set", (int)(most - old_count))) {
		most++;
	}
	snw_setting *list = SNW_NEW_ARRAY(call->arena, snw_setting, most);
	uint32_t used = old_count;
	if (old_count) {
		memcpy(list, old, old_count * sizeof *list);
	}
	for (int i = 0; (text = snw_call_option_at(call, "--set", i)); i++) {
		const char *key = snw_arena_format(call->arena, "%.*s", (int)snw_parameter_key_length(text), text);
		const snw_parameter *parameter;
		snw_setting made, *setting = find(list, used, key);
		if (setting && is_reset(descriptor, key, text)) {
			*setting = list[--used];
			continue;
		}
		const snw_status status = parse_setting(call, scene, descriptor, text, &parameter, &made, error);
		if (snw_failed(status)) {
			return status;
		}
		const bool is_first =
			strcmp(key, parameter->key) == 0 && snw_parameter_same(parameter, &made.value, &parameter->initial);
		if (setting && is_first && snw_parameter_has_text(parameter)) {
			*setting = list[--used];
		} else if (setting) {
			*setting = made;
		} else {
			list[used++] = made;
		}
	}
	*count = used;
	*settings = list;
	return SNW_OK;
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

bool snw_settings_dirty_fit(const snw_call *call, const snw_descriptor *descriptor) {
	const char *text;
	for (int i = 0; (text = snw_call_option_at(call, "--set", i)); i++) {
		uint32_t index;
		snw_value value;
		if (!snw_failed(snw_parameter_parse(descriptor, text, &index, &value, NULL)) &&
			descriptor->parameters[index]->stage == SNW_STAGE_FIT) {
			return true;
		}
	}
	return false;
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
