/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parameter values as text: parsing and formatting.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/color.h"
#include "parameter/parameters.h"

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
		status = snw_parameter_unknown(descriptor, setting.key, error);
	} else if (!parse_value(descriptor->parameters[found], text + length + 1, &setting.value)) {
		status = snw_fail(error, SNW_ERROR_ARGUMENT, "%s: %s cannot be '%s'; expected %s", descriptor->short_name,
						  descriptor->parameters[found]->key, text + length + 1,
						  snw_parameter_range_text(descriptor->parameters[found], scratch));
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

const char *snw_parameter_range_text(const snw_parameter *parameter, snw_arena *arena) {
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
	return place >= 0 && place < words && snw_parameter_allows(parameter, value) ? parameter->choices[(int)place] : NULL;
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
	if (parameter && parameter->kind == SNW_PARAMETER_COLOR && snw_parameter_allows(parameter, value)) {
		word = hex_text(numbers, arena);
	}
	const bool is_triple = parameter ? parameter->kind == SNW_PARAMETER_VECTOR || parameter->kind == SNW_PARAMETER_COLOR
									 : numbers[1] != 0 || numbers[2] != 0;
	return word        ? word
		   : is_triple ? snw_arena_format(arena, "%g,%g,%g", numbers[0], numbers[1], numbers[2])
					   : snw_arena_format(arena, "%g", numbers[0]);
}
