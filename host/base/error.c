/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/error.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- error --------------------------------------------------------------------------------------------------------------- */

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

/* ---- text ---------------------------------------------------------------------------------------------------------------- */

size_t snw_text_letter(const char *text) {
	const unsigned char *t = (const unsigned char *)text;
	const size_t length = t[0] < 0x80                   ? t[0] != 0
						  : t[0] >= 0xc2 && t[0] < 0xe0 ? 2
						  : t[0] >= 0xe0 && t[0] < 0xf0 ? 3
						  : t[0] >= 0xf0 && t[0] < 0xf5 ? 4
														: 0;
	for (size_t i = 1; i < length; i++) {
		if ((t[i] & 0xc0) != 0x80) {
			return 0;
		}
	}
	const bool overlong = (t[0] == 0xe0 && t[1] < 0xa0) || (t[0] == 0xf0 && t[1] < 0x90);
	const bool outside = (t[0] == 0xed && t[1] > 0x9f) || (t[0] == 0xf4 && t[1] > 0x8f);
	return overlong || outside ? 0 : length;
}

size_t snw_text_control(const char *text) {
	const unsigned char *t = (const unsigned char *)text;
	if (t[0] < 0x20 || t[0] == 0x7f) {
		return 1;
	}
	return t[0] == 0xc2 && t[1] >= 0x80 && t[1] <= 0x9f ? 2 : 0;
}

bool snw_text_clean(char *text, char instead) {
	bool has_control = false;
	char *to = text;
	for (const char *from = text; *from;) {
		const size_t control = snw_text_control(from), length = control ? control : snw_text_letter(from);
		has_control = has_control || control;
		if (control || length == 0) {
			*to++ = instead;
		} else {
			memmove(to, from, length);
			to += length;
		}
		from += length ? length : 1;
	}
	*to = '\0';
	return has_control;
}

const char *snw_text_short(const char *text, snw_arena *arena) {
	enum { MOST = 60 };
	size_t length = 0;
	for (size_t letter; text[length] && length < MOST; length += letter) {
		letter = snw_text_letter(text + length);
		letter = letter ? letter : 1;
	}
	return text[length] ? snw_arena_format(arena, "%.*s…", (int)length, text) : text;
}
