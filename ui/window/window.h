/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window: a character to look at, to play and to compare.
 */
#ifndef SINEW_UI_WINDOW_WINDOW_H
#define SINEW_UI_WINDOW_WINDOW_H

#include "base/task.h"
#include "plugin/registry.h"
#include "scene/scene.h"

typedef struct snw_window_request {
	const snw_scene *scene;
	const snw_registry *registry;
	const snw_task *task;
	const char *title;        /* the project's name; pictures are called after it */
	const char *picture_stem; /* pictures become STEM-1.png, STEM-2.png … */
	int width, height;        /* of the window at first, in the desktop's units */
	bool is_traced;           /* "ready", then a line for each command once its frame is on the screen, to standard output */
} snw_window_request;

/* Runs until the window is closed. SNW_ERROR_UNSUPPORTED where there is no display, or no OpenGL 4.1. */
snw_status snw_window_run(const snw_window_request *request, snw_error *error);

#endif
