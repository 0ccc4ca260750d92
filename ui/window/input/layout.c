/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The layout of the window.
 */
#include "window/input/layout.h"

#include <math.h>

enum { LEAST_PANEL_WIDTH = 140, LEAST_VIEW_WIDTH = 100 };

/* As set, but so that the viewport keeps more than a third of the window. */
static float width_of(float set, float usual, float whole, float scale) {
	const float most = fmaxf(whole * 0.32f, usual);
	return set > 0 ? fminf(fmaxf(set, LEAST_PANEL_WIDTH) * scale, most) : usual;
}

/* The height of the timeline: its controls and the strip, and a plot; a low window has only the strip. */
static float timeline_height(float height, float scale, snw_timeline_kind kind) {
	const bool plots = kind == SNW_TIMELINE_PLOT && height >= 600 * scale;
	return (kind == SNW_TIMELINE_NONE || height < 220 * scale ? 0 : height < 480 * scale ? 40 : plots ? 148 : 84) * scale;
}

snw_layout snw_layout_make(int width, int height, float scale, float menu_height, bool bare, snw_timeline_kind timeline,
						   const snw_panel_widths *widths) {
	snw_layout layout = {.scale = scale, .width = (float)width, .height = (float)height};
	const bool tall = layout.height >= 300 * scale;
	layout.menu_height = bare || layout.height < 200 * scale ? 0 : menu_height;
	layout.side_width =
		!bare && tall && layout.width >= 560 * scale ? width_of(widths->side, 300 * scale, layout.width, scale) : 0;
	const float usual = (layout.width < 1200 * scale ? 208 : 240) * scale;
	layout.outliner_width =
		!bare && tall && layout.width >= 900 * scale ? width_of(widths->outliner, usual, layout.width, scale) : 0;
	layout.timeline_height = bare ? 0 : timeline_height(layout.height, scale, timeline);
	layout.status_height = bare || layout.height < 120 * scale ? 0 : 27 * scale;
	layout.view_x = layout.outliner_width;
	layout.view_y = layout.menu_height;
	layout.view_width = layout.width - layout.side_width - layout.outliner_width;
	layout.view_height = layout.height - layout.menu_height - layout.timeline_height - layout.status_height;
	layout.room_x = layout.view_x;
	layout.room_width = layout.view_width;
	return layout;
}

snw_layout snw_layout_split(const snw_layout *layout, uint32_t side) {
	const float gap = 2 * layout->scale, width = floorf((layout->room_width - gap) / 2);
	snw_layout split = *layout;
	if (width >= LEAST_VIEW_WIDTH * layout->scale) {
		split.is_split = true;
		split.side = side;
		split.view_x = side == 0 ? layout->room_x : layout->room_x + layout->room_width - width;
		split.view_width = width;
	}
	return split;
}

uint32_t snw_layout_side_at(const snw_layout *layout, float x, float y) {
	const bool is_in = x >= layout->room_x && x < layout->room_x + layout->room_width && y >= layout->view_y &&
					   y < layout->view_y + layout->view_height;
	return layout->is_split && is_in ? x >= layout->room_x + layout->room_width / 2 : layout->side;
}
