/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures: written, decoded, refused, and kept within a budget of memory.
 */
#include "picture/pictures.h"
#include "check.h"
#include "random.h"
#include "render/render.h"
#include "render/shading/shading.h"

#include "file/file.h"

#include <jpeglib.h>
#include <png.h>

static void written_picture_reads_back(void **state) {
	(void)state;
	unsigned char pixels[4 * 6];
	for (int i = 0; i < 24; i++) {
		pixels[i] = (unsigned char)(i % 4 == 3 ? 255 : 10 * i);
	}
	snw_error error;
	snw_arena *arena = snw_arena_create();
	const char *path = check_scratch("picture.png");
	check_ok(snw_png_write(path, pixels, 3, 2, &error), error);
	snw_bytes bytes;
	snw_decoded_image image;
	check_ok(snw_file_read(path, arena, &bytes, &error), error);
	check_ok(snw_image_decode(bytes.data, bytes.count, "picture", arena, &image, &error), error);
	assert_int_equal(image.width, 3);
	assert_int_equal(image.height, 2);
	assert_memory_equal(image.pixels, pixels, sizeof pixels);
	unlink(path);
	snw_arena_destroy(arena);
}

static void picture_that_cannot_be_written_leaves_no_file(void **state) {
	(void)state;
	const unsigned char pixel[4] = {0};
	snw_error error;
	assert_true(snw_failed(snw_png_write("/nowhere/at/all.png", pixel, 1, 1, &error)));
	assert_non_null(strstr(error.text, "/nowhere/at/all.png"));
	const char *path = check_scratch("none.png");
	assert_true(snw_failed(snw_png_write(path, pixel, 0, 0, &error)));
	assert_false(snw_file_exists(path));
}

/* A JPEG of one colour; free() it. */
static snw_bytes jpeg_of(uint32_t side, unsigned char red, unsigned char green, unsigned char blue) {
	struct jpeg_compress_struct jpeg;
	struct jpeg_error_mgr faults;
	unsigned char *bytes = NULL, row[3 * 64];
	unsigned long count = 0;
	for (uint32_t x = 0; x < side; x++) {
		row[3 * x] = red;
		row[3 * x + 1] = green;
		row[3 * x + 2] = blue;
	}
	jpeg.err = jpeg_std_error(&faults);
	jpeg_create_compress(&jpeg);
	jpeg_mem_dest(&jpeg, &bytes, &count);
	jpeg.image_width = jpeg.image_height = side;
	jpeg.input_components = 3;
	jpeg.in_color_space = JCS_RGB;
	jpeg_set_defaults(&jpeg);
	jpeg_start_compress(&jpeg, TRUE);
	for (uint32_t y = 0; y < side; y++) {
		JSAMPROW rows = row;
		jpeg_write_scanlines(&jpeg, &rows, 1);
	}
	jpeg_finish_compress(&jpeg);
	jpeg_destroy_compress(&jpeg);
	return (snw_bytes){bytes, count};
}

static void jpeg_is_decoded(void **state) {
	(void)state;
	snw_error error;
	snw_decoded_image image;
	snw_arena *arena = snw_arena_create();
	const snw_bytes jpeg = jpeg_of(24, 200, 100, 50);
	check_ok(snw_image_decode(jpeg.data, jpeg.count, "jpeg", arena, &image, &error), error);
	assert_int_equal(image.width, 24);
	const unsigned char *last = image.pixels + 4ul * (24 * 24 - 1);
	check_near(last[0], 200, 6);
	check_near(last[1], 100, 6);
	check_near(last[2], 50, 6);
	assert_int_equal(last[3], 255);
	free((void *)jpeg.data);
	snw_arena_destroy(arena);
}

static void append(png_structp png, png_bytep bytes, size_t count) {
	fwrite(bytes, 1, count, png_get_io_ptr(png));
}

/* A PNG of one bit a pixel, all black: some 30 kilobytes that would be a gibibyte. */
static snw_bytes bomb(uint32_t side) {
	char *bytes = NULL;
	size_t count = 0;
	FILE *out = open_memstream(&bytes, &count);
	unsigned char *row = calloc(1, side / 8);
	assert_non_null(row);
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop info = png_create_info_struct(png);
	png_set_write_fn(png, out, append, NULL);
	png_set_IHDR(png, info, side, side, 1, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
				 PNG_FILTER_TYPE_DEFAULT);
	png_write_info(png, info);
	for (uint32_t y = 0; y < side; y++) {
		png_write_row(png, row);
	}
	png_write_end(png, info);
	png_destroy_write_struct(&png, &info);
	fclose(out);
	free(row);
	return (snw_bytes){(unsigned char *)bytes, count};
}

