/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Naming what SDL tells, and reading what people type.
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
} holds[] = {{KMOD_CTRL, "Ctrl+"}, {KMOD_ALT, "Alt+"}, {KMOD_SHIFT, "Shift+"}};
enum { HOLDS = sizeof holds / sizeof *holds };

static const char HOLD[] = "hold:";

static void write_key(uint32_t held, SDL_Keycode key, char text[SNW_KEY_SIZE]) {
	size_t used = 0;
	text[0] = '\0';
	for (int i = 0; i < HOLDS; i++) {
		used += held & holds[i].bits ? (size_t)snprintf(text + used, SNW_KEY_SIZE - used, "%s", holds[i].name) : 0;
	}
	for (const char *c = SDL_GetKeyName(key); *c && used + 1 < SNW_KEY_SIZE; c++) {
		if (*c != ' ') {
			text[used++] = *c;
		}
	}
	text[used] = '\0';
}

void snw_key_name(const struct SDL_KeyboardEvent *event, char text[SNW_KEY_SIZE]) {
	write_key(event->keysym.mod, event->keysym.sym, text);
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

/* SDL puts a space into some names ("Keypad 1") that stand without here. */
static SDL_Keycode key_of(const char *name) {
	static const char pad[] = "Keypad";
	char sdl_name[SNW_KEY_SIZE];
	const bool is_pad = strncasecmp(name, pad, strlen(pad)) == 0;
	snprintf(sdl_name, sizeof sdl_name, "%s%s%s", is_pad ? pad : "", is_pad ? " " : "", name + (is_pad ? strlen(pad) : 0));
	return SDL_GetKeyFromName(sdl_name);
}

static bool read_one(const char *typed, char text[SNW_KEY_SIZE]) {
	uint32_t held = 0;
	for (bool found = true; found;) {
		found = false;
		for (int i = 0; i < HOLDS && !found; i++) {
			const size_t length = strlen(holds[i].name);
			if (strncasecmp(typed, holds[i].name, length) == 0 && typed[length]) {
				held |= holds[i].bits;
				typed += length;
				found = true;
			}
		}
	}
	const SDL_Keycode key = key_of(typed);
	write_key(held, key, text);
	return key != SDLK_UNKNOWN;
}

bool snw_keys_parse(const char *typed, char *keys, size_t size) {
	char rest[256], text[SNW_KEY_SIZE], *cursor;
	size_t used = 0;
	snprintf(rest, sizeof rest, "%s", typed);
	keys[0] = '\0';
	for (char *word = strtok_r(rest, " ", &cursor); word; word = strtok_r(NULL, " ", &cursor)) {
		const bool is_held = strncasecmp(word, HOLD, strlen(HOLD)) == 0;
		if (!read_one(word + (is_held ? strlen(HOLD) : 0), text)) {
			snprintf(keys, size, "%s", word);
			return false;
		}
		used +=
			(size_t)snprintf(keys + used, used < size ? size - used : 0, "%s%s%s", used ? " " : "", is_held ? HOLD : "", text);
	}
	if (used >= size) {
		snprintf(keys, size, "%s", typed);
	}
	return used < size;
}
