/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keys as words: "Ctrl+Shift+Z", "Keypad1"; several are separated by a space. "hold:B" acts until the key is released.
 */
#ifndef SINEW_UI_WINDOW_PREFERENCES_KEYS_H
#define SINEW_UI_WINDOW_PREFERENCES_KEYS_H

#include <stdbool.h>
#include <stddef.h>

enum { SNW_KEY_SIZE = 64 };

struct SDL_KeyboardEvent;

/* What was pressed. */
void snw_key_name(const struct SDL_KeyboardEvent *event, char key[SNW_KEY_SIZE]);
/* Whether a key is among these; `before` is its prefix: "" or "hold:". */
bool snw_keys_contain(const char *keys, const char *before, const char *key);
/* Keys as a person types them ("shift+ctrl+z"), as they are named here. False where one is no key: `keys` is that one then. */
bool snw_keys_parse(const char *typed, char *keys, size_t size);

#endif
