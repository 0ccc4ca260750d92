/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of SDL keys, and parsing of typed ones.
 */
#include "window/preferences/keys.h"

#include <SDL.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
	uint32_t bits;
	const char *name;
} modifier_names[] = {{KMOD_CTRL, "Ctrl+"}, {KMOD_ALT, "Alt+"}, {KMOD_SHIFT, "Shift+"}};
enum { MODIFIERS = sizeof modifier_names / sizeof *modifier_names };

static const char HOLD[] = "hold:";

static void write_key_name(uint32_t modifiers, SDL_Keycode key, char text[SNW_KEY_SIZE]) {
	size_t used = 0;
	text[0] = '\0';
	for (int i = 0; i < MODIFIERS; i++) {
		used += modifiers & modifier_names[i].bits
					? (size_t)snprintf(text + used, SNW_KEY_SIZE - used, "%s", modifier_names[i].name)
					: 0;
	}
	for (const char *c = SDL_GetKeyName(key); *c && used + 1 < SNW_KEY_SIZE; c++) {
		if (*c != ' ') {
			text[used++] = *c;
		}
	}
	text[used] = '\0';
}

void snw_key_name(const struct SDL_KeyboardEvent *event, char text[SNW_KEY_SIZE]) {
	write_key_name(event->keysym.mod, event->keysym.sym, text);
}

bool snw_keys_contain(const char *keys, const char *before, const char *text) {
	const size_t skipped = strlen(before), length = strlen(text);
	for (const char *at = keys; *at;) {
		const size_t next = strcspn(at, " ");
		if (next == skipped + length && strncmp(at, before, skipped) == 0 && strncmp(at + skipped, text, length) == 0) {
			return true;
		}
		at += next + strspn(at + next, " ");
	}
	return false;
}

/* Some of SDL's names contain a space ("Keypad 1"); these do not. */
static SDL_Keycode key_named(const char *name) {
	static const char pad[] = "Keypad";
	char sdl_name[SNW_KEY_SIZE];
	const bool is_pad = strncasecmp(name, pad, strlen(pad)) == 0;
	snprintf(sdl_name, sizeof sdl_name, "%s%s%s", is_pad ? pad : "", is_pad ? " " : "", name + (is_pad ? strlen(pad) : 0));
	return SDL_GetKeyFromName(sdl_name);
}

static bool read_one(const char *typed, char text[SNW_KEY_SIZE]) {
	uint32_t modifiers = 0;
	for (bool found = true; found;) {
		found = false;
		for (int i = 0; i < MODIFIERS && !found; i++) {
			const size_t length = strlen(modifier_names[i].name);
			if (strncasecmp(typed, modifier_names[i].name, length) == 0 && typed[length]) {
				modifiers |= modifier_names[i].bits;
				typed += length;
				found = true;
			}
		}
	}
	const SDL_Keycode key = key_named(typed);
	write_key_name(modifiers, key, text);
	return key != SDLK_UNKNOWN;
}

bool snw_keys_parse(const char *typed, char *keys, size_t size) {
	char rest[256], text[SNW_KEY_SIZE], *cursor;
	size_t used = 0;
	snprintf(rest, sizeof rest, "%s", typed);
	keys[0] = '\0';
	for (char *word = strtok_r(rest, " ", &cursor); word; word = strtok_r(NULL, " ", &cursor)) {
		const bool acts_while_down = strncasecmp(word, HOLD, strlen(HOLD)) == 0;
		if (!read_one(word + (acts_while_down ? strlen(HOLD) : 0), text)) {
			snprintf(keys, size, "%s", word);
			return false;
		}
		used += (size_t)snprintf(keys + used, used < size ? size - used : 0, "%s%s%s", used ? " " : "",
								 acts_while_down ? HOLD : "", text);
	}
	if (used >= size) {
		snprintf(keys, size, "%s", typed);
	}
	return used < size;
}
