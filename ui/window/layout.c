/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window's parts.
 */
#include "window/layout.h"

snw_layout snw_layout_make(int width, int height, float scale, float menu_height, bool bare) {
	snw_layout layout = {.scale = scale, .width = (float)width, .height = (float)height};
	const bool tall = layout.height >= 300 * scale;
	layout.menu_height = bare || layout.height < 200 * scale ? 0 : menu_height;
	layout.side_width = !bare && tall && layout.width >= 560 * scale ? 292 * scale : 0;
	layout.left_width = !bare && tall && layout.width >= 900 * scale ? 208 * scale : 0;
	layout.timeline_height = bare || layout.height < 220 * scale ? 0 : (layout.height >= 480 * scale ? 86 : 44) * scale;
	layout.status_height = bare || layout.height < 120 * scale ? 0 : 27 * scale;
	layout.view_x = layout.left_width;
	layout.view_y = layout.menu_height;
	layout.view_width = layout.width - layout.side_width - layout.left_width;
	layout.view_height = layout.height - layout.menu_height - layout.timeline_height - layout.status_height;
	return layout;
}
