/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window: shows a character to pose, to sculpt and to fit.
 */
#ifndef SINEW_UI_WINDOW_WINDOW_H
#define SINEW_UI_WINDOW_WINDOW_H

#include <stdbool.h>

#include "base/error.h"
#include "crowd/crowd.h"
#include "plugin/registry.h"
#include "render/draw/gpu_crowd.h"

typedef struct snw_window_options {
	const snw_registry *registry;
	const char *path;         /* a file to open; NULL: none */
	const char *script;       /* commands, one a line; NULL: none. It ends at the first that fails */
	const char *picture_stem; /* pictures become STEM-1.png, STEM-2.png … */
	int width, height;        /* initial size, in the desktop's units */
	bool is_traced; /* prints to standard output: "ready", then a line for each command once its result is on the screen */
} snw_window_options;

/* Runs until the window is closed. SNW_ERROR_UNSUPPORTED if there is no display, or no OpenGL 4.1; SNW_ERROR_DATA names the
 * line of a script that is invalid or failed. */
snw_status snw_window_run(const snw_window_options *options, snw_error *error);

/* ---- a crowd ------------------------------------------------------------------------------------------------------------- */

/* A crowd in a window of its own: dragging orbits, with Shift or the middle button pans, the wheel zooms, Space stops and
 * starts the clips, Escape closes. The title says how many members are in view, at which levels, and the redraws a second. */

typedef struct snw_crowd_window_options {
	int width, height;
	const char *name;    /* of the project, for the title */
	uint32_t redraws;    /* closes after so many; 0: when the user closes it */
	const char *picture; /* of the last redraw, to this file; NULL: none */
} snw_crowd_window_options;

snw_status snw_crowd_window_run(const snw_crowd_window_options *options, snw_crowd *crowd, const snw_crowd_character *character,
								const snw_task *task, snw_error *error);

#endif
