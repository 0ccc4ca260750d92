/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data sent in slices equals data sent at once.
 */
#include "render/gl/target.h"

#include <string.h>

#include "props.h"
#include "render/gl/context.h"
#include "render/gl/shader.h"

enum { NUMBERS = 1500000, WIDTH = 700, HEIGHT = 501 };

static uint32_t *numbers_make(snw_arena *arena) {
	uint32_t *numbers = SNW_NEW_ARRAY(arena, uint32_t, NUMBERS);
	for (uint32_t i = 0; i < NUMBERS; i++) {
		numbers[i] = 2654435761u * i;
	}
	return numbers;
}

static void buffer_sent_in_slices_is_complete_when_done(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create(), *waiting = snw_arena_create();
	const uint32_t *wanted = numbers_make(arena);
	uint32_t *found = SNW_NEW_ARRAY(arena, uint32_t, NUMBERS), slices = 1;
	snw_uploads *uploads = snw_uploads_create();
	const GLuint buffer =
		snw_uploads_buffer(uploads, GL_ARRAY_BUFFER, numbers_make(waiting), NUMBERS * sizeof *wanted, GL_STATIC_DRAW);
	snw_uploads_adopt(uploads, waiting);
	while (!snw_uploads_send(uploads, 0)) {
		slices++;
	}
	assert_true(slices > 3);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glGetBufferSubData(GL_ARRAY_BUFFER, 0, NUMBERS * sizeof *found, found);
	assert_memory_equal(found, wanted, NUMBERS * sizeof *wanted);
	glDeleteBuffers(1, &buffer);
	snw_uploads_destroy(uploads);
	snw_arena_destroy(arena);
}

static void uploads_that_are_dropped_half_way_give_their_data_back(void **state) {
	(void)state;
	graphics_need();
	snw_arena *waiting = snw_arena_create();
	snw_uploads *uploads = snw_uploads_create();
	const GLuint buffer =
		snw_uploads_buffer(uploads, GL_ARRAY_BUFFER, numbers_make(waiting), NUMBERS * sizeof(uint32_t), GL_STATIC_DRAW);
	snw_uploads_adopt(uploads, waiting);
	assert_false(snw_uploads_send(uploads, 0));
	snw_uploads_destroy(uploads); /* a leak is found by the sanitizer */
	glDeleteBuffers(1, &buffer);
}

static void picture_sent_in_slices_is_complete_at_every_level(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	unsigned char *pixels = snw_arena_array(arena, (size_t)WIDTH * HEIGHT, 4);
	for (size_t i = 0; i < 4ul * WIDTH * HEIGHT; i++) {
		pixels[i] = (unsigned char)(i * 7 % 251);
	}
	const snw_mipmap picture = snw_mipmap_make(pixels, WIDTH, HEIGHT, false, arena);
	assert_int_equal(picture.level_count, 10);
	snw_uploads *uploads = snw_uploads_create();
	const GLuint texture = snw_uploads_texture(uploads, &picture, GL_RGBA8);
	assert_false(snw_uploads_send(uploads, 0));
	while (!snw_uploads_send(uploads, 0)) {
	}
	glBindTexture(GL_TEXTURE_2D, texture);
	glPixelStorei(GL_PACK_ALIGNMENT, 1);
	const unsigned char *wanted = picture.pixels;
	for (uint32_t level = 0; level < picture.level_count; level++) {
		const size_t bytes = 4 * (size_t)snw_mipmap_side(WIDTH, level) * snw_mipmap_side(HEIGHT, level);
		unsigned char *found = snw_arena_acquire(arena, bytes);
		glGetTexImage(GL_TEXTURE_2D, (GLint)level, GL_RGBA, GL_UNSIGNED_BYTE, found);
		assert_memory_equal(found, wanted, bytes);
		wanted += bytes;
	}
	glDeleteTextures(1, &texture);
	snw_uploads_destroy(uploads);
	snw_arena_destroy(arena);
}

/* A rasteriser on the CPU takes minutes for some triangles that are seen from their edges. */
static void pictures_are_filtered_along_the_view_by_graphics_cards_alone(void **state) {
	(void)state;
	graphics_need();
	static const unsigned char white[4] = {255, 255, 255, 255};
	snw_arena *arena = snw_arena_create();
	const snw_mipmap picture = snw_mipmap_make(white, 1, 1, false, arena);
	const GLuint texture = snw_uploads_texture(NULL, &picture, GL_RGBA8);
	const bool is_software = snw_device_is_software((const char *)glGetString(GL_RENDERER));
	glBindTexture(GL_TEXTURE_2D, texture);
	if (GLEW_EXT_texture_filter_anisotropic) {
		float samples = 0;
		glGetTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, &samples);
		assert_true(is_software ? samples == 1 : samples > 1);
	}
	glDeleteTextures(1, &texture);
	snw_arena_destroy(arena);
}

/* Half white and half black is 188 as a colour, and 128 as a number. */
static void pictures_are_averaged_as_light_where_they_are_colours(void **state) {
	(void)state;
	static const unsigned char checks[16] = {255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255};
	snw_arena *arena = snw_arena_create();
	const unsigned char *color = snw_mipmap_make(checks, 2, 2, true, arena).pixels + 16;
	const unsigned char *data = snw_mipmap_make(checks, 2, 2, false, arena).pixels + 16;
	assert_int_equal(color[0], 188);
	assert_int_equal(color[3], 128);
	assert_int_equal(data[0], 128);
	const snw_mipmap one = snw_mipmap_make(checks, 1, 4, true, arena);
	assert_int_equal(one.level_count, 3);
	snw_arena_destroy(arena);
}

TEST_GROUP(uploads) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buffer_sent_in_slices_is_complete_when_done),
		cmocka_unit_test(uploads_that_are_dropped_half_way_give_their_data_back),
		cmocka_unit_test(picture_sent_in_slices_is_complete_at_every_level),
		cmocka_unit_test(pictures_are_filtered_along_the_view_by_graphics_cards_alone),
		cmocka_unit_test(pictures_are_averaged_as_light_where_they_are_colours),
	};
	return cmocka_run_group_tests(tests, graphics_open, graphics_close);
}
