/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/units/lengths.h"

#include <math.h>
#include <stdio.h>

typedef struct unit_row {
	const char *name;
	double per_metre;
	int decimals; /* of a millimetre in this unit */
} unit_row;

static const unit_row units[SNW_LENGTH_UNITS] = {
	[SNW_LENGTH_MILLIMETRES] = {"mm", 1000, 0}, [SNW_LENGTH_CENTIMETRES] = {"cm", 100, 1}, [SNW_LENGTH_METRES] = {"m", 1, 3}};

/* Characters up to this size, in metres, are measured in millimetres and centimetres. */
static const double SMALL = 5, LARGE = 50;

static const unit_row *unit_of(const snw_session *session) {
	const double size = session->document ? session->document->size : 0;
	const snw_length_unit chosen = session->preferences.length_unit;
	return &units[chosen != SNW_LENGTH_AUTOMATIC ? chosen
				  : size <= SMALL                ? SNW_LENGTH_MILLIMETRES
				  : size <= LARGE                ? SNW_LENGTH_CENTIMETRES
												 : SNW_LENGTH_METRES];
}

const char *snw_length_unit_name(const snw_session *session) {
	return unit_of(session)->name;
}

double snw_lengths_per_metre(const snw_session *session) {
	return unit_of(session)->per_metre;
}

void snw_length_format(const snw_session *session, int part, char *format, size_t size) {
	const unit_row *unit = unit_of(session);
	const int decimals = unit->decimals + (part >= 100 ? 2 : part >= 10 ? 1 : 0);
	snprintf(format, size, "%%.%df %s", decimals, unit->name);
}

void snw_length_write(const snw_session *session, double metres, char *words, size_t size) {
	const unit_row *unit = unit_of(session);
	snprintf(words, size, "%.*f %s", unit->decimals + 2, metres * unit->per_metre, unit->name);
}

double snw_length_of_erms(double erms, double diagonal) {
	return sqrt(3) * erms / 2000 * diagonal;
}

bool snw_errors_are_lengths(const snw_session *session) {
	return session->preferences.error_unit != SNW_ERRORS_AS_ERMS;
}

const char *snw_error_name(const snw_session *session) {
	return snw_errors_are_lengths(session) ? "mean error" : "E_RMS";
}

double snw_errors_per_erms(const snw_session *session, double diagonal) {
	return snw_errors_are_lengths(session) ? snw_length_of_erms(1, diagonal) * snw_lengths_per_metre(session) : 1;
}

void snw_error_write(const snw_session *session, double erms, double diagonal, char *words, size_t size) {
	if (snw_errors_are_lengths(session)) {
		snw_length_write(session, snw_length_of_erms(erms, diagonal), words, size);
	} else {
		snprintf(words, size, "%.3f", erms);
	}
}
