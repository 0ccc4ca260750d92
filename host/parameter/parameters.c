/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parameter/parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/color.h"
#include "file/file.h"
#include "scene/check.h"

static const char *parameter_range_text(const snw_parameter *parameter, snw_arena *arena);

/* ---- settings ------------------------------------------------------------------------------------------------------------ */

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

/* SNW_ERROR_ARGUMENT: the deformer has no such parameter, or it cannot be overridden. The message lists its parameters. */
static snw_status parameter_unknown(const snw_descriptor *descriptor, const char *key, snw_error *error) {
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

/* Whether the table allows the value. */
static bool parameter_allows(const snw_parameter *parameter, const snw_value *value) {
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
				 parameter_range_text(parameter, scratch));
	snw_arena_destroy(scratch);
	return status;
}

snw_status snw_settings_check(const snw_descriptor *descriptor, uint32_t count, const snw_setting *settings, snw_error *error) {
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t index = snw_parameter_of_key(descriptor, settings[i].key, NULL);
		if (index == SNW_NONE) {
			return parameter_unknown(descriptor, settings[i].key, error);
		}
		if (!parameter_allows(descriptor->parameters[index], &settings[i].value)) {
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

/* ---- parameter text ------------------------------------------------------------------------------------------------------ */

/* Parameter values as text: parsing and formatting. */

/* ---- from text ----------------------------------------------------------------------------------------------------------- */

/* The whole text as one number; false if it is anything else. */
static bool parse_number(const char *text, double *number) {
	char *end;
	*number = strtod(text, &end);
	return end != text && *end == 0;
}

/* "0,1,0" */
static bool parse_triple(const char *text, double numbers[3]) {
	for (int n = 0; n < 3; n++) {
		char *end;
		numbers[n] = strtod(text, &end);
		if (end == text || *end != (n < 2 ? ',' : 0)) {
			return false;
		}
		text = end + 1;
	}
	return true;
}

/* "#ff8800" */
static bool parse_hex_color(const char *text, double linear[3]) {
	if (text[0] != '#' || strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6) {
		return false;
	}
	const unsigned long rgb = strtoul(text + 1, NULL, 16);
	for (int c = 0; c < 3; c++) {
		linear[c] = snw_linear_from_srgb((double)(rgb >> (16 - 8 * c) & 0xff) / 255);
	}
	return true;
}

static bool parse_choice(const snw_parameter *p, const char *text, double *number) {
	for (uint32_t i = 0; p->choices[i]; i++) {
		if (strcmp(p->choices[i], text) == 0) {
			*number = i;
			return true;
		}
	}
	return parse_number(text, number);
}

/* Words stand for the lowest values, which are not allowed as numbers. */
static bool parse_integer(const snw_parameter *p, const char *text, double *number) {
	const uint32_t words = snw_parameter_word_count(p);
	for (uint32_t i = 0; i < words; i++) {
		if (strcmp(p->choices[i], text) == 0) {
			*number = p->minimum + i;
			return true;
		}
	}
	return parse_number(text, number) && !(*number >= p->minimum && *number < p->minimum + words);
}

static bool parse_switch(const char *text, double *number) {
	static const char *const words[] = {"off", "on", "false", "true", "no", "yes"};
	for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (strcmp(words[i], text) == 0) {
			*number = i % 2;
			return true;
		}
	}
	return parse_number(text, number);
}

static bool parse_value(const snw_parameter *p, const char *text, snw_value *value) {
	*value = (snw_value){0};
	switch (p->kind) {
	case SNW_PARAMETER_NUMBER:
		return parse_number(text, value->numbers);
	case SNW_PARAMETER_INTEGER:
		return parse_integer(p, text, value->numbers);
	case SNW_PARAMETER_SWITCH:
		return parse_switch(text, value->numbers);
	case SNW_PARAMETER_CHOICE:
		return parse_choice(p, text, value->numbers);
	case SNW_PARAMETER_VECTOR:
		return parse_triple(text, value->numbers);
	case SNW_PARAMETER_COLOR:
		return parse_hex_color(text, value->numbers) || parse_triple(text, value->numbers);
	default:
		value->text = text;
		return true;
	}
}

snw_status snw_parameter_parse(const snw_descriptor *descriptor, const char *text, uint32_t *index, snw_value *value,
							   snw_error *error) {
	const size_t length = snw_parameter_key_length(text);
	if (length == 0 || text[length] != '=') {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "'%s': expected KEY=VALUE", text);
	}
	snw_arena *scratch = snw_arena_create();
	snw_setting setting = {.key = snw_arena_format(scratch, "%.*s", (int)length, text)};
	const uint32_t found = snw_parameter_of_key(descriptor, setting.key, NULL);
	snw_status status = SNW_OK;
	if (found == SNW_NONE) {
		status = parameter_unknown(descriptor, setting.key, error);
	} else if (!parse_value(descriptor->parameters[found], text + length + 1, &setting.value)) {
		status = snw_fail(error, SNW_ERROR_ARGUMENT, "%s: %s cannot be '%s'; expected %s", descriptor->short_name,
						  descriptor->parameters[found]->key, text + length + 1,
						  parameter_range_text(descriptor->parameters[found], scratch));
	} else {
		status = snw_settings_check(descriptor, 1, &setting, error);
	}
	if (!snw_failed(status)) {
		*index = found;
		*value = setting.value;
	}
	snw_arena_destroy(scratch);
	return status;
}

