/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An OpenGL context: with a visible window, or a hidden one where there is a display, offscreen through EGL where
 * there is none.
 */
#ifndef SINEW_UI_RENDER_GL_CONTEXT_H
#define SINEW_UI_RENDER_GL_CONTEXT_H

#include <stdbool.h>

#include "base/error.h"

struct SDL_Window;

typedef struct snw_context {
	struct SDL_Window *window;
	void *gl;
	char device[160];
	bool tells_loss; /* the driver says when it has lost the context */
	bool is_lost;
	char fault[400]; /* the first thing that a debug context complained of; empty while there is none */
} snw_context;

/* A window that people see. */
typedef struct snw_window_wish {
	const char *title;
	int width, height; /* in the desktop's units */
} snw_window_wish;

/* OpenGL core 4.1 at least. `wish` NULL: hidden. SNW_ERROR_UNSUPPORTED says what is missing. `context` must stay where it is. */
snw_status snw_context_create(snw_context *context, const snw_window_wish *wish, snw_error *error);
void snw_context_destroy(snw_context *context); /* one that was never created does nothing */

/* A driver may lose a context: the card was reset or removed. All its objects are lost. */
bool snw_context_is_lost(snw_context *context);
/* Replaces the context by a new one in the same window and makes it current. All objects of the old one must be created again. On
 * failure the context is as if it had never been created. */
snw_status snw_context_renew(snw_context *context, snw_error *error);

snw_status snw_context_enter(snw_context *context, snw_error *error); /* makes it current */
/* After GL calls: SNW_ERROR_INTERNAL with the driver's words where it complained of how it was used, SNW_ERROR_MEMORY where it
 * ran out of memory, and SNW_ERROR_INTERNAL too where it has lost the context. `what` names the work: "drawing the sheet". */
snw_status snw_context_check(snw_context *context, const char *activity, snw_error *error);

#endif
