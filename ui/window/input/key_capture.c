/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Turns the pressed key into a command that binds it.
 */
#include "window/input/key_capture.h"

#include <SDL.h>
#include <stdio.h>
#include <string.h>

#include "window/preferences/keys.h"

void snw_key_capture_begin(snw_session *session, snw_command_id id, bool adds) {
	session->key_capture = (snw_key_capture){.is_on = true, .adds = adds, .id = id};
}

static bool is_modifier(SDL_Keycode key) {
	return (key >= SDLK_LCTRL && key <= SDLK_RGUI) || key == SDLK_MODE || key == SDLK_CAPSLOCK || key == SDLK_NUMLOCKCLEAR;
}

static void bind(snw_session *session, const char *pressed) {
	const snw_key_capture *capture = &session->key_capture;
	const snw_command_info *info = &snw_command_infos[capture->id];
	const bool is_held = strncmp(info->keys, "hold:", 5) == 0 && *pressed;
	char words[SNW_COMMAND_WORDS];
	snprintf(words, sizeof words, "%s %s%s%s%s", info->name, capture->adds ? session->preferences.keys[capture->id] : "",
			 capture->adds ? " " : "", is_held ? "hold:" : "", pressed);
	snw_emit_text(&session->queue, SNW_DO_BIND, words);
}

bool snw_key_capture_take(snw_session *session, const union SDL_Event *event) {
	snw_key_capture *capture = &session->key_capture;
	capture->is_on =
		capture->is_on && session->state.dialog == SNW_DIALOG_KEYS && event->type != SDL_MOUSEBUTTONDOWN; /* a click ends it */
	if (!capture->is_on || event->type != SDL_KEYDOWN || is_modifier(event->key.keysym.sym)) {
		return false;
	}
	char pressed[SNW_KEY_SIZE];
	snw_key_name(&event->key, pressed);
	const bool removes = strcmp(pressed, "Backspace") == 0;
	if (strcmp(pressed, "Escape") != 0) {
		bind(session, removes ? "" : pressed);
	}
	capture->is_on = false;
	return true;
}
