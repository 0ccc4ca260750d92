/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A crowd in a window of its own: dragging orbits, with Shift or the middle button pans, the wheel zooms, Space stops and
 * starts the clips, Escape closes. The title says how many members are in view, at which levels, and the redraws a second.
 */
#ifndef SINEW_UI_WINDOW_CROWD_WINDOW_H
#define SINEW_UI_WINDOW_CROWD_WINDOW_H

#include "crowd/crowd.h"
#include "render/draw/gpu_crowd.h"

typedef struct snw_crowd_window_options {
	int width, height;
	const char *name;    /* of the project, for the title */
	uint32_t redraws;    /* closes after so many; 0: when the user closes it */
	const char *picture; /* of the last redraw, to this file; NULL: none */
} snw_crowd_window_options;

snw_status snw_crowd_window_run(const snw_crowd_window_options *options, snw_crowd *crowd, const snw_crowd_character *character,
								const snw_task *task, snw_error *error);

#endif
