/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/common/text_lines.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"

snw_text_lines snw_text_start(snw_bytes bytes) {
	static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8, which some editors write */
	const char *at = (const char *)bytes.data;
	const size_t skipped = bytes.count >= 3 && memcmp(at, mark, 3) == 0 ? 3 : 0;
	return (snw_text_lines){.at = at + skipped, .end = at + bytes.count, .line = 1};
}

static bool is_line_end(char c) {
	return c == '\n' || c == '\r';
}

/* The bytes that end a word. A zero byte ends the text, or counts as a break inside it. */
static bool is_break(char c) {
	return c == ' ' || c == '\t' || is_line_end(c) || c == '\0';
}

/* The position after a line end: \n, \r\n, or a lone \r. */
static const char *after_line_end(const char *at) {
	return at + (at[0] == '\r' && at[1] == '\n' ? 2 : 1);
}

static bool is_continuation(const char *at) {
	return at[0] == '\\' && is_line_end(at[1]);
}

static void skip_blanks(snw_text_lines *text) {
	for (;;) {
		if (*text->at == ' ' || *text->at == '\t') {
			text->at++;
		} else if (is_continuation(text->at)) {
			text->at = after_line_end(text->at + 1);
			text->line++;
		} else {
			return;
		}
	}
}

bool snw_text_line_done(snw_text_lines *text) {
	skip_blanks(text);
	return text->at >= text->end || is_line_end(*text->at) || *text->at == '#';
}

void snw_text_next_line(snw_text_lines *text) {
	bool comment = false; /* a backslash at the end of a comment continues nothing */
	while (text->at < text->end) {
		const char c = *text->at;
		if (is_line_end(c)) {
			text->at = after_line_end(text->at);
			text->line++;
			return;
		}
		comment = comment || c == '#';
		if (!comment && is_continuation(text->at)) {
			text->at = after_line_end(text->at + 1);
			text->line++;
		} else {
			text->at++;
		}
	}
}

bool snw_text_word(snw_text_lines *text, const char **word, size_t *length) {
	if (snw_text_line_done(text)) {
		return false;
	}
	*word = text->at;
	while (text->at < text->end && !is_break(*text->at) && !is_continuation(text->at)) {
		text->at++;
	}
	*length = (size_t)(text->at - *word);
	if (*length == 0) { /* a zero byte inside the text is a word */
		*length = 1;
		text->at++;
	}
	return true;
}

char *snw_text_rest(snw_text_lines *text, snw_arena *arena) {
	skip_blanks(text);
	const char *start = text->at;
	while (text->at < text->end && !is_line_end(*text->at)) {
		text->at++;
	}
	const char *stop = text->at;
	while (stop > start && (stop[-1] == ' ' || stop[-1] == '\t')) {
		stop--;
	}
	char *rest = snw_arena_acquire(arena, (size_t)(stop - start) + 1);
	memcpy(rest, start, (size_t)(stop - start));
	return rest;
}

bool snw_text_number(snw_text_lines *text, double *number) {
	double value;
	const char *at = snw_text_line_done(text) ? NULL : snw_read_number(text->at, &value);
	if (!at || !(is_break(*at) || is_continuation(at)) || !isfinite(value)) {
		return false;
	}
	text->at = at;
	*number = value;
	return true;
}
