/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each command does to the state: the one place where it changes.
 */
#ifndef SINEW_UI_WINDOW_APPLY_H
#define SINEW_UI_WINDOW_APPLY_H

#include "window/studio.h"

/* The state that the window opens with: the first clip where there is one, else the rest, framed. */
void snw_view_state_start(snw_studio *studio, snw_view_state *state);

/* A command that cannot be done says so in state->message. */
void snw_command_apply(snw_studio *studio, snw_view_state *state, const snw_command *command);

#endif
