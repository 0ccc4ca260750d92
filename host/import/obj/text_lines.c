/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/obj/text_lines.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

snw_text_lines snw_text_start(snw_bytes bytes) {
	const char *at = (const char *)bytes.data;
	return (snw_text_lines){.at = at, .end = at + bytes.count, .line = 1};
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

/* Decimal digits as mantissa · 10^exponent; `exact` while the mantissa holds them all. */
typedef struct decimal {
	uint64_t mantissa;
	int64_t exponent;
	bool any, exact;
} decimal;

static const char *read_digits(const char *at, bool fraction, decimal *number) {
	for (; *at >= '0' && *at <= '9'; at++) {
		number->any = true;
		if (number->mantissa <= (UINT64_MAX - 9) / 10) {
			number->mantissa = 10 * number->mantissa + (uint64_t)(*at - '0');
			number->exponent -= fraction;
		} else {
			number->exact = false;
			number->exponent += !fraction;
		}
	}
	return at;
}

/* The position after the exponent; NULL if 'e' has no digits. */
static const char *read_exponent(const char *at, decimal *number) {
	if (*at != 'e' && *at != 'E') {
		return at;
	}
	at++;
	const bool negative = *at == '-';
	at += *at == '-' || *at == '+';
	if (*at < '0' || *at > '9') {
		return NULL;
	}
	int64_t exponent = 0;
	for (; *at >= '0' && *at <= '9'; at++) {
		exponent = exponent < 100000 ? 10 * exponent + (*at - '0') : exponent;
	}
	number->exponent += negative ? -exponent : exponent;
	return at;
}

bool snw_text_number(snw_text_lines *text, double *number) {
	static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
									1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	if (snw_text_line_done(text)) {
		return false;
	}
	const char *at = text->at;
	const bool negative = *at == '-';
	at += *at == '-' || *at == '+';
	decimal d = {.exact = true};
	at = read_digits(at, false, &d);
	if (*at == '.') {
		at = read_digits(at + 1, true, &d);
	}
	at = d.any ? read_exponent(at, &d) : NULL;
	if (!at || !(is_break(*at) || is_continuation(at))) {
		return false;
	}
	double value;
	if (d.exact && d.mantissa <= (uint64_t)1 << 53 && d.exponent >= -22 && d.exponent <= 22) {
		/* Both factors are exact in double, so the result is rounded once and correct. */
		value = d.exponent < 0 ? (double)d.mantissa / powers[-d.exponent] : (double)d.mantissa * powers[d.exponent];
		value = negative ? -value : value;
	} else {
		const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
		value = strtod_l(text->at, NULL, c_locale);
		freelocale(c_locale);
	}
	if (!isfinite(value)) {
		return false;
	}
	text->at = at;
	*number = value;
	return true;
}
