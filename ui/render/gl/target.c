/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Framebuffers.
 */
#include "render/gl/target.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"

snw_status snw_target_buffers_create(snw_target_buffers *target, uint32_t width, uint32_t height, uint32_t samples,
									 snw_error *error) {
	*target = (snw_target_buffers){.width = width, .height = height, .samples = samples};
	GLint side = 0, samples_most = 0;
	glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &side);
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
	glGenRenderbuffers(1, &target->resolved_color);
	glBindRenderbuffer(GL_RENDERBUFFER, target->color);
	glRenderbufferStorageMultisample(GL_RENDERBUFFER, count, GL_SRGB8_ALPHA8, (GLsizei)width, (GLsizei)height);
	glBindRenderbuffer(GL_RENDERBUFFER, target->depth);
	glRenderbufferStorageMultisample(GL_RENDERBUFFER, count, GL_DEPTH_COMPONENT24, (GLsizei)width, (GLsizei)height);
	glBindRenderbuffer(GL_RENDERBUFFER, target->resolved_color);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_SRGB8_ALPHA8, (GLsizei)width, (GLsizei)height);
	glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target->color);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, target->depth);
	const bool whole = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
	glBindFramebuffer(GL_FRAMEBUFFER, target->resolved);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target->resolved_color);
	if (!whole || glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
		return snw_fail(error, SNW_ERROR_MEMORY,
						"a view of %u × %u pixels: the graphics driver has no room for it; make it smaller", width, height);
	}
	return SNW_OK;
}

void snw_target_buffers_destroy(snw_target_buffers *target) {
	const GLuint framebuffers[2] = {target->framebuffer, target->resolved};
	const GLuint renderbuffers[3] = {target->color, target->depth, target->resolved_color};
	glDeleteFramebuffers(2, framebuffers);
	glDeleteRenderbuffers(3, renderbuffers);
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
