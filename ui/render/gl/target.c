/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Framebuffers.
 */
#include "render/gl/target.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "render/gl/context.h"
#include "render/gl/shader.h"
#include "sinew/kit/clock.h"

/* ---- target -------------------------------------------------------------------------------------------------------------- */

snw_status snw_target_buffers_create(snw_target_buffers *target, uint32_t width, uint32_t height, uint32_t samples,
									 snw_error *error) {
	*target = (snw_target_buffers){.width = width, .height = height, .samples = samples};
	GLint side = 0, texture_side = 0, samples_most = 0;
	glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &side);
	glGetIntegerv(GL_MAX_TEXTURE_SIZE, &texture_side);
	side = side < texture_side ? side : texture_side;
	glGetIntegerv(GL_MAX_SAMPLES, &samples_most);
	if (width == 0 || height == 0 || width > (uint32_t)side || height > (uint32_t)side) {
		return snw_fail(error, SNW_ERROR_LIMIT, "a view of %u × %u pixels: this graphics driver draws 1 to %d a side", width,
						height, side);
	}
	const GLsizei count = samples < (uint32_t)samples_most ? (GLsizei)samples : samples_most;
	glGenFramebuffers(1, &target->framebuffer);
	glGenFramebuffers(1, &target->resolved);
	glGenRenderbuffers(1, &target->color);
	glGenRenderbuffers(1, &target->depth);
	glGenTextures(1, &target->resolved_color);
	glBindRenderbuffer(GL_RENDERBUFFER, target->color);
	glRenderbufferStorageMultisample(GL_RENDERBUFFER, count, GL_SRGB8_ALPHA8, (GLsizei)width, (GLsizei)height);
	glBindRenderbuffer(GL_RENDERBUFFER, target->depth);
	glRenderbufferStorageMultisample(GL_RENDERBUFFER, count, GL_DEPTH_COMPONENT24, (GLsizei)width, (GLsizei)height);
	glActiveTexture(GL_TEXTURE0);
	glBindTexture(GL_TEXTURE_2D, target->resolved_color);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, (GLsizei)width, (GLsizei)height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
	glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target->color);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, target->depth);
	const bool whole = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
	glBindFramebuffer(GL_FRAMEBUFFER, target->resolved);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->resolved_color, 0);
	if (!whole || glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
		return snw_fail(error, SNW_ERROR_MEMORY,
						"a view of %u × %u pixels: the graphics driver has no room for it; make it smaller", width, height);
	}
	return SNW_OK;
}

void snw_target_buffers_destroy(snw_target_buffers *target) {
	const GLuint framebuffers[2] = {target->framebuffer, target->resolved};
	const GLuint renderbuffers[2] = {target->color, target->depth};
	glDeleteFramebuffers(2, framebuffers);
	glDeleteRenderbuffers(2, renderbuffers);
	glDeleteTextures(1, &target->resolved_color);
	*target = (snw_target_buffers){0};
}

void snw_target_buffers_enter(const snw_target_buffers *target) {
	glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
	glViewport(0, 0, (GLsizei)target->width, (GLsizei)target->height);
	glClear(GL_DEPTH_BUFFER_BIT);
}

void snw_target_buffers_read(const snw_target_buffers *target, unsigned char *pixels, size_t row_pixels) {
	const GLint width = (GLint)target->width, height = (GLint)target->height;
	const size_t row_bytes = 4 * (size_t)target->width;
	snw_arena *scratch = snw_arena_create();
	unsigned char *read = snw_arena_array(scratch, target->height, row_bytes);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->resolved);
	glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, target->resolved);
	glPixelStorei(GL_PACK_ALIGNMENT, 1);
	glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, read);
	for (uint32_t row = 0; row < target->height; row++) {
		unsigned char *to = pixels + 4 * row_pixels * row;
		memcpy(to, read + row_bytes * (target->height - 1 - row), row_bytes);
		for (size_t x = 0; x < target->width; x++) {
			to[4 * x + 3] = 255;
		}
	}
	snw_arena_destroy(scratch);
}

void snw_target_buffers_resolve(const snw_target_buffers *target) {
	const GLint width = (GLint)target->width, height = (GLint)target->height;
	glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->resolved);
	glEnable(GL_FRAMEBUFFER_SRGB);
	glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
	glDisable(GL_FRAMEBUFFER_SRGB);
}

/* ---- uploads ------------------------------------------------------------------------------------------------------------- */

/* A queue of buffers and textures that are filled in slices. */

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

/* ---- textures ------------------------------------------------------------------------------------------------------------ */

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

/* ---- sending ------------------------------------------------------------------------------------------------------------- */

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
