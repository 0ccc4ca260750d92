/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Output: lines for people, or one JSON object for scripts.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/command_line/verb.h"

const char *snw_without_control(snw_arena *arena, const char *text) {
	char *clean = snw_arena_format(arena, "%s", text);
	snw_text_clean(clean, '_');
	return clean;
}

static char *format_list(snw_arena *arena, const char *format, va_list arguments) {
	va_list again;
	va_copy(again, arguments);
	const int length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	char *text = SNW_NEW_ARRAY(arena, char, (size_t)(length > 0 ? length : 0) + 1);
	vsnprintf(text, (size_t)(length > 0 ? length : 0) + 1, format, arguments);
	return text;
}

void snw_say(const snw_call *call, const char *format, ...) {
	if (call->quiet || call->json) {
		return;
	}
	snw_terminal_clear();
	va_list arguments;
	va_start(arguments, format);
	char *line = format_list(call->arena, format, arguments);
	va_end(arguments);
	for (char *end; line; line = end ? end + 1 : NULL) {
		end = strchr(line, '\n');
		if (end) {
			*end = '\0';
		}
		snw_text_clean(line, '_');
		puts(line);
	}
}

void snw_print_json(const char *text) {
	while (*text) {
		const size_t control = *text == '\n' || *text == '\t' ? 0 : snw_text_control(text), letter = snw_text_letter(text);
		if (control) { /* U+007F to U+009F: JSON would allow these */
			printf("\\u%04x", (unsigned char)text[control - 1]);
		} else if (letter == 0) {
			printf("\\ufffd");
		} else {
			fwrite(text, 1, letter, stdout);
		}
		text += letter ? letter : 1;
	}
	putchar('\n');
}

const char *snw_padded(const snw_call *call, const char *text, int columns) {
	int used = 0;
	for (const char *at = text; *at; at++) {
		used += ((unsigned char)*at & 0xc0) != 0x80; /* the first byte of each letter */
	}
	return snw_arena_format(call->arena, "%s%*s", text, used < columns ? columns - used : 0, "");
}

void snw_answer_text(cJSON *object, const char *key, const char *text) {
	if (object && text) {
		cJSON_AddStringToObject(object, key, text);
	} else if (object) {
		cJSON_AddNullToObject(object, key);
	}
}

void snw_answer_number(cJSON *object, const char *key, double number) {
	if (object && isfinite(number)) {
		cJSON_AddNumberToObject(object, key, number);
	} else if (object) {
		cJSON_AddNullToObject(object, key);
	}
}

void snw_answer_bool(cJSON *object, const char *key, bool value) {
	if (object) {
		cJSON_AddBoolToObject(object, key, value);
	}
}

cJSON *snw_answer_list(cJSON *object, const char *key) {
	return object ? cJSON_AddArrayToObject(object, key) : NULL;
}

cJSON *snw_answer_row(cJSON *list) {
	if (!list) {
		return NULL;
	}
	cJSON *row = cJSON_CreateObject();
	cJSON_AddItemToArray(list, row);
	return row;
}
