/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The keys of all commands. A click on a key waits for the key that replaces it.
 */
#include <stdio.h>
#include <string.h>

#include "window/dialogs/dialogs.h"
#include "window/input/key_capture.h"
#include "window/panels/panels.h"

void snw_dialog_close_button(snw_session *session, bool close) {
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
	snw_dialog_close_button(session, close);
	snw_gui_dialog_end();
}
