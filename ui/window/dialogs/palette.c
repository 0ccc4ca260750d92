/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds commands by typed letters; and the preferences.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "window/dialogs/dialogs.h"
#include "window/document/document.h"
#include "window/input/input.h"
#include "window/panels/panels.h"

/* ---- keys ---------------------------------------------------------------------------------------------------------------- */

/* The keys of all commands. A click on a key waits for the key that replaces it. */

/* A button that closes the dialog; `close`: it was closed otherwise. */
static void dialog_close_button(snw_session *session, bool close) {
	if (snw_gui_button("Close", true) || close) {
		session->state.dialog = SNW_DIALOG_NONE;
	}
	snw_gui_hint("Changes are already in effect (Escape).");
}

static bool is_captured(const snw_session *session, snw_command_id id, bool adds) {
	const snw_key_capture *capture = &session->key_capture;
	return capture->is_on && capture->id == id && capture->adds == adds;
}

/* The keys as a button, a button for one more key, and one for the default. */
static void draw_keys(snw_session *session, snw_command_id id, float k) {
	const snw_command_info *info = &snw_command_infos[id];
	const char *keys = session->preferences.keys[id];
	const bool replaces = is_captured(session, id, false), adds = is_captured(session, id, true);
	const char *shown = strncmp(keys, "hold:", 5) == 0 ? keys + 5 : keys;
	char text[SNW_KEYS_SIZE + 80];
	snprintf(text, sizeof text, "%s##keys-%s", replaces || adds ? "Press a key" : *shown ? shown : "None", info->name);
	if (snw_gui_tile(text, 130 * k, replaces || adds)) {
		snw_key_capture_begin(session, id, false);
	}
	snw_gui_hint("Click, then press the new key. Backspace removes the key, Escape changes nothing.");
	snw_gui_same_line(0);
	snprintf(text, sizeof text, "+##add-%s", info->name);
	snw_gui_disabled_begin(!*keys);
	if (snw_gui_quiet_tile(text, 22 * k)) {
		snw_key_capture_begin(session, id, true);
	}
	snw_gui_disabled_end();
	snw_gui_hint("Click, then press one more key for this command.");
	if (strcmp(keys, info->keys) != 0) {
		snw_gui_same_line(0);
		snprintf(text, sizeof text, "Reset##reset-%s", info->name);
		if (snw_gui_quiet_tile(text, 44 * k)) {
			snprintf(text, sizeof text, "%s %s", info->name, info->keys);
			snw_emit_text(&session->queue, SNW_DO_BIND, text);
		}
		snw_gui_hint(info->keys[0] ? "Restores the default key." : "By default this command has no key.");
	}
}

static void offer_presets(snw_session *session) {
	static const char *const programs[SNW_KEY_PRESETS] = {"Sinew", "Blender"};
	static const char *const hints[SNW_KEY_PRESETS] = {"Replaces all keys by Sinew's own.",
													   "Replaces all keys: brushes, views, masks and hiding as in Blender."};
	uint32_t preset = snw_preferences_key_preset(&session->preferences);
	if (snw_gui_choice(programs, hints, SNW_KEY_PRESETS, &preset)) {
		snw_emit_text(&session->queue, SNW_DO_KEY_PRESET, snw_key_presets[preset]);
	}
}

void snw_dialog_keys(const snw_layout *layout, snw_session *session) {
	static char filter[80];
	const float k = layout->scale;
	bool close = false;
	if (session->dialog_is_new) {
		filter[0] = '\0';
	}
	snw_gui_dialog_begin("Keyboard shortcuts", 600 * k, 560 * k, &close);
	snw_gui_quiet_text("Click a key, then press the new one. While posing, 1 to 9 select the method.");
	offer_presets(session);
	snw_gui_width(-1);
	snw_gui_text_input("##find-key", "Find a command", filter, sizeof filter, false);
	snw_gui_hint("Part of a command's name, or of a key; brush for all brushes.");
	snw_gui_child_begin("keys", -40 * k);
	for (int i = 0; i < SNW_DO_COUNT; i++) {
		const char *title = snw_command_title((snw_command_id)i);
		const char *keys = session->preferences.keys[i];
		const char *name = snw_command_brush((snw_command_id)i) ? snw_command_infos[i].name : "";
		if ((!snw_command_is_plain((snw_command_id)i) && !keys[0]) ||
			(filter[0] && !strcasestr(title, filter) && !strcasestr(keys, filter) && !strcasestr(name, filter))) {
			continue;
		}
		snw_gui_push(i);
		snw_gui_label(title);
		snw_gui_hint(snw_command_help((snw_command_id)i));
		snw_gui_same_line(300 * k);
		draw_keys(session, (snw_command_id)i, k);
		snw_gui_pop();
	}
	snw_gui_child_end();
	dialog_close_button(session, close);
	snw_gui_dialog_end();
}

/* ---- palette ------------------------------------------------------------------------------------------------------------- */

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
	dialog_close_button(session, close);
	snprintf(words, sizeof words, "Stored in %.900s.",
			 preferences->config[0] ? preferences->config : "memory only: HOME is not set");
	snw_gui_quiet_text(words);
	snw_gui_dialog_end();
}
