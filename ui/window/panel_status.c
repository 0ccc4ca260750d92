/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The status line: what the mouse buttons do now, what was done or went wrong, and what is being worked on.
 */
#include <math.h>
#include <stdio.h>

#include "window/hint.h"
#include "window/panels.h"

static float draw_work(const snw_layout *layout, snw_session *session, float y) {
	const float k = layout->scale, width = 110 * k, x = layout->width - width - 16 * k;
	char words[160];
	snw_clerk_progress(session->clerk, &session->progress);
	const snw_progress *progress = &session->progress;
	if (!progress->what || (progress->seconds < 0.25 && !progress->is_long)) {
		return layout->width;
	}
	snprintf(words, sizeof words, "%.100s", progress->what);
	const float height = 6 * k, middle = y + snw_gui_line_height() / 2, text = snw_gui_width_of(words);
	snw_gui_fill(x, middle - height / 2, width, height, height / 2, SNW_GROOVE);
	snw_gui_fill(x, middle - height / 2, (float)(progress->fraction > 0.04 ? progress->fraction : 0.04) * width, height,
				 height / 2, (uint32_t)SNW_AMBER);
	snw_gui_write(x - text - 10 * k, y, (uint32_t)SNW_INK, words);
	return x - text - 20 * k;
}

/* At the left what the mouse does now; at the right, before the work that is under way, what was done or went wrong, which goes
 * first where there is no room for both. */
void snw_panel_status(const snw_layout *layout, snw_session *session, const snw_input *input) {
	const float k = layout->scale, top = layout->height - layout->status_height, margin = 16 * k;
	const float y = top + (layout->status_height - snw_gui_line_height()) / 2;
	const snw_view_state *state = &session->state;
	char hint[500];
	snw_gui_panel_begin("status", 0, top, layout->width, layout->status_height, SNW_PANEL_BARE);
	snw_gui_fill(0, top, layout->width, 1, 0, SNW_GROOVE);
	float end = draw_work(layout, session, y) - margin;
	if (state->message[0]) {
		const uint32_t color = state->alarmed ? (uint32_t)SNW_ALARM : (uint32_t)SNW_AMBER;
		const float begin = fmaxf(end - snw_gui_width_of(state->message) - 2, margin + 14 * k);
		snw_gui_write_within(begin, y, end - begin, color, state->message);
		snw_gui_disc(begin - 9 * k, y + snw_gui_line_height() / 2, 3 * k, color);
		end = begin - 30 * k;
	}
	if (end > margin + 60 * k) {
		snw_hint_write(input, layout, session, hint, sizeof hint);
		snw_gui_write_within(margin, y, end - margin, (uint32_t)SNW_QUIET, hint);
	}
	snw_gui_panel_end();
}
