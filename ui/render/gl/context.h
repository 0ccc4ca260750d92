/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An OpenGL context: with a visible window; or with a hidden one, if there is a display; else offscreen through EGL.
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
	bool reports_loss; /* the driver reports the loss of the context */
	bool is_lost;
	char fault[400]; /* the first message of a debug context; empty: none */
} snw_context;

/* A visible window. */
typedef struct snw_window_wish {
	const char *title;
	int width, height; /* in the desktop's units */
} snw_window_wish;

/* OpenGL core 4.1 at least. `wish` NULL: hidden. SNW_ERROR_UNSUPPORTED says what is missing. `context` must stay at its
 * address. */
snw_status snw_context_create(snw_context *context, const snw_window_wish *wish, snw_error *error);
void snw_context_destroy(snw_context *context); /* does nothing if it was never created */

/* Whether a device, by its GL_RENDERER, is a rasteriser on the CPU. */
bool snw_device_is_software(const char *device);

/* A driver may lose a context: the card was reset or removed. All its objects are lost. */
bool snw_context_is_lost(snw_context *context);
/* Replaces the context by a new one in the same window and makes it current. All objects of the old one must be created again.
 * On failure the context is as if it had never been created. */
snw_status snw_context_renew(snw_context *context, snw_error *error);

snw_status snw_context_enter(snw_context *context, snw_error *error); /* makes it current */
/* After GL calls: SNW_ERROR_INTERNAL with the driver's words where it complained of how it was used, SNW_ERROR_MEMORY where it
 * ran out of memory, and SNW_ERROR_INTERNAL too where it has lost the context. `activity` names the work: "drawing the
 * sheet". */
snw_status snw_context_check(snw_context *context, const char *activity, snw_error *error);

#endif
