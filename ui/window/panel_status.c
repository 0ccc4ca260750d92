/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The status line: what was done or went wrong, else what the mouse buttons do now; and what is being worked on.
 */
#include <stdio.h>

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

void snw_panel_status(const snw_layout *layout, snw_session *session, const snw_input *input) {
	const float k = layout->scale, top = layout->height - layout->status_height;
	const float y = top + (layout->status_height - snw_gui_line_height()) / 2;
	const snw_view_state *state = &session->state;
	snw_gui_panel_begin("status", 0, top, layout->width, layout->status_height, SNW_PANEL_BARE);
	snw_gui_fill(0, top, layout->width, 1, 0, SNW_GROOVE);
	const float end = draw_work(layout, session, y);
	const char *words = state->message[0] ? state->message : snw_input_hint(input, session);
	const uint32_t color = !state->message[0] ? (uint32_t)SNW_QUIET
						   : state->alarmed   ? (uint32_t)SNW_ALARM
											  : (uint32_t)SNW_AMBER;
	snw_gui_write_within(16 * k, y, end - 16 * k, color, words);
	snw_gui_panel_end();
}
