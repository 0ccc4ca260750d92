/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parameter/overrides.h"

#include <string.h>

#include "parameter/parameters.h"

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
