/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/imgui/wrapping.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static bool is_unit(const char *word, size_t length) {
	static const char *const units[] = {"mm", "cm", "m", "in", "ft", "kB", "MB", "GB", "ms", "s", "%", "×"};
	while (length > 0 && strchr(".,;:)", word[length - 1])) { /* after it */
		length--;
	}
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (strlen(units[i]) == length && strncmp(units[i], word, length) == 0) {
			return true;
		}
	}
	return false;
}

/* Where a line may end, from here on: at a blank, at a line end, or at the end. */
static char *next_break(char *at) {
	char *end = at + strcspn(at, " \n");
	while (*end == ' ' && end > at && isdigit((unsigned char)end[-1]) && is_unit(end + 1, strcspn(end + 1, " \n"))) {
		end += 1 + strcspn(end + 1, " \n");
	}
	return end;
}

void snw_wrap(char *text, float width, float (*measure)(const char *begin, const char *end)) {
	char *line = text, *blank = NULL; /* the last blank of the line */
	for (char *end = next_break(text);; end = next_break(end + 1)) {
		if (blank && measure(line, end) > width) {
			*blank = '\n';
			line = blank + 1;
		}
		if (*end == '\0') {
			return;
		}
		blank = *end == ' ' ? end : NULL;
		line = *end == '\n' ? end + 1 : line;
	}
}
