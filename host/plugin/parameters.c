/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Settings against a deformer's parameter table.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/registry.h"
#include "scene/scene.h"

/* Appends to a line that may be cut short, never overrun. */
static void append(char *line, size_t bytes, const char *separator, const char *word) {
	const size_t used = strlen(line);
	snprintf(line + used, bytes - used, "%s%s", used > 0 ? separator : "", word);
}

static snw_status unknown_key(const snw_descriptor *descriptor, const char *key, snw_error *error) {
	char keys[600] = "";
	for (uint32_t i = 0; i < descriptor->parameter_count; i++) {
		append(keys, sizeof keys, ", ", descriptor->parameters[i]->key);
	}
	if (keys[0] == 0) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s has no parameter '%s'; it has no parameters", descriptor->short_name,
						key);
	}
	return snw_fail(error, SNW_ERROR_ARGUMENT, "%s has no parameter '%s'; it has: %s", descriptor->short_name, key, keys);
}

/* What may stand behind "key=", in words. */
static void allowed_words(const snw_parameter *p, char *line, size_t bytes) {
	line[0] = 0;
	if (p->kind == SNW_PARAMETER_SWITCH) {
		snprintf(line, bytes, "0 or 1");
	} else if (p->kind == SNW_PARAMETER_CHOICE) {
		for (uint32_t i = 0; p->choices[i]; i++) {
			append(line, bytes, ", ", p->choices[i]);
		}
	} else {
		const char *word = p->choices ? p->choices[0] : "";
		snprintf(line, bytes, "%s%s%s from %g to %g%s%s", word, word[0] ? ", or " : "",
				 p->kind == SNW_PARAMETER_INTEGER ? "whole numbers" : "numbers", p->minimum + (word[0] ? 1 : 0), p->maximum,
				 p->unit[0] ? " " : "", p->unit);
	}
}

static snw_status not_allowed(const snw_descriptor *descriptor, const snw_parameter *p, const char *given, snw_error *error) {
	char allowed[600];
	allowed_words(p, allowed, sizeof allowed);
	return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: %s cannot be '%s'; expected %s", descriptor->short_name, p->key, given,
					allowed);
}

static int value_fits(const snw_parameter *p, double value) {
	const int whole = p->kind == SNW_PARAMETER_NUMBER || value == floor(value);
	return whole && value >= p->minimum && value <= p->maximum; /* false for NaN */
}

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

size_t snw_parameter_key_length(const char *text) {
	const char *first = strchr(text, '='), *at = strchr(text, '@');
	const char *equals = first && at && at < first ? strrchr(text, '=') : first;
	return equals ? (size_t)(equals - text) : strlen(text);
}

static snw_status no_parameter(const snw_descriptor *descriptor, const char *key, snw_error *error) {
	const char *at = strchr(key, '@');
	if (at && find_parameter(descriptor, key, (size_t)(at - key)) != SNW_NONE) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: %.*s cannot be set for '%s' alone; set it for the whole layer",
						descriptor->short_name, (int)(at - key), key, at + 1);
	}
	return unknown_key(descriptor, key, error);
}

snw_status snw_parameters_resolve(const snw_descriptor *descriptor, const snw_layer *layer, snw_value *values,
								  snw_error *error) {
	const uint32_t setting_count = layer ? layer->setting_count : 0;
	for (uint32_t i = 0; i < setting_count; i++) {
		const snw_setting *setting = &layer->settings[i];
		const uint32_t index = snw_parameter_of_key(descriptor, setting->key, NULL);
		if (index == SNW_NONE) {
			return no_parameter(descriptor, setting->key, error);
		}
		if (!value_fits(descriptor->parameters[index], setting->value)) {
			char given[40];
			snprintf(given, sizeof given, "%g", setting->value);
			return not_allowed(descriptor, descriptor->parameters[index], given, error);
		}
	}
	for (uint32_t i = 0; i < descriptor->parameter_count; i++) {
		values[i] = descriptor->parameters[i]->initial;
	}
	for (uint32_t i = 0; i < setting_count; i++) {
		const char *name;
		const uint32_t index = snw_parameter_of_key(descriptor, layer->settings[i].key, &name);
		if (!name) {
			values[index] = (snw_value){.numbers = {layer->settings[i].value}};
		}
	}
	return SNW_OK;
}

/* NaN where the text is no value of that parameter's kind. */
static double value_of_text(const snw_parameter *p, const char *text) {
	if (p->kind == SNW_PARAMETER_CHOICE) {
		for (uint32_t i = 0; p->choices[i]; i++) {
			if (strcmp(p->choices[i], text) == 0) {
				return i;
			}
		}
	}
	if (p->kind == SNW_PARAMETER_INTEGER && p->choices && strcmp(p->choices[0], text) == 0) {
		return p->minimum;
	}
	if (p->kind == SNW_PARAMETER_SWITCH) {
		static const char *const words[] = {"off", "on", "false", "true", "no", "yes"};
		for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++) {
			if (strcmp(words[i], text) == 0) {
				return i % 2;
			}
		}
	}
	char *end;
	const double value = strtod(text, &end);
	return end == text || *end != 0 ? (double)NAN : value;
}

snw_status snw_parameter_parse(const snw_descriptor *descriptor, const char *text, uint32_t *index, double *value,
							   snw_error *error) {
	const size_t length = snw_parameter_key_length(text);
	if (length == 0 || text[length] != '=') {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "'%s': expected key=value", text);
	}
	char key[400];
	snprintf(key, sizeof key, "%.*s", (int)length, text);
	const uint32_t found = snw_parameter_of_key(descriptor, key, NULL);
	if (found == SNW_NONE) {
		return no_parameter(descriptor, key, error);
	}
	const snw_parameter *p = descriptor->parameters[found];
	const double parsed = value_of_text(p, text + length + 1);
	if (!value_fits(p, parsed)) {
		return not_allowed(descriptor, p, text + length + 1, error);
	}
	*index = found;
	*value = parsed;
	return SNW_OK;
}

const char *snw_parameter_word(const snw_parameter *parameter, double value) {
	if (parameter->kind == SNW_PARAMETER_CHOICE) {
		return parameter->choices[(int)value];
	}
	const bool named = parameter->kind == SNW_PARAMETER_INTEGER && parameter->choices && value == parameter->minimum;
	return named ? parameter->choices[0] : NULL;
}
