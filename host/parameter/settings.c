/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parameter/settings.h"

#include <string.h>

#include "file/file.h"
#include "parameter/parameters.h"

static uint32_t find(uint32_t count, const snw_setting *settings, const char *key) {
	uint32_t i = 0;
	while (i < count && strcmp(settings[i].key, key) != 0) {
		i++;
	}
	return i;
}

/* A path is stored relative to the project's folder. */
static snw_status parse(const snw_scene *scene, const snw_descriptor *descriptor, const char *folder, const char *text,
						snw_arena *arena, const snw_parameter **parameter, snw_setting *setting, snw_error *error) {
	uint32_t index;
	const snw_status status = snw_parameter_parse(descriptor, text, &index, &setting->value, error);
	if (snw_failed(status)) {
		return status;
	}
	*parameter = descriptor->parameters[index];
	if ((*parameter)->kind == SNW_PARAMETER_FILE && setting->value.text[0]) {
		const char *path = snw_path_absolute(arena, folder, setting->value.text);
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

snw_status snw_settings_change(const snw_scene *scene, const snw_descriptor *descriptor, const char *folder,
							   bool keeps_defaults, uint32_t change_count, const char *const *changes, snw_arena *arena,
							   snw_settings *settings, snw_error *error) {
	snw_setting *list = SNW_NEW_ARRAY(arena, snw_setting, (size_t)settings->count + change_count + 1);
	uint32_t count = settings->count;
	if (count > 0) {
		memcpy(list, settings->list, count * sizeof *list);
	}
	for (uint32_t i = 0; i < change_count; i++) {
		const char *text = changes[i], *key = snw_arena_format(arena, "%.*s", (int)snw_parameter_key_length(text), text);
		const uint32_t at = find(count, list, key);
		snw_setting made = {.key = key};
		const snw_parameter *parameter;
		bool is_default = at < count && is_reset(descriptor, key, text);
		const snw_status status = is_default ? SNW_OK : parse(scene, descriptor, folder, text, arena, &parameter, &made, error);
		if (snw_failed(status)) {
			return status;
		}
		/* For a single group or joint it may differ from the value for all. */
		is_default = is_default || (!keeps_defaults && strcmp(key, parameter->key) == 0 &&
									snw_parameter_same(parameter, &made.value, &parameter->initial));
		if (!is_default) {
			list[at] = made;
			count += at == count;
		} else if (at < count) {
			memmove(list + at, list + at + 1, (--count - at) * sizeof *list);
		}
	}
	*settings = (snw_settings){count, list};
	return SNW_OK;
}

bool snw_settings_remove(const char *key, snw_arena *arena, snw_settings *settings) {
	const uint32_t at = find(settings->count, settings->list, key);
	if (at == settings->count) {
		return false;
	}
	snw_setting *list = SNW_NEW_ARRAY(arena, snw_setting, settings->count);
	memcpy(list, settings->list, at * sizeof *list);
	memcpy(list + at, settings->list + at + 1, (settings->count - at - 1) * sizeof *list);
	*settings = (snw_settings){settings->count - 1, list};
	return true;
}

/* ---- values of groups and joints ----------------------------------------------------------------------------------------- */

uint32_t snw_override_scope(const snw_scene *scene, uint32_t scopes, const char *name, uint32_t *index) {
	const uint32_t group = scopes & SNW_SCOPE_GROUP ? snw_scene_find_group(scene, name) : SNW_NONE;
	const uint32_t joint = scopes & SNW_SCOPE_JOINT ? snw_scene_find_joint(scene, name) : SNW_NONE;
	*index = group != SNW_NONE ? group : joint;
	return group != SNW_NONE ? SNW_SCOPE_GROUP : joint != SNW_NONE ? SNW_SCOPE_JOINT : 0;
}

snw_status snw_setting_check_names(const snw_scene *scene, const snw_descriptor *descriptor, const snw_setting *setting,
								   snw_error *error) {
	const char *name;
	uint32_t index;
	const uint32_t found = snw_parameter_of_key(descriptor, setting->key, &name);
	if (found == SNW_NONE) {
		return SNW_OK;
	}
	const snw_parameter *parameter = descriptor->parameters[found];
	if (name && !snw_override_scope(scene, parameter->scopes, name, &index)) {
		const char *noun = parameter->scopes == SNW_SCOPE_GROUP   ? "group"
						   : parameter->scopes == SNW_SCOPE_JOINT ? "joint"
																  : "group or joint";
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: %s: no such %s '%s'; 'sinew info' lists them", descriptor->short_name,
						setting->key, noun, name);
	}
	snw_arena *scratch = snw_arena_create();
	snw_value value = setting->value;
	const snw_status status = snw_value_resolve(descriptor, parameter, setting->key, scene, scratch, &value, error);
	snw_arena_destroy(scratch);
	return status;
}

uint32_t snw_overrides_of_group(const snw_scene *scene, const snw_descriptor *descriptor, const snw_layer *layer,
								const char *group, const char *new_name, snw_setting *settings, snw_arena *arena) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < layer->setting_count; i++) {
		const snw_setting *setting = &layer->settings[i];
		const char *name;
		uint32_t index;
		const uint32_t parameter = snw_parameter_of_key(descriptor, setting->key, &name);
		const uint32_t scopes = parameter == SNW_NONE ? 0 : descriptor->parameters[parameter]->scopes;
		const bool is_of_group =
			name && strcmp(name, group) == 0 && snw_override_scope(scene, scopes, name, &index) == SNW_SCOPE_GROUP;
		if (!is_of_group) {
			settings[count++] = *setting;
		} else if (new_name) {
			const char *key = descriptor->parameters[parameter]->key;
			settings[count++] = (snw_setting){snw_arena_format(arena, "%s@%s", key, new_name), setting->value};
		}
	}
	return count;
}
