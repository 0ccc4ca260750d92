/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far the chosen example's sculpt moves each point from where the layers below it put it: for the heat map "sculpt".
 * Computed in the background while that heat map is shown.
 */
#ifndef SINEW_UI_WINDOW_SESSION_SCULPT_DISTANCES_H
#define SINEW_UI_WINDOW_SESSION_SCULPT_DISTANCES_H

#include "window/session/drivers.h"

typedef struct snw_sculpt_distances {
	snw_arena *arena;          /* NULL: none are known */
	snw_drivers_key key;       /* what they were found for */
	uint32_t mesh, count;      /* of its points */
	double *values;            /* [count], millimetres */
	snw_drivers_key requested; /* what a background job was sent for */
} snw_sculpt_distances;

/* Requests them if they are shown and not known, and gives them to the display. Once a redraw. */
void snw_sculpt_distances_follow(struct snw_session *session);
void snw_sculpt_distances_forget(struct snw_session *session);

#endif
