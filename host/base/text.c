/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"

#include <string.h>

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
