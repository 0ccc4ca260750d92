/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The error table: linear blend and the stack, before and after the last fit.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "window/panels/panels.h"
#include "window/units/lengths.h"

static void write_largest(const snw_session *session, const snw_error_row *row, char *words, size_t size) {
	if (!snw_errors_are_lengths(session)) {
		snprintf(words, size, "–"); /* it is a mean */
	} else {
		snw_length_write(session, row->measure.max_percent / 100 * row->diagonal, words, size);
	}
}

void snw_panel_error_unit(snw_session *session) {
	const char *const labels[] = {snw_length_unit_name(session), "E_RMS"};
	static const char *const hints[] = {"Distances. Edit > Preferences sets their unit.",
										"As in the papers, for comparing characters of different sizes: 1000 × the root mean "
										"square of the coordinates' errors ÷ half "
										"the diagonal of the box around the mesh at rest."};
	static const char *const names[] = {"error-unit length", "error-unit erms"};
	uint32_t unit = session->preferences.error_unit;
	if (snw_gui_choice(labels, hints, SNW_ERROR_UNITS, &unit)) {
		snw_emit_text(&session->queue, SNW_DO_PREFER, names[unit]);
	}
}

static void draw_error_row(const snw_session *session, const char *method, const snw_error_row *row, float room) {
	char words[80];
	snw_gui_quiet_text(method);
	snw_gui_same_line(room * 0.45f);
	snw_error_write(session, row->measure.erms, row->diagonal, words, sizeof words);
	snw_gui_text(words);
	snw_gui_same_line(room * 0.74f);
	write_largest(session, row, words, sizeof words);
	snw_gui_text(words);
}

/* What the stack does where the examples leave the skin as it is. */
static void draw_spill(const snw_session *session, const snw_error_row *row, float room) {
	char words[80];
	if (!row->of_stack || isnan(row->measure.spill_mm)) {
		return;
	}
	snw_gui_quiet_text("Spill");
	snw_gui_hint("How far the skin is moved where these examples do not move it: by other layers and by other examples.");
	snw_gui_same_line(room * 0.45f);
	snw_length_write(session, row->measure.spill_mm / 1000, words, sizeof words);
	snw_gui_text(words);
	snw_gui_same_line(room * 0.74f);
	snw_length_write(session, row->measure.spill_max_mm / 1000, words, sizeof words);
	snw_gui_text(words);
}

void snw_panel_errors(snw_session *session) {
	if (session->error_row_count == 0 || !snw_gui_section("ERROR")) {
		return;
	}
	const float room = snw_gui_available_width();
	const char *subject = "";
	if (session->fitted[0]) {
		snw_gui_text(session->fitted);
	}
	snw_panel_error_unit(session);
	snw_gui_quiet_text(" ");
	snw_gui_same_line(room * 0.45f);
	snw_gui_quiet_text("Mean");
	snw_gui_hint("The root mean square.");
	snw_gui_same_line(room * 0.74f);
	snw_gui_quiet_text("Largest");
	snw_gui_hint("The largest distance of a point.");
	const uint32_t before = session->errors_before > 0 ? session->errors_before : session->error_row_count;
	uint32_t after = session->errors_before;
	for (uint32_t i = 0; i < before; i++) {
		const snw_error_row *row = &session->error_rows[i];
		if (subject != row->subject && strcmp(subject, row->subject) != 0) {
			subject = row->subject;
			snw_gui_text(subject);
		}
		/* The stack's row is the last of a subject. The row after the fit follows it. */
		const bool has_after = session->errors_before > 0 && row->of_stack && after < session->error_row_count;
		draw_error_row(session, has_after ? "Before the fit" : row->method, row, room);
		if (has_after) {
			row = &session->error_rows[after++];
			draw_error_row(session, "After the fit", row, room);
		}
		draw_spill(session, row, room);
	}
}