/* ---- to text ------------------------------------------------------------------------------------------------------------- */

/* The allowed values as text: "numbers from 0 to 1 m". */
static const char *parameter_range_text(const snw_parameter *parameter, snw_arena *arena) {
	const char *unit = parameter->unit[0] ? snw_arena_format(arena, " %s", parameter->unit) : "";
	const uint32_t words = snw_parameter_word_count(parameter);
	const char *text = "";
	for (uint32_t i = 0; i < words; i++) {
		text = snw_arena_format(arena, "%s%s%s", text, i > 0 ? ", " : "", parameter->choices[i]);
	}
	switch (parameter->kind) {
	case SNW_PARAMETER_SWITCH:
		return "0 or 1";
	case SNW_PARAMETER_CHOICE:
		return text;
	case SNW_PARAMETER_INTEGER:
		return snw_arena_format(arena, "%s%swhole numbers from %g to %g%s", text, words > 0 ? ", or " : "",
								parameter->minimum + words, parameter->maximum, unit);
	case SNW_PARAMETER_VECTOR:
		return snw_arena_format(arena, "x,y,z, each from %g to %g%s", parameter->minimum, parameter->maximum, unit);
	case SNW_PARAMETER_COLOR:
		return "a colour as #ff8800, or red,green,blue of linear light, each from 0 to 1";
	case SNW_PARAMETER_JOINT:
		return "the name of a joint, or nothing for none";
	case SNW_PARAMETER_FIELD:
		return "the name of a field over points, or nothing for none";
	case SNW_PARAMETER_TEXT:
		return snw_arena_format(arena, "a line of at most %d bytes", SNW_LONGEST_TEXT);
	case SNW_PARAMETER_FILE:
		return "the path of a file, or nothing for none";
	default:
		return snw_arena_format(arena, "numbers from %g to %g%s", parameter->minimum, parameter->maximum, unit);
	}
}

uint32_t snw_parameter_word_count(const snw_parameter *parameter) {
	uint32_t count = 0;
	while (parameter->choices && parameter->choices[count]) {
		count++;
	}
	return count;
}

const char *snw_parameter_word(const snw_parameter *parameter, const snw_value *value) {
	const uint32_t words = snw_parameter_word_count(parameter);
	const double place = value->numbers[0] - parameter->minimum;
	return place >= 0 && place < words && parameter_allows(parameter, value) ? parameter->choices[(int)place] : NULL;
}

/* "#ff8800" if that gives the same numbers again; else NULL. */
static const char *hex_text(const double linear[3], snw_arena *arena) {
	unsigned bytes[3];
	double again[3];
	for (int c = 0; c < 3; c++) {
		bytes[c] = (unsigned)lround(255 * snw_srgb_from_linear(linear[c]));
	}
	const char *text = snw_arena_format(arena, "#%02x%02x%02x", bytes[0], bytes[1], bytes[2]);
	return parse_hex_color(text, again) && memcmp(again, linear, sizeof again) == 0 ? text : NULL;
}

const char *snw_parameter_text(const snw_parameter *parameter, const snw_value *value, snw_arena *arena) {
	const double *numbers = value->numbers;
	if (parameter ? snw_parameter_has_text(parameter) : value->text != NULL) {
		return value->text ? value->text : "";
	}
	const char *word = parameter ? snw_parameter_word(parameter, value) : NULL;
	if (parameter && parameter->kind == SNW_PARAMETER_COLOR && parameter_allows(parameter, value)) {
		word = hex_text(numbers, arena);
	}
	const bool is_triple = parameter ? parameter->kind == SNW_PARAMETER_VECTOR || parameter->kind == SNW_PARAMETER_COLOR
									 : numbers[1] != 0 || numbers[2] != 0;
	return word        ? word
		   : is_triple ? snw_arena_format(arena, "%g,%g,%g", numbers[0], numbers[1], numbers[2])
					   : snw_arena_format(arena, "%g", numbers[0]);
}
