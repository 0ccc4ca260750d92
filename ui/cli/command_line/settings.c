/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command_line/settings.h"

#include <string.h>

static snw_setting *find(snw_setting *settings, uint32_t count, const char *key) {
	for (uint32_t i = 0; i < count; i++) {
		if (strcmp(settings[i].key, key) == 0) {
			return &settings[i];
		}
	}
	return NULL;
}

snw_status snw_settings_parse(const snw_call *call, const snw_descriptor *descriptor, uint32_t old_count,
							  const snw_setting *old, uint32_t *count, const snw_setting **settings, snw_error *error) {
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
		uint32_t index;
		double value;
		const size_t length = snw_parameter_key_length(text);
		const char *key = snw_arena_format(call->arena, "%.*s", (int)length, text);
		snw_setting *setting = find(list, used, key);
		if (setting && text[length] == '=' && !text[length + 1]) { /* "KEY=": as if it had never been set */
			*setting = list[--used];
			continue;
		}
		const snw_status status = snw_parameter_parse(descriptor, text, &index, &value, error);
		if (snw_failed(status)) {
			return status;
		}
		if (!setting) {
			setting = &list[used++];
		}
		*setting = (snw_setting){.key = key, .value = value};
	}
	*count = used;
	*settings = list;
	return SNW_OK;
}

const char *snw_setting_text(const snw_call *call, const snw_deformer *deformer, const snw_setting *setting) {
	const uint32_t index = deformer ? snw_parameter_of_key(deformer->descriptor, setting->key, NULL) : SNW_NONE;
	const char *word = index == SNW_NONE ? NULL : snw_parameter_word(deformer->descriptor->parameters[index], setting->value);
	if (word) {
		return snw_arena_format(call->arena, "%s=%s", setting->key, word);
	}
	return snw_arena_format(call->arena, "%s=%g", setting->key, setting->value);
}

bool snw_settings_dirty_fit(const snw_call *call, const snw_descriptor *descriptor) {
	const char *text;
	for (int i = 0; (text = snw_call_option_at(call, "--set", i)); i++) {
		uint32_t index;
		double value;
		if (!snw_failed(snw_parameter_parse(descriptor, text, &index, &value, NULL)) &&
			descriptor->parameters[index]->stage == SNW_STAGE_FIT) {
			return true;
		}
	}
	return false;
}
