/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks text from files: UTF-8, and control characters, which can affect terminals.
 */
#ifndef SINEW_HOST_BASE_TEXT_H
#define SINEW_HOST_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* The number of bytes of the UTF-8 character at `text`; 0 at the end or if it is invalid. */
size_t snw_text_letter(const char *text);

/* The number of bytes of the control character at `text` (U+0000 to U+001F, U+007F to U+009F); 0 if it is not one. */
size_t snw_text_control(const char *text);

/* Replaces control characters and invalid bytes by `instead`. Returns whether there were control characters. */
bool snw_text_clean(char *text, char instead);

/* The text, or its beginning with "…" if it is long: for messages that name what somebody has typed. */
const char *snw_text_short(const char *text, snw_arena *arena);

#endif
