/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/input/clicks.h"

#include <stdbool.h>
#include <stdlib.h>

enum { LONGEST = 500, FARTHEST = 6, COUNT_MOST = 200 }; /* milliseconds; pixels, as Dear ImGui has it */

uint8_t snw_clicks_take(snw_clicks *clicks, uint32_t milliseconds, int button, int x, int y) {
	const bool continues = clicks->count > 0 && clicks->button == button && milliseconds - clicks->milliseconds <= LONGEST &&
						   abs(x - clicks->x) < FARTHEST && abs(y - clicks->y) < FARTHEST;
	const uint32_t count = continues && clicks->count < COUNT_MOST ? clicks->count + 1 : 1;
	*clicks = (snw_clicks){.milliseconds = milliseconds, .count = count, .button = button, .x = x, .y = y};
	return (uint8_t)count;
}
