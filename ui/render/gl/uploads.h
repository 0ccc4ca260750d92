/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sends data to the GPU in slices, so that no redraw waits for all of it. Buffers and textures are created at once and
 * filled later. All functions but create need the context to be current.
 */
#ifndef SINEW_UI_RENDER_GL_UPLOADS_H
#define SINEW_UI_RENDER_GL_UPLOADS_H

#include <GL/glew.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "picture/pictures.h"

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
