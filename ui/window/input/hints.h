/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the mouse buttons do, for the status line.
 */
#ifndef SINEW_UI_WINDOW_INPUT_HINTS_H
#define SINEW_UI_WINDOW_INPUT_HINTS_H

#include "window/input/input.h"

/* Separates the parts of a hint; the first parts are the most important. */
#define SNW_HINT_BETWEEN "   ·   "

/* `hint` receives the text, in parts. */
void snw_hint_write(const snw_input *input, const snw_layout *layout, const snw_session *session, char *hint, size_t size);

#endif
