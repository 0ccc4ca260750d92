/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is shown, and how.
 */
#include <stdio.h>

#include "render/look.h"
#include "window/panels.h"

static void list_methods(snw_session *session) {
	const snw_document *document = session->document;
	if (!snw_gui_section("METHOD")) {
		return;
	}
	for (uint32_t i = 0; i < document->method_count; i++) {
		char key[2] = {(char)(i < 9 ? '1' + i : 0), 0};
		snw_gui_push((int)i);
		if (snw_gui_row(document->methods[i].name, key, session->state.method == i)) {
			snw_emit_number(&session->queue, SNW_DO_METHOD, i);
		}
		snw_gui_pop();
	}
	if (document->linear != SNW_NONE && snw_gui_switch("before: linear blend", "hold B", session->state.before)) {
		snw_emit_number(&session->queue, SNW_DO_BEFORE, !session->state.before);
	}
	snw_gui_hint(snw_command_infos[SNW_DO_BEFORE].help);
}

static const char *heat_name(const snw_document *document, uint32_t heat) {
	return heat == SNW_HEAT_NONE ? "none" : heat == SNW_HEAT_ERROR ? "error" : document->fields[heat - SNW_HEAT_FIELDS];
}

static void list_heat(snw_session *session) {
	const snw_document *document = session->document;
	char words[120];
	if (!snw_gui_section("HEAT MAP")) {
		return;
	}
	if (snw_gui_list_begin("##heat", heat_name(document, session->state.heat))) {
		for (uint32_t i = 0; i < SNW_HEAT_FIELDS + document->field_count; i++) {
			if (snw_gui_row(heat_name(document, i), i == SNW_HEAT_ERROR ? "H" : NULL, session->state.heat == i)) {
				snw_emit_text(&session->queue, SNW_DO_FIELD, heat_name(document, i));
			}
		}
		snw_gui_list_end();
	}
	snw_gui_hint("Paints a number for each point: the error, or a field that a fit or a brush has left.");
	if (session->state.heat == SNW_HEAT_ERROR && session->studio.has_truth) {
		snprintf(words, sizeof words, "mean %.2f mm, largest %.2f mm", session->studio.error_mean, session->studio.error_most);
		snw_gui_words(words);
	} else if (session->state.heat == SNW_HEAT_ERROR) {
		snw_gui_quiet_words("No example or target says what this moment should look like.");
	}
}

static void list_looks(snw_session *session) {
	const char *labels[SNW_LOOK_COUNT];
	const uint32_t flags = session->state.flags;
	if (!snw_gui_section("SHOW")) {
		return;
	}
	for (int i = 0; i < SNW_LOOK_COUNT; i++) {
		labels[i] = snw_looks[i].label;
	}
	uint32_t look = snw_look_of(flags);
	if (snw_gui_choice(labels, SNW_LOOK_COUNT, &look)) {
		snw_emit_number(&session->queue, SNW_DO_SHADING, look);
	}
	static const char *const levels[] = {"As it is", "Smooth", "Smoother"};
	uint32_t level = session->state.subdivision;
	if (snw_gui_choice(levels, 3, &level)) {
		snw_emit_number(&session->queue, SNW_DO_SUBDIVIDE, level);
	}
	snw_panel_switch(session, SNW_DO_SKELETON, flags & SNW_VIEW_SKELETON);
	snw_panel_switch(session, SNW_DO_WIREFRAME, flags & SNW_VIEW_WIREFRAME);
	snw_panel_switch(session, SNW_DO_FLAT, flags & SNW_VIEW_FLAT);
	snw_panel_switch(session, SNW_DO_GRID, flags & SNW_VIEW_GRID);
	snw_panel_switch(session, SNW_DO_GHOSTS, session->state.ghosts);
}

static void list_views(snw_session *session) {
	if (!snw_gui_section("CAMERA")) {
		return;
	}
	snw_panel_button(session, SNW_DO_FRONT, "Front", true);
	snw_gui_beside(0);
	snw_panel_button(session, SNW_DO_SIDE, "Side", true);
	snw_gui_beside(0);
	snw_panel_button(session, SNW_DO_TOP, "Top", true);
	snw_gui_beside(0);
	snw_panel_button(session, SNW_DO_FRAME, "Frame", true);
}

void snw_panel_view(snw_session *session) {
	list_methods(session);
	list_heat(session);
	list_looks(session);
	list_views(session);
}