static void decompression_bomb_is_refused(void **state) {
	(void)state;
	snw_error error;
	snw_decoded_image image;
	snw_arena *arena = snw_arena_create();
	const snw_bytes large = bomb(SNW_IMAGE_SIDE_LIMIT), small = bomb(512);
	assert_int_equal(snw_image_decode(large.data, large.count, "bomb", arena, &image, &error), SNW_ERROR_LIMIT);
	assert_non_null(strstr(error.text, "picture bomb: 16384 × 16384 pixels in "));
	check_ok(snw_image_decode(small.data, small.count, "small", arena, &image, &error), error);
	free((void *)large.data);
	free((void *)small.data);
	snw_arena_destroy(arena);
}

static void pictures_share_a_budget(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_bytes jpeg = jpeg_of(64, 200, 100, 50);
	const snw_image images[3] = {{.name = "a", .bytes = jpeg.data, .byte_count = jpeg.count},
								 {.name = "b", .bytes = jpeg.data, .byte_count = jpeg.count},
								 {.name = "broken", .bytes = jpeg.data, .byte_count = 10}};
	snw_material materials[2];
	for (uint32_t m = 0; m < 2; m++) { /* both show all: each picture is decoded once a use */
		materials[m] =
			(snw_material){.base_color_image = 0, .metallic_roughness_image = 1, .normal_image = SNW_NONE, .emissive_image = 2};
	}
	const snw_scene scene = {.materials = materials, .material_count = 2, .images = images, .image_count = 3};
	const uint64_t whole = 2 * 4 * 64 * 64;
	static const struct {
		uint64_t less;
		uint32_t side;
	} rows[] = {{0, 64}, {1, 32}};
	for (size_t i = 0; i < 2; i++) {
		snw_picture *pictures = snw_pictures_of_scene(&scene, whole + 4 - rows[i].less * 5, arena);
		assert_int_equal(pictures[0][true].width, rows[i].side);
		assert_int_equal(pictures[1][false].height, rows[i].side);
		assert_int_equal(pictures[1][false].level_count, i == 0 ? 7 : 6);
		check_near(pictures[0][true].pixels[0], 200, 6);
		assert_null(pictures[0][false].pixels);
		assert_null(pictures[2][true].pixels);
	}
	free((void *)jpeg.data);
	snw_arena_destroy(arena);
}

static void refused_picture_takes_nothing_of_the_budget(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_bytes large = bomb(SNW_IMAGE_SIDE_LIMIT), jpeg = jpeg_of(64, 200, 100, 50);
	const snw_picture_use uses[2] = {{.name = "bomb", .bytes = large.data, .byte_count = large.count, .is_color = true},
									 {.name = "small", .bytes = jpeg.data, .byte_count = jpeg.count, .is_color = true}};
	snw_mipmap decoded[2];
	const snw_task silent = {0};
	snw_pictures_decode(uses, 2, 1 << 20, &silent, arena, decoded);
	assert_null(decoded[0].pixels);
	assert_int_equal(decoded[1].width, 64);
	free((void *)large.data);
	free((void *)jpeg.data);
	snw_arena_destroy(arena);
}

static void damaged_pictures_are_refused_or_read(void **state) {
	(void)state;
	uint64_t random = random_seed();
	unsigned char pixels[16 * 16 * 4], damaged[4096];
	for (size_t i = 0; i < sizeof pixels; i++) {
		pixels[i] = (unsigned char)random_below(&random, 256);
	}
	snw_error error;
	snw_arena *arena = snw_arena_create();
	const char *path = check_scratch("damaged.png");
	check_ok(snw_png_write(path, pixels, 16, 16, &error), error);
	snw_bytes whole;
	check_ok(snw_file_read(path, arena, &whole, &error), error);
	const snw_bytes jpeg = jpeg_of(16, 10, 200, 90);
	const snw_bytes sources[2] = {whole, jpeg};
	for (int round = 0; round < 2000; round++) {
		const snw_bytes source = sources[round % 2];
		size_t count = source.count < sizeof damaged ? source.count : sizeof damaged;
		memcpy(damaged, source.data, count);
		for (uint32_t flips = random_below(&random, 8); flips > 0; flips--) {
			damaged[random_below(&random, (uint32_t)count)] ^= (unsigned char)(1u << random_below(&random, 8));
		}
		count = random_below(&random, 4) ? count : random_below(&random, (uint32_t)count + 1);
		snw_arena *scratch = snw_arena_create();
		snw_decoded_image image;
		(void)snw_image_decode(damaged, count, "damaged", scratch, &image, &error);
		snw_arena_destroy(scratch);
	}
	snw_decoded_image none;
	assert_true(snw_failed(snw_image_decode((const unsigned char *)"GIF89a", 6, "gif", arena, &none, &error)));
	assert_non_null(strstr(error.text, "gif"));
	unlink(path);
	free((void *)jpeg.data);
	snw_arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(written_picture_reads_back),
		cmocka_unit_test(picture_that_cannot_be_written_leaves_no_file),
		cmocka_unit_test(jpeg_is_decoded),
		cmocka_unit_test(decompression_bomb_is_refused),
		cmocka_unit_test(pictures_share_a_budget),
		cmocka_unit_test(refused_picture_takes_nothing_of_the_budget),
		cmocka_unit_test(damaged_pictures_are_refused_or_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
