/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The places of the window's parts, in the desktop's units from the top left corner. Parts that do not fit into a small
 * window have size 0.
 */
#ifndef SINEW_UI_WINDOW_INPUT_LAYOUT_H
#define SINEW_UI_WINDOW_INPUT_LAYOUT_H

#include <stdbool.h>

typedef struct snw_layout {
	float scale; /* of text and spacing */
	float width, height;
	float menu_height, outliner_width, side_width, timeline_height, status_height;
	float view_x, view_y, view_width, view_height; /* the viewport */
} snw_layout;

/* The widths of the panels that the user has set, for scale 1; 0: the usual ones. */
typedef struct snw_panel_widths {
	float outliner, side;
} snw_panel_widths;

typedef enum snw_timeline_kind {
	SNW_TIMELINE_NONE = 0,  /* there is no clip */
	SNW_TIMELINE_STRIP = 1, /* controls and a strip */
	SNW_TIMELINE_PLOT = 2,  /* and a plot of errors */
} snw_timeline_kind;

/* `bare`: only the viewport. `menu_height` is that of the last redraw. */
snw_layout snw_layout_make(int width, int height, float scale, float menu_height, bool bare, snw_timeline_kind timeline,
						   const snw_panel_widths *widths);

#endif
