/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The menu: the rows of the command table that have a place in it.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "window/document/titles.h"
#include "window/panels/panels.h"

static bool is_chosen(const snw_session *session, snw_command_id id) {
	const snw_view_state *state = &session->state;
	switch (id) {
	case SNW_DO_SKELETON:
		return state->flags & SNW_VIEW_SKELETON;
	case SNW_DO_WIREFRAME:
		return state->flags & SNW_VIEW_WIREFRAME;
	case SNW_DO_FLAT:
		return state->flags & SNW_VIEW_FLAT;
	case SNW_DO_GRID:
		return state->flags & SNW_VIEW_GRID;
	case SNW_DO_HEAT:
		return state->heat == SNW_HEAT_ERROR;
	case SNW_DO_GHOSTS:
		return state->ghosts;
	case SNW_DO_CONTACT:
		return state->shows_contact;
	case SNW_DO_DRIVER_CONE:
		return state->shows_cone;
	case SNW_DO_SPLIT:
		return state->is_split;
	case SNW_DO_PARALLEL:
		return snw_camera_is_flat(&state->camera);
	case SNW_DO_DRAW_JOINTS:
		return state->drawing_joints;
	case SNW_DO_LOOP:
		return state->loop;
	case SNW_DO_VOLUME:
		return session->sculpting.brush.volume;
	case SNW_DO_SYMMETRY:
		return session->sculpting.brush.symmetric;
	case SNW_DO_PANELS:
		return !state->bare;
	default:
		return false;
	}
}

static bool is_usable(const snw_session *session, snw_command_id id) {
	const snw_document *document = session->document;
	switch (id) {
	case SNW_DO_UNDO:
		return document->undo != NULL;
	case SNW_DO_REDO:
		return document->redo != NULL;
	case SNW_DO_SAVE:
	case SNW_DO_SAVE_AS:
	case SNW_DO_EXPORT:
	case SNW_DO_FIT:
	case SNW_DO_SUBDIVIDE_CATMULL_CLARK:
	case SNW_DO_SUBDIVIDE_LOOP:
	case SNW_DO_DRAW_JOINTS:
	case SNW_DO_SKELETON_FIT:
	case SNW_DO_SKELETON_FOLLOW:
	case SNW_DO_BIND_SKIN:
		return document->path != NULL;
	case SNW_DO_CANCEL:
		return snw_session_is_busy(session);
	default:
		return true;
	}
}

/* "Undo rotate elbow". */
static const char *title_of(const snw_session *session, snw_command_id id, char *words, size_t size) {
	const char *title = snw_command_title(id);
	const char *label = id == SNW_DO_UNDO ? session->document->undo : id == SNW_DO_REDO ? session->document->redo : NULL;
	if (label) {
		char titled[200];
		snprintf(words, size, "%s %.60s###%s", title, snw_words_with_titles(session->registry, label, titled, sizeof titled),
				 title);
		return words;
	}
	return title;
}

static void list_recent(snw_session *session) {
	const snw_preferences *preferences = &session->preferences;
	if (preferences->recent_count > 0 && snw_gui_menu_begin("Open recent")) {
		for (uint32_t i = 0; i < preferences->recent_count; i++) {
			if (snw_gui_menu_item(preferences->recent[i], NULL, false, true)) {
				snw_emit_text(&session->queue, SNW_DO_OPEN, preferences->recent[i]);
			}
			snw_gui_hint("Opens this project.");
		}
		snw_gui_menu_end();
	}
}

static void list_brushes(snw_session *session) {
	if (snw_gui_menu_begin("Brush")) {
		for (uint32_t i = 0; i < SNW_BRUSH_COUNT; i++) {
			const snw_brush_info *info = &snw_brush_infos[i];
			const bool is_current = session->sculpting.brush.kind == (snw_brush_kind)i;
			if (snw_gui_menu_item(info->label, session->preferences.keys[SNW_DO_BRUSH_GRAB + i],
								  is_current && session->state.sculpting, session->document->path)) {
				if (!session->state.sculpting) {
					snw_emit(&session->queue, SNW_DO_POSING); /* begins to sculpt */
				}
				snw_emit_text(&session->queue, SNW_DO_BRUSH, info->name);
			}
			snw_gui_hint(info->help);
		}
		snw_gui_menu_end();
	}
}

static void list_rows(snw_session *session, const char *menu) {
	char words[160];
	if (strcmp(menu, "Sculpt") == 0) {
		list_brushes(session);
	}
	for (int i = 0; i < SNW_DO_COUNT; i++) {
		const snw_command_info *info = &snw_command_infos[i];
		const bool lined = info->menu[0] == '-';
		if (strcmp(info->menu + lined, menu) != 0) {
			continue;
		}
		if (lined) {
			snw_gui_menu_separator();
		}
		char keys[SNW_KEYS_SIZE];
		const char *bound = session->preferences.keys[i];
		snprintf(keys, sizeof keys, "%.*s", (int)strcspn(bound, " "), strncmp(bound, "hold:", 5) == 0 ? bound + 5 : bound);
		const char *title = title_of(session, (snw_command_id)i, words, sizeof words);
		if (snw_gui_menu_item(title, keys, is_chosen(session, (snw_command_id)i), is_usable(session, (snw_command_id)i))) {
			snw_emit(&session->queue, (snw_command_id)i);
		}
		snw_gui_hint(snw_command_help((snw_command_id)i));
		if (i == SNW_DO_OPEN) {
			list_recent(session);
		}
	}
}

/* The title, and how many changes there are since the state that Revert comes back to. */
static void write_title(const snw_session *session) {
	char words[300];
	const snw_document *document = session->document;
	if (document->was_saved && !document->is_saved) {
		snprintf(words, sizeof words, "%s  ·  %u change%s since Save", document->title, document->changes,
				 snw_plural(document->changes));
	} else {
		snprintf(words, sizeof words, "%s", document->title);
	}
	const float width = snw_gui_width_of(words) + snw_gui_line_height();
	const float room = snw_gui_available_width();
	if (document->path && room > width) {
		float x, y;
		snw_gui_cursor(&x, &y);
		snw_gui_write(x + room - width, y + 0.4f * snw_gui_line_height(), (uint32_t)SNW_QUIET, words);
	}
}

void snw_panel_menu(snw_session *session, float *height) {
	static const char *const menus[] = {"File", "Edit", "Pose", "Sculpt", "Examples", "Stack", "Time", "View", "Help"};
	if (!snw_gui_menu_bar_begin(height)) {
		return;
	}
	for (size_t i = 0; i < sizeof menus / sizeof *menus; i++) {
		if (snw_gui_menu_begin(menus[i])) {
			list_rows(session, menus[i]);
			snw_gui_menu_end();
		}
	}
	write_title(session);
	snw_gui_menu_bar_end();
}
