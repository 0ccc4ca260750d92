/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The buffers that a view is drawn into: sRGB, some samples a pixel, resolved and read back.
 */
#ifndef SINEW_UI_RENDER_GL_TARGET_H
#define SINEW_UI_RENDER_GL_TARGET_H

#include <GL/glew.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "picture/pictures.h"

enum { SNW_TARGET_SAMPLES = 4 }; /* a pixel, for smooth edges */

typedef struct snw_target_buffers {
	uint32_t width, height, samples;
	GLuint framebuffer, color, depth; /* multisampled */
	GLuint resolved, resolved_color;  /* resolved_color is a texture */
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

/* ---- uploads ------------------------------------------------------------------------------------------------------------- */

/* Sends data to the GPU in slices, so that no redraw waits for all of it. Buffers and textures are created at once and
 * filled later. All functions but create need the context to be current. */

typedef struct snw_uploads snw_uploads;
snw_uploads *snw_uploads_create(void);
/* NULL: does nothing. Data that was not sent is dropped; call it before the buffers and textures are deleted. */
void snw_uploads_destroy(snw_uploads *uploads);

/* With `uploads` NULL, these send everything at once. Otherwise `data` must stay valid until it was sent. */

/* As snw_buffer_make. */
GLuint snw_uploads_buffer(snw_uploads *uploads, GLenum target, const void *data, size_t bytes, GLenum usage);
/* A texture of that format, filtered. */
GLuint snw_uploads_texture(snw_uploads *uploads, const snw_mipmap *picture, GLenum format);
/* Takes ownership of an arena that holds waiting data, and destroys it when everything was sent. */
void snw_uploads_adopt(snw_uploads *uploads, snw_arena *arena);

/* Sends slices for about this long; true once nothing waits (NULL: always). */
bool snw_uploads_send(snw_uploads *uploads, double seconds);

#endif
