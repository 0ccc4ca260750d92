/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts clicks by the times at which the mouse was pressed. SDL 2 counts by the times at which the program reads events: after
 * a slow redraw a double-click would be two clicks.
 */
#ifndef SINEW_UI_WINDOW_INPUT_CLICKS_H
#define SINEW_UI_WINDOW_INPUT_CLICKS_H

#include <stdint.h>

/* The last press. Zero at first. */
typedef struct snw_clicks {
	uint32_t milliseconds, count;
	int button, x, y;
} snw_clicks;

/* How many clicks in a row this press makes, 1 for a single one. `milliseconds` is the server's time, which wraps; the place is
 * in pixels of the window. */
uint8_t snw_clicks_take(snw_clicks *clicks, uint32_t milliseconds, int button, int x, int y);

#endif
