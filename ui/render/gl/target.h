/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The buffers that a view is drawn into: sRGB, some samples a pixel, resolved and read back.
 */
#ifndef SINEW_UI_RENDER_GL_TARGET_H
#define SINEW_UI_RENDER_GL_TARGET_H

#include <GL/glew.h>

#include "base/error.h"

enum { SNW_TARGET_SAMPLES = 4 }; /* a pixel, for smooth edges */

typedef struct snw_target_buffers {
	uint32_t width, height, samples;
	GLuint framebuffer, color, depth; /* multisampled */
	GLuint resolved, resolved_color;
} snw_target_buffers;

/* With `samples` a pixel, or as many as the driver has; 0: no smoothing. SNW_ERROR_LIMIT if it does not support this size. */
snw_status snw_target_buffers_create(snw_target_buffers *target, uint32_t width, uint32_t height, uint32_t samples,
									 snw_error *error);
void snw_target_buffers_destroy(snw_target_buffers *target);
void snw_target_buffers_enter(const snw_target_buffers *target); /* binds, sets viewport, clears depth */

/* Averages the samples, as light, into `resolved`. */
void snw_target_buffers_resolve(const snw_target_buffers *target);

/* Into a part of an RGBA picture with row_pixels pixels a row, top row first; alpha becomes 255. */
void snw_target_buffers_read(const snw_target_buffers *target, unsigned char *pixels, size_t row_pixels);

#endif
