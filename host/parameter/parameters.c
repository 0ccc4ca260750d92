/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parameter/parameters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "file/file.h"
#include "scene/check.h"

/* ---- keys ---------------------------------------------------------------------------------------------------------------- */

static uint32_t find_parameter(const snw_descriptor *descriptor, const char *key, size_t length) {
	for (uint32_t i = 0; i < descriptor->parameter_count; i++) {
		if (strlen(descriptor->parameters[i]->key) == length && memcmp(descriptor->parameters[i]->key, key, length) == 0) {
			return i;
		}
	}
	return SNW_NONE;
}

uint32_t snw_parameter_of_key(const snw_descriptor *descriptor, const char *key, const char **name) {
	const char *at = strchr(key, '@');
	const uint32_t index = find_parameter(descriptor, key, at ? (size_t)(at - key) : strlen(key));
	if (name) {
		*name = at ? at + 1 : NULL;
	}
	return index != SNW_NONE && at && descriptor->parameters[index]->scopes == 0 ? SNW_NONE : index;
}

const snw_parameter *snw_parameter_of_role(const snw_descriptor *descriptor, snw_role role) {
	for (uint32_t i = 0; i < descriptor->parameter_count; i++) {
		if (descriptor->parameters[i]->role == (int32_t)role) {
			return descriptor->parameters[i];
		}
	}
	return NULL;
}

size_t snw_parameter_key_length(const char *text) {
	const size_t first = strcspn(text, "=@"); /* an '@' behind the first '=' belongs to the value */
	const char *equals = text[first] == '@' ? strrchr(text, '=') : NULL;
	return equals ? (size_t)(equals - text) : text[first] == '@' ? strlen(text) : first;
}

snw_status snw_parameter_unknown(const snw_descriptor *descriptor, const char *key, snw_error *error) {
	const char *at = strchr(key, '@');
	if (at && find_parameter(descriptor, key, (size_t)(at - key)) != SNW_NONE) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: %.*s cannot be set for '%s' alone; set it for the whole layer",
						descriptor->short_name, (int)(at - key), key, at + 1);
	}
	char keys[600] = "";
	for (uint32_t i = 0; i < descriptor->parameter_count; i++) {
		const size_t used = strlen(keys);
		snprintf(keys + used, sizeof keys - used, "%s%s", used > 0 ? ", " : "", descriptor->parameters[i]->key);
	}
	return snw_fail(error, SNW_ERROR_ARGUMENT, "%s has no parameter '%s'; it %s%s", descriptor->short_name, key,
					keys[0] ? "has: " : "has no parameters", keys);
}

/* ---- allowed values ------------------------------------------------------------------------------------------------------ */

bool snw_parameter_has_text(const snw_parameter *parameter) {
	return parameter->kind >= SNW_PARAMETER_JOINT;
}

/* How many numbers a value has. */
static int number_count(const snw_parameter *parameter) {
	const bool is_triple = parameter->kind == SNW_PARAMETER_VECTOR || parameter->kind == SNW_PARAMETER_COLOR;
	return snw_parameter_has_text(parameter) ? 0 : is_triple ? 3 : 1;
}

bool snw_parameter_allows(const snw_parameter *parameter, const snw_value *value) {
	if (snw_parameter_has_text(parameter)) {
		return value->text && !snw_failed(snw_check_text("setting", parameter->key, value->text, NULL));
	}
	const bool is_whole = parameter->kind == SNW_PARAMETER_INTEGER || parameter->kind == SNW_PARAMETER_SWITCH ||
						  parameter->kind == SNW_PARAMETER_CHOICE;
	for (int n = 0; n < number_count(parameter); n++) {
		const double number = value->numbers[n];
		if (!(number >= parameter->minimum && number <= parameter->maximum) || (is_whole && number != floor(number))) {
			return false; /* NaN too */
		}
	}
	return true;
}

bool snw_parameter_same(const snw_parameter *parameter, const snw_value *a, const snw_value *b) {
	if (snw_parameter_has_text(parameter)) {
		return strcmp(a->text ? a->text : "", b->text ? b->text : "") == 0;
	}
	bool is_same = true;
	for (int n = 0; n < number_count(parameter); n++) {
		is_same = is_same && a->numbers[n] == b->numbers[n];
	}
	return is_same;
}

/* The error for a value that its parameter does not allow. */
static snw_status refuse_value(const snw_descriptor *descriptor, const snw_parameter *parameter, const snw_setting *setting,
							   snw_error *error) {
	if (snw_parameter_has_text(parameter) && setting->value.text) {
		snw_error why = {0};
		snw_check_text("setting", setting->key, setting->value.text, &why);
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: %s", descriptor->short_name, why.text);
	}
	snw_arena *scratch = snw_arena_create();
	const snw_status status =
		snw_fail(error, SNW_ERROR_ARGUMENT, "%s: %s cannot be '%s'; expected %s", descriptor->short_name, parameter->key,
				 snw_parameter_text(snw_parameter_has_text(parameter) ? NULL : parameter, &setting->value, scratch),
				 snw_parameter_range_text(parameter, scratch));
	snw_arena_destroy(scratch);
	return status;
}

