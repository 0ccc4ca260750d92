/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/error.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Of a text that is too long, its beginning and its end: what is wrong stands behind the path, and paths can be long. */
static void store(const char *text, size_t length, char *dest, size_t room) {
	static const char mark[] = "…";
	if (length < room) {
		memcpy(dest, text, length + 1);
		return;
	}
	size_t begin = room / 3, end = length - (room - begin - sizeof mark);
	while (begin > 0 && ((unsigned char)text[begin] & 0xC0) == 0x80) {
		begin--; /* not within a letter */
	}
	while (((unsigned char)text[end] & 0xC0) == 0x80) {
		end++;
	}
	snprintf(dest, room, "%.*s%s%s", (int)begin, text, mark, text + end);
}

snw_status snw_fail(snw_error *error, snw_status status, const char *format, ...) {
	char text[2 * PATH_MAX + sizeof error->text]; /* two paths */
	if (error) {
		error->status = status;
		va_list arguments;
		va_start(arguments, format);
		const int length = vsnprintf(text, sizeof text, format, arguments);
		va_end(arguments);
		store(text,
			  length < 0                  ? 0
			  : length < (int)sizeof text ? (size_t)length
										  : sizeof text - 1,
			  error->text, sizeof error->text);
	}
	return status;
}

void snw_error_rename(snw_error *error, const char *from, const char *to) {
	const snw_error before = error ? *error : (snw_error){0};
	const char *at = strstr(before.text, from);
	if (at) {
		snw_fail(error, before.status, "%.*s%s%s", (int)(at - before.text), before.text, to, at + strlen(from));
	}
}

const char *snw_status_words(snw_status status) {
	switch (status) {
#define STATUS_WORDS(name, value, words)                                                                                       \
	case SNW_##name:                                                                                                           \
		return words;
		SNW_STATUS_TABLE(STATUS_WORDS)
#undef STATUS_WORDS
	default:
		return "returned a status that is not in the table";
	}
}
