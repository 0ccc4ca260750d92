/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tabs and the layout of the panels, and the buttons that they share.
 */
#include "window/panels/panels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "window/document/document.h"
#include "window/input/input.h"

/* ---- status -------------------------------------------------------------------------------------------------------------- */

/* The status line: what the mouse buttons do, the last message, and the job that runs. */

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
static void panel_status(const snw_layout *layout, snw_session *session, const snw_input *input) {
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

/* ---- history ------------------------------------------------------------------------------------------------------------- */

/* Every change to the project; a click goes back to it. */

static void panel_history(snw_session *session) {
	const snw_document *document = session->document;
	uint32_t standing = 0;
	for (uint32_t i = 0; i < document->entry_count; i++) {
		standing = document->entries[i].undone ? standing : i;
	}
	snw_panel_button(session, SNW_DO_UNDO, "Undo", document->undo != NULL);
	snw_gui_same_line_for("Redo");
	snw_panel_button(session, SNW_DO_REDO, "Redo", document->redo != NULL);
	snw_gui_same_line_for("Save");
	snw_panel_button(session, SNW_DO_SAVE, "Save", document->path && !document->is_saved);
	snw_gui_same_line_for("Revert");
	snw_panel_button(session, SNW_DO_REVERT, "Revert", document->path && !document->is_saved);
	snw_gui_child_begin("history", 0);
	for (uint32_t i = document->entry_count; i-- > 0;) {
		const snw_history_entry *entry = &document->entries[i];
		snw_gui_push((int)i);
		const bool is_current = i == standing && !entry->undone;
		char label[300];
		snw_words_with_titles(session->registry, entry->label, label, sizeof label);
		if (snw_gui_row_quiet(label, entry->checkpoint ? "Saved" : NULL, is_current, entry->undone)) {
			snw_emit_number(&session->queue, SNW_DO_HISTORY, (double)entry->id);
		}
		snw_gui_hint(entry->time);
		snw_gui_pop();
	}
	snw_gui_child_end();
}

/* ---- panels -------------------------------------------------------------------------------------------------------------- */

static bool deletes(snw_command_id id) {
	return id == SNW_DO_EXAMPLE_REMOVE || id == SNW_DO_POSE_REMOVE || id == SNW_DO_GROUP_REMOVE || id == SNW_DO_LAYER_REMOVE ||
		   id == SNW_DO_JOINT_REMOVE;
}

bool snw_panel_button(snw_session *session, snw_command_id id, const char *text, bool usable) {
	snw_gui_disabled_begin(!usable);
	const bool used = deletes(id) ? snw_gui_quiet_button(text) : snw_gui_button(text, false);
	snw_gui_disabled_end();
	snw_gui_hint(snw_command_help(id));
	if (used) {
		snw_emit(&session->queue, id);
	}
	return used;
}

void snw_panel_tile(snw_session *session, snw_command_id id, const char *text, float width, bool usable, bool on) {
	snw_gui_disabled_begin(!usable);
	const bool used = deletes(id) ? snw_gui_quiet_tile(text, width) : snw_gui_tile(text, width, on);
	snw_gui_disabled_end();
	snw_gui_hint(snw_command_help(id));
	if (used) {
		snw_emit(&session->queue, id);
	}
}

void snw_panel_switch(snw_session *session, snw_command_id id, bool on) {
	if (snw_gui_switch(snw_command_title(id), session->preferences.keys[id], on)) {
		snw_emit(&session->queue, id);
	}
	snw_gui_hint(snw_command_help(id));
}

void snw_panel_edge(snw_session *session, const snw_layout *layout, int panel) {
	static const char *const names[] = {"outliner-width", "side-width"};
	const float reach = 4 * layout->scale, right = layout->room_x + layout->room_width;
	float at;
	const snw_edit_state change =
		snw_gui_edge(names[panel], panel == 0 ? layout->outliner_width - reach : right + reach, layout->menu_height,
					 layout->height - layout->menu_height - layout->status_height, &at);
	snw_gui_hint("Drag to resize the panel.");
	const double width = (double)(((panel == 0 ? at : layout->width - at) + reach) / layout->scale);
	if (change == SNW_EDIT_LIVE || change == SNW_EDIT_CANCELLED) {
		snw_emit_numbers(&session->queue, SNW_DO_PANEL_WIDTH, panel, width);
	} else if (change == SNW_EDIT_DONE) {
		char words[60];
		snprintf(words, sizeof words, "%s %.0f", names[panel], width);
		snw_emit_text(&session->queue, SNW_DO_PREFER, words);
	}
}

static void draw_side(const snw_layout *layout, snw_session *session) {
	static const char *const tabs[] = {"Shape", "Stack", "View", "History"};
	static const char *const hints[] = {"Pose, sculpt and manage examples.", "Layers, parameters, fits and errors.",
										"Display options.", "Every change. Click one to go there."};
	uint32_t tab = session->state.tab;
	snw_gui_panel_begin("side", layout->room_x + layout->room_width, layout->menu_height, layout->side_width,
						layout->height - layout->status_height - layout->menu_height, SNW_PANEL_PADDED);
	if (snw_gui_choice(tabs, hints, 4, &tab)) {
		snw_emit_number(&session->queue, SNW_DO_TAB, tab);
	}
	snw_gui_spacing();
	snw_gui_scroll_begin(tabs[session->state.tab < 4 ? session->state.tab : 0]);
	switch (session->state.tab) {
	case SNW_TAB_SHAPE:
		if (session->state.sculpting) {
			snw_panel_brush(session);
		} else {
			snw_panel_joint(session);
		}
		snw_panel_shape_weights(session);
		snw_panel_examples(session);
		break;
	case SNW_TAB_STACK:
		snw_panel_stack(session);
		break;
	case SNW_TAB_VIEW:
		snw_panel_view(session);
		break;
	case SNW_TAB_HISTORY:
		panel_history(session);
		break;
	}
	snw_gui_child_end();
	snw_panel_edge(session, layout, 1);
	snw_gui_panel_end();
}

void snw_panels_draw(const snw_layout *layout, snw_session *session, const snw_input *input, float *menu_height) {
	if (layout->view_width > 1 && layout->view_height > 1) {
		snw_panel_viewport(layout, session, input);
	}
	panel_status(layout, session, input);
	if (layout->outliner_width > 0) {
		snw_panel_outliner(layout, session);
	}
	if (layout->side_width > 0) {
		draw_side(layout, session);
	}
	if (layout->timeline_height > 0) {
		snw_panel_timeline(layout, session);
	}
	if (!session->state.bare && layout->height >= 200 * layout->scale) {
		snw_panel_menu(session, menu_height);
	}
}
