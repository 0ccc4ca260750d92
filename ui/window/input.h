/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mouse and keys over the viewport, as commands.
 */
#ifndef SINEW_UI_WINDOW_INPUT_H
#define SINEW_UI_WINDOW_INPUT_H

#include "window/panels.h"

union SDL_Event;

/* What the mouse and the held keys are doing. */
typedef struct snw_input {
	snw_drag drag;
	uint32_t button;    /* that began the drag */
	uint32_t modifiers; /* SDL_Keymod, as of the last event: SDL's own are ahead of events that still wait */
} snw_input;

/* `mouse_free`: no panel wants the mouse. As in Maya: Alt with the left, middle or right button turns, pans, zooms. As in
 * Blender: the middle button turns, with Shift it pans, with Ctrl it zooms. The left button does as the middle one. */
void snw_input_event(snw_input *input, const union SDL_Event *event, bool mouse_free, const snw_layout *layout,
					 const snw_view_state *state, snw_command_queue *queue);

#endif
