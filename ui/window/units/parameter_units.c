/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/units/parameter_units.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

enum { LONGEST_UNIT = 12 };

/* "rad" and "rad/m", not "radius". */
static bool is_angle(const char *unit) {
	return strncmp(unit, "rad", 3) == 0 && (unit[3] == '\0' || unit[3] == '/');
}

double snw_parameter_unit_scale(const char *unit) {
	return is_angle(unit) ? 180 / M_PI : 1;
}

/* Appends whole letters while there is room; a `doubled` one is written twice. */
static void append(const char *from, char doubled, char *text, size_t size) {
	size_t used = strlen(text);
	for (size_t length; *from; from += length) {
		const size_t letter = snw_text_letter(from);
		const bool is_doubled = doubled && *from == doubled;
		length = letter > 0 ? letter : 1;
		if (used + length + is_doubled >= size) {
			break;
		}
		memcpy(text + used, from, length);
		used += length;
		if (is_doubled) {
			text[used++] = doubled;
		}
	}
	text[used] = '\0';
}

void snw_parameter_unit_words(const char *unit, char *words, size_t size) {
	char shown[LONGEST_UNIT + 1] = "";
	append(is_angle(unit) ? unit + 3 : unit, '\0', shown, sizeof shown);
	snprintf(words, size, "%s%s", is_angle(unit) ? "°" : unit[0] ? " " : "", shown);
}

void snw_parameter_unit_format(const char *number, const char *words, char *format, size_t size) {
	snprintf(format, size, "%s", number);
	append(words, '%', format, size);
}
