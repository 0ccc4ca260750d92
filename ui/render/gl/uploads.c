/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A queue of buffers and textures that are filled in slices.
 */
#include "render/gl/uploads.h"

#include <pthread.h>

#include "render/gl/context.h"
#include "render/gl/shader.h"
#include "sinew/kit/clock.h"

enum { SLICE_BYTES = 1 << 20, SMALL_BYTES = 1 << 16 };

typedef struct waiting_upload {
	struct waiting_upload *next;
	GLuint buffer, texture; /* one of them; the other is 0 */
	GLenum usage;           /* of a buffer */
	const unsigned char *data;
	size_t bytes, sent;
	uint32_t level, width, height; /* of a texture */
} waiting_upload;

/* In the arena itself. */
typedef struct arena_entry {
	struct arena_entry *next;
	snw_arena *arena;
} arena_entry;

struct snw_uploads {
	snw_arena *arena;
	waiting_upload *first, **last;
	arena_entry *arenas; /* arenas of the waiting data */
};

snw_uploads *snw_uploads_create(void) {
	snw_arena *arena = snw_arena_create();
	snw_uploads *made = SNW_NEW(arena, snw_uploads);
	made->arena = arena;
	made->last = &made->first;
	return made;
}

static void *destroy_arenas(void *first) {
	for (arena_entry *at = first, *next; at; at = next) {
		next = at->next;
		snw_arena_destroy(at->arena);
	}
	return NULL;
}

/* In another thread, because freeing hundreds of megabytes takes a while. */
static void free_sent_data(snw_uploads *uploads) {
	pthread_t thread;
	if (uploads->arenas && pthread_create(&thread, NULL, destroy_arenas, uploads->arenas) == 0) {
		pthread_detach(thread);
	} else {
		destroy_arenas(uploads->arenas);
	}
	uploads->arenas = NULL;
}

void snw_uploads_destroy(snw_uploads *uploads) {
	if (uploads) {
		free_sent_data(uploads);
		snw_arena_destroy(uploads->arena);
	}
}

static void add(snw_uploads *uploads, const waiting_upload *wanted) {
	waiting_upload *made = SNW_NEW(uploads->arena, waiting_upload);
	*made = *wanted;
	*uploads->last = made;
	uploads->last = &made->next;
}

GLuint snw_uploads_buffer(snw_uploads *uploads, GLenum target, const void *data, size_t bytes, GLenum usage) {
	if (!uploads || !data || bytes <= SLICE_BYTES) {
		return snw_buffer_make(target, data, bytes, usage);
	}
	/* Allocation is a slice of its own: a driver may clear the memory. */
	GLuint buffer = 0;
	glGenBuffers(1, &buffer);
	glBindBuffer(target, buffer);
	add(uploads, &(waiting_upload){.buffer = buffer, .usage = usage, .data = data, .bytes = bytes});
	return buffer;
}

/* ---- textures ----------------------------------------------------------------------------------------------------- */

GLuint snw_uploads_texture(snw_uploads *uploads, const snw_mipmap *picture, GLenum format) {
	const unsigned char *data = picture->pixels;
	GLuint texture = 0;
	glGenTextures(1, &texture);
	glActiveTexture(GL_TEXTURE0);
	glBindTexture(GL_TEXTURE_2D, texture);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, (GLint)picture->level_count - 1);
	/* Mesa's rasterisers visit each texel of an ellipse, which has no end where a triangle is seen from its edge: a redraw took
	 * minutes. */
	if (GLEW_EXT_texture_filter_anisotropic && !snw_device_is_software((const char *)glGetString(GL_RENDERER))) {
		glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, 4);
	}
	for (uint32_t level = 0; level < picture->level_count; level++) {
		const uint32_t width = snw_mipmap_side(picture->width, level), height = snw_mipmap_side(picture->height, level);
		const size_t bytes = 4 * (size_t)width * height;
		const bool waits = uploads && bytes > SMALL_BYTES;
		glTexImage2D(GL_TEXTURE_2D, (GLint)level, (GLint)format, (GLsizei)width, (GLsizei)height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
					 waits ? NULL : data);
		if (waits) {
			add(uploads,
				&(waiting_upload){
					.texture = texture, .data = data, .bytes = bytes, .level = level, .width = width, .height = height});
		}
		data += bytes;
	}
	return texture;
}

void snw_uploads_adopt(snw_uploads *uploads, snw_arena *arena) {
	if (!uploads) {
		snw_arena_destroy(arena);
		return;
	}
	arena_entry *made = SNW_NEW(arena, arena_entry);
	*made = (arena_entry){.next = uploads->arenas, .arena = arena};
	uploads->arenas = made;
}

/* ---- sending ------------------------------------------------------------------------------------------------------ */

static void send_buffer(waiting_upload *pending) {
	const size_t remaining = pending->bytes - pending->sent, bytes = remaining < SLICE_BYTES ? remaining : SLICE_BYTES;
	glBindBuffer(GL_COPY_WRITE_BUFFER, pending->buffer);
	if (pending->sent == 0) {
		glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)pending->bytes, NULL, pending->usage);
	}
	glBufferSubData(GL_COPY_WRITE_BUFFER, (GLintptr)pending->sent, (GLsizeiptr)bytes, pending->data + pending->sent);
	pending->sent += bytes;
}

/* Whole rows. */
static void send_texture(waiting_upload *pending) {
	const size_t row = 4 * (size_t)pending->width, from = pending->sent / row, fitting = SLICE_BYTES / row + 1;
	const size_t rows = pending->height - from < fitting ? pending->height - from : fitting;
	glActiveTexture(GL_TEXTURE0);
	glBindTexture(GL_TEXTURE_2D, pending->texture);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	glTexSubImage2D(GL_TEXTURE_2D, (GLint)pending->level, 0, (GLint)from, (GLsizei)pending->width, (GLsizei)rows, GL_RGBA,
					GL_UNSIGNED_BYTE, pending->data + pending->sent);
	pending->sent += rows * row;
}

bool snw_uploads_send(snw_uploads *uploads, double seconds) {
	const double end = snk_clock_seconds() + seconds;
	while (uploads && uploads->first) {
		waiting_upload *pending = uploads->first;
		if (pending->buffer) {
			send_buffer(pending);
		} else {
			send_texture(pending);
		}
		if (pending->sent >= pending->bytes) {
			uploads->first = pending->next;
			uploads->last = uploads->first ? uploads->last : &uploads->first;
		}
		if (snk_clock_seconds() >= end && uploads->first) {
			return false;
		}
	}
	if (uploads) {
		free_sent_data(uploads);
	}
	return true;
}
