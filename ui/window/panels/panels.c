/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tabs and the layout of the panels, and the buttons that they share.
 */
#include <stdio.h>

#include "window/panels/panels.h"

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
		snw_panel_history(session);
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
	snw_panel_status(layout, session, input);
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
