/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds commands by typed letters; and the preferences.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "window/dialogs/dialogs.h"
#include "window/document/titles.h"
#include "window/panels/panels.h"

/* Whether the title contains all typed letters in this order. */
static bool matches(const char *title, const char *typed) {
	for (; *typed; typed++) {
		if (*typed == ' ') {
			continue;
		}
		while (*title && tolower((unsigned char)*title) != tolower((unsigned char)*typed)) {
			title++;
		}
		if (!*title++) {
			return false;
		}
	}
	return true;
}

static bool is_command_listed(snw_command_id id, const char *typed) {
	return snw_command_infos[id].menu[0] && id != SNW_DO_PALETTE && snw_command_is_plain(id) &&
		   matches(snw_command_title(id), typed);
}

/* The commands and the brushes of a rank; those of the last have only the letters. Returns whether one was used: the first one
 * also by Return. */
static bool list_rank(const snw_session *session, const char *typed, snw_search_rank rank, bool entered, bool *first,
					  snw_command *used) {
	char words[160];
	bool any = false;
	for (int i = 0; i < SNW_DO_COUNT; i++) {
		const snw_command_info *info = &snw_command_infos[i];
		const char *title = snw_command_title((snw_command_id)i);
		if (!is_command_listed((snw_command_id)i, typed) || snw_search_rank_of(title, typed) != rank) {
			continue;
		}
		snprintf(words, sizeof words, "%s   ·   %s", title, info->menu + (info->menu[0] == '-'));
		if (snw_gui_row(words, session->preferences.keys[i], *first) || (entered && *first)) {
			*used = (snw_command){.id = (snw_command_id)i};
			any = true;
		}
		snw_gui_hint(snw_command_help((snw_command_id)i));
		*first = false;
	}
	for (int i = 0; i < SNW_BRUSH_COUNT && session->document->path; i++) {
		const snw_brush_info *info = &snw_brush_infos[i];
		if (!matches(info->label, typed) || snw_search_rank_of(info->label, typed) != rank) {
			continue;
		}
		snprintf(words, sizeof words, "%s   ·   Brush", info->label);
		if (snw_gui_row(words, session->preferences.keys[SNW_DO_BRUSH_GRAB + i], *first) || (entered && *first)) {
			*used = (snw_command){.id = SNW_DO_BRUSH};
			snprintf(used->text, sizeof used->text, "%s", info->name);
			any = true;
		}
		snw_gui_hint(info->help);
		*first = false;
	}
	return any;
}

void snw_dialog_palette(const snw_layout *layout, snw_session *session) {
	static char typed[80];
	const float k = layout->scale;
	bool close = false, first = true, is_used = false;
	snw_command used;
	if (session->dialog_is_new) {
		typed[0] = '\0';
	}
	snw_gui_dialog_begin("Find command", 520 * k, 440 * k, &close);
	snw_gui_width(-1);
	const bool entered =
		snw_gui_text_input("##command", "Type a command", typed, sizeof typed, session->dialog_is_new) == SNW_TYPED_RETURN;
	snw_gui_hint("A few letters of the name, in order. Return runs the first match.");
	snw_gui_child_begin("commands", 0);
	for (int rank = SNW_SEARCH_EXACT; rank <= SNW_SEARCH_LACKS; rank++) {
		is_used = list_rank(session, typed, (snw_search_rank)rank, entered, &first, &used) || is_used;
	}
	if (first) {
		snw_gui_quiet_text("No matching commands.");
	}
	snw_gui_child_end();
	snw_gui_dialog_end();
	if (is_used || close) {
		session->state.dialog = SNW_DIALOG_NONE;
	}
	if (is_used && used.id == SNW_DO_BRUSH && !session->state.sculpting) {
		snw_emit(&session->queue, SNW_DO_POSING); /* begins to sculpt */
	}
	if (is_used) {
		snw_queue_add(&session->queue, &used);
	}
}

/* ---- preferences --------------------------------------------------------------------------------------------------------- */

