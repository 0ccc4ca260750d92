/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Output: lines for people, or one JSON object for scripts.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "cli/command_line/verb.h"

void snw_say(const snw_call *call, const char *format, ...) {
	if (call->quiet || call->json) {
		return;
	}
	snw_terminal_clear();
	va_list arguments;
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
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
