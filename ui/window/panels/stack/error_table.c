/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The error table: linear blend and the stack, before and after the last fit.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "window/panels/panels.h"

static void draw_row(const char *method, const snw_error_row *row, float room) {
	char words[80];
	snw_gui_quiet_text(method);
	snw_gui_same_line(room * 0.52f);
	snprintf(words, sizeof words, "%.3f", row->measure.erms);
	snw_gui_text(words);
	snw_gui_same_line(room * 0.78f);
	snprintf(words, sizeof words, "%.2f %%", row->measure.max_percent);
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
	snw_gui_quiet_text(" ");
	snw_gui_same_line(room * 0.52f);
	snw_gui_quiet_text("E_RMS");
	snw_gui_hint("E_RMS: 1000 × the root mean square distance ÷ half the diagonal of the box at rest.");
	snw_gui_same_line(room * 0.78f);
	snw_gui_quiet_text("largest");
	snw_gui_hint("The largest distance, in percent of the diagonal.");
	const uint32_t before = session->errors_before > 0 ? session->errors_before : session->error_row_count;
	uint32_t after = session->errors_before;
	for (uint32_t i = 0; i < before; i++) {
		const snw_error_row *row = &session->error_rows[i];
		if (subject != row->subject && strcmp(subject, row->subject) != 0) {
			subject = row->subject;
			snw_gui_text(subject);
		}
		/* The stack's row is the last of a subject. The row after the fit follows it. */
		const bool has_after =
			session->errors_before > 0 && strcmp(row->method, "the stack") == 0 && after < session->error_row_count;
		draw_row(has_after ? "stack, before fit" : row->method, row, room);
		if (has_after) {
			draw_row("stack, after fit", &session->error_rows[after++], room);
		}
	}
}
