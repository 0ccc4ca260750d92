/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The panels: they read the state and the studio, and queue commands.
 */
#ifndef SINEW_UI_WINDOW_PANELS_H
#define SINEW_UI_WINDOW_PANELS_H

#include "window/studio.h"

/* Where everything stands, in the desktop's units from the top left corner. What a small window has no room for is 0 wide or
 * high. */
typedef struct snw_layout {
	float scale; /* of letters and spaces */
	float width, height;
	float side_width, timeline_height, status_height;
	float view_width, view_height; /* the viewport, in the top left corner */
} snw_layout;
snw_layout snw_layout_make(int width, int height, float scale);

/* What the mouse is doing with the viewport. */
typedef enum snw_drag { SNW_DRAG_NONE = 0, SNW_DRAG_ORBIT = 1, SNW_DRAG_PAN = 2, SNW_DRAG_ZOOM = 3 } snw_drag;

/* `title` names the project. */
void snw_panels_draw(const snw_layout *layout, const snw_studio *studio, const snw_view_state *state, snw_drag drag,
					 const char *title, snw_command_queue *queue);

#endif
