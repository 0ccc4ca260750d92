/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waits for the key that a command shall have, while the dialog of the keys is open.
 */
#ifndef SINEW_UI_WINDOW_INPUT_KEY_CAPTURE_H
#define SINEW_UI_WINDOW_INPUT_KEY_CAPTURE_H

#include "window/session/session.h"

union SDL_Event;

void snw_key_capture_begin(snw_session *session, snw_command_id id, bool adds);
/* Whether the event was taken as the key. Escape ends the wait, Backspace removes the command's keys. */
bool snw_key_capture_take(snw_session *session, const union SDL_Event *event);

#endif