snw_status snw_settings_check(const snw_descriptor *descriptor, uint32_t count, const snw_setting *settings, snw_error *error) {
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t index = snw_parameter_of_key(descriptor, settings[i].key, NULL);
		if (index == SNW_NONE) {
			return snw_parameter_unknown(descriptor, settings[i].key, error);
		}
		if (!snw_parameter_allows(descriptor->parameters[index], &settings[i].value)) {
			return refuse_value(descriptor, descriptor->parameters[index], &settings[i], error);
		}
	}
	return SNW_OK;
}

/* ---- resolved values ----------------------------------------------------------------------------------------------------- */

/* A field of this name, over points if there is one; SNW_NONE if there is none. */
static uint32_t find_field(const snw_scene *scene, const char *name) {
	uint32_t found = SNW_NONE;
	for (uint32_t i = 0; i < scene->field_count; i++) {
		if (strcmp(scene->fields[i].name, name) == 0) {
			found = i;
			if (scene->fields[i].domain == SNW_DOMAIN_POINTS) {
				break;
			}
		}
	}
	return found;
}

static snw_status check_field(const snw_descriptor *descriptor, const char *key, const snw_scene *scene, const char *name,
							  snw_error *error) {
	static const char *const domains[] = {"points", "faces", "joints", "examples", "frames"};
	const uint32_t field = find_field(scene, name);
	if (field == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: %s: no mesh has a field '%s'; 'sinew info' lists them",
						descriptor->short_name, key, name);
	}
	return scene->fields[field].domain == SNW_DOMAIN_POINTS
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_ARGUMENT, "%s: %s: the field '%s' is over %s; choose one over points",
						  descriptor->short_name, key, name, domains[scene->fields[field].domain]);
}

snw_status snw_value_resolve(const snw_descriptor *descriptor, const snw_parameter *parameter, const char *key,
							 const snw_scene *scene, snw_arena *arena, snw_value *value, snw_error *error) {
	const char *text = value->text ? value->text : "";
	if (parameter->kind == SNW_PARAMETER_JOINT) {
		const uint32_t joint = *text ? snw_scene_find_joint(scene, text) : SNW_NONE;
		if (*text && joint == SNW_NONE) {
			return snw_fail(error, SNW_ERROR_MISSING, "%s: %s: the character has no joint '%s'; 'sinew info' lists them",
							descriptor->short_name, key, text);
		}
		value->numbers[0] = joint == SNW_NONE ? -1.0 : joint;
	} else if (parameter->kind == SNW_PARAMETER_FIELD && *text) {
		return check_field(descriptor, key, scene, text, error);
	} else if (parameter->kind == SNW_PARAMETER_FILE && *text) {
		snw_error why = {0};
		const char *path = snw_path_absolute(arena, scene->folder, text);
		const snw_status status = snw_file_check_readable(path, &why);
		if (snw_failed(status)) {
			return snw_fail(error, status, "%s: %s: %s", descriptor->short_name, key, why.text);
		}
		value->text = path;
	}
	return SNW_OK;
}

/* A value that the deformer may not read at this stage: its joint or file is resolved if it exists. */
static void resolve_unread(const snw_parameter *parameter, const snw_scene *scene, snw_arena *arena, snw_value *value) {
	if (parameter->kind == SNW_PARAMETER_JOINT) {
		const uint32_t joint = snw_scene_find_joint(scene, value->text);
		*value = joint == SNW_NONE ? (snw_value)SNW_NO_JOINT : (snw_value){.numbers = {joint}, .text = value->text};
	} else if (parameter->kind == SNW_PARAMETER_FILE && *value->text) {
		value->text = snw_path_absolute(arena, scene->folder, value->text);
	}
}

snw_status snw_parameters_resolve(const snw_descriptor *descriptor, const snw_layer *layer, const snw_scene *scene,
								  snw_stage first_stage, snw_arena *arena, snw_value *values, snw_error *error) {
	snw_status status = layer ? snw_settings_check(descriptor, layer->setting_count, layer->settings, error) : SNW_OK;
	snw_value *resolved = SNW_NEW_ARRAY(arena, snw_value, descriptor->parameter_count);
	for (uint32_t i = 0; !snw_failed(status) && i < descriptor->parameter_count; i++) {
		const snw_parameter *parameter = descriptor->parameters[i];
		snw_value value = parameter->initial;
		for (uint32_t s = 0; layer && s < layer->setting_count; s++) {
			value = strcmp(layer->settings[s].key, parameter->key) == 0 ? layer->settings[s].value : value;
		}
		value.text = snw_parameter_has_text(parameter) && !value.text ? "" : value.text;
		if (parameter->stage >= (int32_t)first_stage) {
			status = snw_value_resolve(descriptor, parameter, parameter->key, scene, arena, &value, error);
		} else {
			resolve_unread(parameter, scene, arena, &value);
		}
		resolved[i] = value;
	}
	if (!snw_failed(status)) {
		memcpy(values, resolved, descriptor->parameter_count * sizeof *values);
	}
	return status;
}
