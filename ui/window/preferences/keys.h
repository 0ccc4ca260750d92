/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keys as text: "Ctrl+Shift+Z", "Keypad1"; several are separated by spaces. "hold:B" acts until the key is released.
 */
#ifndef SINEW_UI_WINDOW_PREFERENCES_KEYS_H
#define SINEW_UI_WINDOW_PREFERENCES_KEYS_H

#include <stdbool.h>
#include <stddef.h>

enum { SNW_KEY_SIZE = 64 };

struct SDL_KeyboardEvent;

/* A pressed key. */
void snw_key_name(const struct SDL_KeyboardEvent *event, char key[SNW_KEY_SIZE]);
/* Whether a key is among these; `before` is its prefix: "" or "hold:". */
bool snw_keys_contain(const char *keys, const char *before, const char *key);
/* Normalises keys that a person typed ("shift+ctrl+z"). On failure returns false, and `keys` becomes the invalid one. */
bool snw_keys_parse(const char *typed, char *keys, size_t size);

#endif
