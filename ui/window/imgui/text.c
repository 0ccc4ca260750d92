/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/imgui/shim.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* ---- wrapping ------------------------------------------------------------------------------------------------------------ */

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

/* ---- packages of fonts --------------------------------------------------------------------------------------------------- */

static const struct {
	uint32_t first, last;
	const char *package;
} ranges[] = {
	{0x1100, 0x11ff, "fonts-noto-cjk"},         /* Hangul letters */
	{0x2600, 0x27bf, "fonts-noto-color-emoji"}, /* symbols and dingbats */
	{0x2e80, 0x9fff, "fonts-noto-cjk"},         /* from radicals to ideographs, with kana and Bopomofo */
	{0xa960, 0xa97f, "fonts-noto-cjk"},         /* Hangul letters */
	{0xac00, 0xd7ff, "fonts-noto-cjk"},         /* Hangul syllables */
	{0xe000, 0xf8ff, NULL},                     /* private use */
	{0xf900, 0xfaff, "fonts-noto-cjk"},         /* compatibility ideographs */
	{0xfe30, 0xfe4f, "fonts-noto-cjk"},         /* compatibility forms */
	{0xff00, 0xffef, "fonts-noto-cjk"},         /* full width and half width */
	{0x1f000, 0x1faff, "fonts-noto-color-emoji"},
	{0x20000, 0x3ffff, "fonts-noto-cjk"}, /* rarer ideographs */
	{0xf0000, 0x10ffff, NULL},            /* private use */
};

const char *snw_font_package(uint32_t character) {
	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
		if (character >= ranges[i].first && character <= ranges[i].last) {
			return ranges[i].package;
		}
	}
	return character == 0xfffd ? NULL : "fonts-noto-core";
}
