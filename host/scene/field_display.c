/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/field_display.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool snw_field_is_color(const snw_field *field) {
	return field->unit && strcmp(field->unit, SNW_UNIT_COLOR) == 0;
}

bool snw_field_is_length(const snw_field *field) {
	return field->unit && strcmp(field->unit, "m") == 0;
}

double snw_field_number(const snw_field *field, uint32_t element) {
	const double *values = field->values + (size_t)element * field->components;
	double square = 0;
	for (uint32_t c = 0; c < field->components; c++) {
		square += values[c] * values[c];
	}
	return field->components == 1 ? values[0] : sqrt(square);
}

void snw_field_title(const snw_field *field, char *title, size_t bytes) {
	const bool is_color = snw_field_is_color(field);
	const char *unit = snw_field_is_length(field) ? "mm"
					   : field->unit && !is_color ? field->unit
												  : "",
			   *quantity = field->components == 1 || is_color ? "" : "length";
	if (!quantity[0] && !unit[0]) {
		snprintf(title, bytes, "%s", field->name);
	} else {
		snprintf(title, bytes, "%s (%s%s%s)", field->name, quantity, quantity[0] && unit[0] ? ", " : "", unit);
	}
}
