/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window: a character to pose, to sculpt and to fit.
 */
#ifndef SINEW_UI_WINDOW_WINDOW_H
#define SINEW_UI_WINDOW_WINDOW_H

#include <stdbool.h>

#include "base/error.h"
#include "plugin/registry.h"

typedef struct snw_window_options {
	const snw_registry *registry;
	const char *path;         /* what to open; NULL: nothing yet */
	const char *script;       /* commands to be done, a line each; NULL: none. It ends at the first that cannot be done */
	const char *picture_stem; /* pictures become STEM-1.png, STEM-2.png … */
	int width, height;        /* of the window at first, in the desktop's units */
	bool is_traced;           /* "ready", then a line for each command once its frame is on the screen, to standard output */
} snw_window_options;

/* Runs until the window is closed. SNW_ERROR_UNSUPPORTED where there is no display, or no OpenGL 4.1; SNW_ERROR_DATA names
 * the line of a script that is none, or that could not be done. */
snw_status snw_window_run(const snw_window_options *options, snw_error *error);

#endif
