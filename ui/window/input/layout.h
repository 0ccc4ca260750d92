/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The places of the window's parts, in the desktop's units from the top left corner. Parts that do not fit into a small
 * window have size 0.
 */
#ifndef SINEW_UI_WINDOW_INPUT_LAYOUT_H
#define SINEW_UI_WINDOW_INPUT_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct snw_layout {
	float scale; /* of text and spacing */
	float width, height;
	float menu_height, outliner_width, side_width, timeline_height, status_height;
	float view_x, view_y, view_width, view_height; /* the viewport; of two views the one in use */
	float room_x, room_width;                      /* of both views */
	bool is_split;
	uint32_t side; /* the view in use: 0 left, 1 right */
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

/* The same with two views, this one in use; a viewport that is too narrow has one. */
snw_layout snw_layout_split(const snw_layout *layout, uint32_t side);
/* In which of two views a place is, if it is in one of them; else the one in use. */
uint32_t snw_layout_side_at(const snw_layout *layout, float x, float y);

#endif
