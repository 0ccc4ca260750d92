/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "edit/joints/joint_settings.h"

#include <string.h>

#include "parameter/overrides.h"
#include "parameter/parameters.h"

/* Whether a setting is for this joint alone, and whether its value is this joint. */
typedef struct joint_use {
	const snw_parameter *parameter;
	bool in_key, in_value;
} joint_use;

static joint_use find_use(const snw_scene *scene, const snw_descriptor *descriptor, const snw_setting *setting,
						  const char *joint) {
	const char *name;
	uint32_t index;
	const uint32_t row = snw_parameter_of_key(descriptor, setting->key, &name);
	if (row == SNW_NONE) {
		return (joint_use){0};
	}
	const snw_parameter *p = descriptor->parameters[row];
	return (joint_use){
		.parameter = p,
		.in_key = name && strcmp(name, joint) == 0 && snw_override_scope(scene, p->scopes, name, &index) == SNW_SCOPE_JOINT,
		.in_value = p->kind == SNW_PARAMETER_JOINT && setting->value.text && strcmp(setting->value.text, joint) == 0};
}

/* The layer's settings with the new name, or without those of the joint. Returns whether any has changed. */
static bool change(const snw_scene *scene, const snw_descriptor *descriptor, const char *name, const char *new_name,
				   snw_layer *layer, snw_arena *arena) {
	snw_setting *settings = SNW_NEW_ARRAY(arena, snw_setting, layer->setting_count);
	bool has_changed = false;
	uint32_t count = 0;
	for (uint32_t i = 0; i < layer->setting_count; i++) {
		snw_setting setting = layer->settings[i];
		const joint_use use = find_use(scene, descriptor, &setting, name);
		has_changed = has_changed || use.in_key || use.in_value;
		if (!new_name && (use.in_key || use.in_value)) {
			continue;
		}
		if (use.in_key) {
			setting.key = snw_arena_format(arena, "%s@%s", use.parameter->key, new_name);
		}
		if (use.in_value) {
			setting.value.text = new_name;
		}
		settings[count++] = setting;
	}
	layer->settings = settings;
	layer->setting_count = count;
	return has_changed;
}

snw_status snw_settings_rename_joint(snw_project *project, const snw_scene *scene, const snw_registry *registry,
									 const char *name, const char *new_name, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < scene->layer_count; i++) {
		const snw_deformer *deformer = snw_registry_find(registry, scene->layers[i].deformer);
		snw_layer layer = scene->layers[i];
		if (deformer && change(scene, deformer->descriptor, name, new_name, &layer, scratch)) {
			int64_t id;
			status = snw_project_put_layer(project, &layer, layer.model == SNW_NONE ? 0 : scene->models[layer.model].id, -1,
										   &id, error);
		}
	}
	snw_arena_destroy(scratch);
	return status;
}
