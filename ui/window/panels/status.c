/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The status line: what the mouse buttons do, the last message, and the job that runs.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "window/document/titles.h"
#include "window/input/hints.h"
#include "window/panels/panels.h"

static float draw_work(const snw_layout *layout, snw_session *session, float y) {
	const float k = layout->scale, width = 110 * k, x = layout->width - width - 16 * k;
	char words[160];
	snw_job_thread_progress(session->job_thread, &session->progress);
	const snw_progress *progress = &session->progress;
	if (!progress->label || (progress->seconds < 0.25 && !progress->is_long)) {
		return layout->width;
	}
	snw_words_with_titles(session->registry, progress->label, words, sizeof words);
	const float height = 6 * k, middle = y + snw_gui_line_height() / 2, text = snw_gui_width_of(words);
	snw_gui_fill(x, middle - height / 2, width, height, height / 2, SNW_GROOVE);
	snw_gui_fill(x, middle - height / 2, (float)(progress->fraction > 0.04 ? progress->fraction : 0.04) * width, height,
				 height / 2, (uint32_t)SNW_AMBER);
	if (x - text < 26 * k) { /* the line has room for the bar alone */
		return x - 10 * k;
	}
	snw_gui_write(x - text - 10 * k, y, (uint32_t)SNW_INK, words);
	return x - text - 20 * k;
}

/* The message, at the right; if it is too long for the line, or a dialog dims the line, in a box above it. Returns its left
 * edge. Without a status line only failures are shown. */
static float draw_message(const snw_layout *layout, const snw_view_state *state, float y, float end) {
	const float k = layout->scale, margin = 16 * k, width = snw_gui_width_of(state->message);
	const uint32_t color = state->alarmed ? (uint32_t)SNW_ALARM : (uint32_t)SNW_AMBER;
	const float begin = end - width - 2;
	if (!state->message[0] || (layout->status_height <= 0 && !state->alarmed)) {
		return end;
	}
	if (layout->status_height <= 0 || (state->alarmed && state->dialog != SNW_DIALOG_NONE) || begin < margin + 14 * k) {
		const float foot = layout->height - layout->status_height - 6 * k, room = fminf(layout->width - 12 * k, 640 * k);
		snw_gui_floating_text("message", fmaxf(layout->width - room - 6 * k, 0), foot, room, color, state->message);
		return end;
	}
	snw_gui_write(begin, y, color, state->message);
	snw_gui_track_text("message", begin, y, width, snw_gui_line_height());
	snw_gui_disc(begin - 9 * k, y + snw_gui_line_height() / 2, 3 * k, color);
	return begin - 30 * k;
}

static char *last_part(char *hint) {
	char *last = hint;
	for (char *next = hint; (next = strstr(next + 1, SNW_HINT_BETWEEN));) {
		last = next;
	}
	return last;
}

/* As many parts of the hint as have room. */
static void draw_hint(const snw_layout *layout, const snw_session *session, const snw_input *input, float y, float end) {
	const float margin = 16 * layout->scale;
	char hint[500];
	snw_hint_write(input, layout, session, hint, sizeof hint);
	while (hint[0] && snw_gui_width_of(hint) > end - margin) {
		*last_part(hint) = '\0';
	}
	snw_gui_write(margin, y, (uint32_t)SNW_QUIET, hint);
	snw_gui_track_text("hint", margin, y, snw_gui_width_of(hint), snw_gui_line_height());
}

/* At the left the hint for the mouse; at the right the job, and before it the message. */
void snw_panel_status(const snw_layout *layout, snw_session *session, const snw_input *input) {
	const float k = layout->scale, top = layout->height - layout->status_height, margin = 16 * k;
	const float y = top + (layout->status_height - snw_gui_line_height()) / 2;
	snw_gui_panel_begin("status", 0, top, layout->width, layout->status_height, SNW_PANEL_BARE);
	if (layout->status_height > 0) {
		snw_gui_fill(0, top, layout->width, 1, 0, SNW_GROOVE);
		const float end = draw_work(layout, session, y) - margin;
		draw_hint(layout, session, input, y, draw_message(layout, &session->state, y, end));
	} else {
		draw_message(layout, &session->state, y, layout->width);
	}
	snw_gui_panel_end();
}