static void offer_navigation(snw_session *session) {
	static const char *const navigations[] = {"Blender", "Maya"};
	static const char *const hints[] = {"The middle button orbits, pans and zooms.",
										"Alt and the buttons orbit, pan and zoom."};
	const snw_preferences *preferences = &session->preferences;
	uint32_t navigation = preferences->navigation;
	snw_gui_heading("MOUSE IN THE VIEWPORT");
	if (snw_gui_choice(navigations, hints, 2, &navigation)) {
		snw_emit_text(&session->queue, SNW_DO_PREFER, navigation ? "navigation maya" : "navigation blender");
	}
	snw_gui_quiet_text(navigation ? "Alt with the left, middle or right button: orbit, pan, zoom."
								  : "Middle button: orbit; with Shift: pan; with Ctrl: zoom.");
	if (snw_gui_switch("Left-drag on the background orbits", NULL, preferences->drag_orbits)) {
		snw_emit_text(&session->queue, SNW_DO_PREFER, preferences->drag_orbits ? "drag-orbits no" : "drag-orbits yes");
	}
	snw_gui_hint("Dragging the background with the left button orbits the view.");
}

static void offer_display(snw_session *session) {
	static const char *const sizes[] = {"1", "2", "4"};
	static const char *const size_hints[] = {
		"The viewport has the window's pixels.",
		"Each pixel of the viewport covers 2 by 2 of the window's: a quarter of the work.",
		"Each pixel of the viewport covers 4 by 4 of the window's: a sixteenth of the work."};
	static const char *const size_words[] = {"pixel-size 1", "pixel-size 2", "pixel-size 4"};
	const snw_preferences *preferences = &session->preferences;
	snw_gui_heading("DISPLAY");
	if (snw_gui_switch("Anti-aliasing", NULL, preferences->antialiasing)) {
		snw_emit_text(&session->queue, SNW_DO_PREFER, preferences->antialiasing ? "antialiasing no" : "antialiasing yes");
	}
	snw_gui_hint("Smooth edges in the viewport. Turn it off on a slow graphics card.");
	if (snw_gui_switch("Shadows", NULL, preferences->shadows)) {
		snw_emit_text(&session->queue, SNW_DO_PREFER, preferences->shadows ? "shadows no" : "shadows yes");
	}
	snw_gui_hint("Shadows on the character and on the ground. Turn them off on a slow graphics card or without one.");
	snw_gui_heading("PIXEL SIZE");
	uint32_t chosen = preferences->pixel_size / 2;
	if (snw_gui_choice(sizes, size_hints, 3, &chosen)) {
		snw_emit_text(&session->queue, SNW_DO_PREFER, size_words[chosen]);
	}
}

static void offer_units(snw_session *session) {
	static const char *const lengths[] = {"Automatic", "mm", "cm", "m"};
	static const char *const length_hints[] = {"By the size of the character: millimetres up to 5 m, centimetres up to 50 m.",
											   "Millimetres.", "Centimetres.", "Metres."};
	static const char *const length_words[] = {"length-unit automatic", "length-unit mm", "length-unit cm", "length-unit m"};
	uint32_t unit = session->preferences.length_unit;
	snw_gui_heading("LENGTHS");
	if (snw_gui_choice(lengths, length_hints, SNW_LENGTH_UNITS, &unit)) {
		snw_emit_text(&session->queue, SNW_DO_PREFER, length_words[unit]);
	}
	snw_gui_heading("MEAN ERRORS");
	snw_panel_error_unit(session);
}

static void offer_text_size(snw_session *session) {
	static const snw_number text_size = {.least = 0.7, .most = 3, .soft_least = 0.8, .soft_most = 2, .format = "%.2f ×"};
	double size = session->preferences.text_size;
	char words[100];
	snw_gui_heading("INTERFACE SCALE");
	snw_gui_width(-1);
	if (snw_gui_number("##text-size", &text_size, &size) == SNW_EDIT_DONE) {
		snprintf(words, sizeof words, "text-size %.2f", size);
		snw_emit_text(&session->queue, SNW_DO_PREFER, words);
	}
	snw_gui_hint("Relative to the display, 0.7 to 3. Drag, or Ctrl+click to type.");
}

void snw_dialog_preferences(const snw_layout *layout, snw_session *session) {
	const snw_preferences *preferences = &session->preferences;
	char words[1000];
	bool close = false;
	snw_gui_dialog_begin("Preferences", 460 * layout->scale, 0, &close);
	offer_navigation(session);
	offer_display(session);
	offer_units(session);
	offer_text_size(session);
	snw_gui_spacing();
	if (snw_gui_button("Keys…", false)) {
		snw_emit(&session->queue, SNW_DO_KEYS);
	}
	snw_gui_hint(snw_command_help(SNW_DO_KEYS));
	snw_gui_same_line(0);
	snw_dialog_close_button(session, close);
	snprintf(words, sizeof words, "Stored in %.900s.",
			 preferences->config[0] ? preferences->config : "memory only: HOME is not set");
	snw_gui_quiet_text(words);
	snw_gui_dialog_end();
}
