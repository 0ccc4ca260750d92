/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

snw_status snw_fail(snw_error *error, snw_status status, const char *format, ...) {
	if (error) {
		error->status = status;
		va_list arguments;
		va_start(arguments, format);
		vsnprintf(error->text, sizeof error->text, format, arguments);
		va_end(arguments);
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
