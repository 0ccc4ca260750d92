/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PNG through libpng's simplified interface, JPEG through libjpeg.
 */
#include "picture/decode.h"

#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

/* Small pictures are accepted whatever their compression. */
enum { SMALL_BYTES = 4 << 20 };

static snw_status check_size(const char *name, uint32_t width, uint32_t height, size_t byte_count, snw_error *error) {
	if (width == 0 || height == 0 || width > SNW_IMAGE_SIDE_LIMIT || height > SNW_IMAGE_SIDE_LIMIT) {
		return snw_fail(error, SNW_ERROR_LIMIT, "picture %s: %u × %u pixels; each side must be 1 to %d", name, width, height,
						SNW_IMAGE_SIDE_LIMIT);
	}
	if ((uint64_t)width * height * 4 > SMALL_BYTES + (uint64_t)byte_count * SNW_IMAGE_RATIO_LIMIT) {
		return snw_fail(error, SNW_ERROR_LIMIT,
						"picture %s: %u × %u pixels in %zu bytes is suspiciously compressed; save it again", name, width,
						height, byte_count);
	}
	return SNW_OK;
}

/* Only the size if `image` is NULL. */
static snw_status decode_png(const unsigned char *bytes, size_t byte_count, const char *name, snw_arena *arena,
							 snw_decoded_image *image, uint32_t size[2], snw_error *error) {
	png_image png = {.version = PNG_IMAGE_VERSION};
	if (!png_image_begin_read_from_memory(&png, bytes, byte_count)) {
		return snw_fail(error, SNW_ERROR_DATA, "picture %s: %s", name, png.message);
	}
	size[0] = png.width;
	size[1] = png.height;
	snw_status status = check_size(name, size[0], size[1], byte_count, error);
	if (!snw_failed(status) && image) {
		png.format = PNG_FORMAT_RGBA;
		unsigned char *pixels = snw_arena_array(arena, (size_t)png.width * png.height, 4);
		if (png_image_finish_read(&png, NULL, pixels, 0, NULL)) {
			*image = (snw_decoded_image){png.width, png.height, pixels};
		} else {
			status = snw_fail(error, SNW_ERROR_DATA, "picture %s: %s", name, png.message);
		}
	}
	png_image_free(&png);
	return status;
}

typedef struct jpeg_faults {
	struct jpeg_error_mgr table;
	jmp_buf out;
	char words[JMSG_LENGTH_MAX];
} jpeg_faults;

static void leave_jpeg(j_common_ptr jpeg) {
	jpeg_faults *faults = (jpeg_faults *)jpeg->err;
	faults->table.format_message(jpeg, faults->words);
	longjmp(faults->out, 1);
}

static void ignore_message(j_common_ptr jpeg) {
	(void)jpeg;
}

static void read_rows(struct jpeg_decompress_struct *jpeg, unsigned char *pixels) {
	while (jpeg->output_scanline < jpeg->output_height) {
		JSAMPROW row = pixels + (size_t)jpeg->output_scanline * jpeg->output_width * 4;
		jpeg_read_scanlines(jpeg, &row, 1);
	}
}

/* Only the size if `image` is NULL. */
static snw_status decode_jpeg(const unsigned char *bytes, size_t byte_count, const char *name, snw_arena *arena,
							  snw_decoded_image *image, uint32_t size[2], snw_error *error) {
	struct jpeg_decompress_struct jpeg = {0};
	jpeg_faults faults;
	jpeg.err = jpeg_std_error(&faults.table);
	faults.table.error_exit = leave_jpeg;
	faults.table.output_message = ignore_message;
	if (setjmp(faults.out)) {
		jpeg_destroy_decompress(&jpeg);
		return snw_fail(error, SNW_ERROR_DATA, "picture %s: %s", name, faults.words);
	}
	jpeg_create_decompress(&jpeg);
	jpeg_mem_src(&jpeg, bytes, (unsigned long)byte_count);
	jpeg_read_header(&jpeg, TRUE);
	size[0] = jpeg.image_width;
	size[1] = jpeg.image_height;
	const snw_status status = check_size(name, size[0], size[1], byte_count, error);
	if (!snw_failed(status) && image) {
		jpeg.out_color_space = JCS_EXT_RGBA;
		jpeg_start_decompress(&jpeg);
		*image = (snw_decoded_image){jpeg.output_width, jpeg.output_height,
									 snw_arena_array(arena, (size_t)jpeg.output_width * jpeg.output_height, 4)};
		read_rows(&jpeg, image->pixels);
		jpeg_finish_decompress(&jpeg);
	}
	jpeg_destroy_decompress(&jpeg);
	return status;
}

/* Decodes a picture, or only its header if `image` is NULL. */
static snw_status decode(const unsigned char *bytes, size_t byte_count, const char *name, snw_arena *arena,
						 snw_decoded_image *image, uint32_t size[2], snw_error *error) {
	if (byte_count >= 4 && memcmp(bytes, "\x89PNG", 4) == 0) {
		return decode_png(bytes, byte_count, name, arena, image, size, error);
	}
	if (byte_count >= 3 && memcmp(bytes, "\xff\xd8\xff", 3) == 0) {
		return decode_jpeg(bytes, byte_count, name, arena, image, size, error);
	}
	return snw_fail(error, SNW_ERROR_UNSUPPORTED, "picture %s: neither PNG nor JPEG; convert it", name);
}

snw_status snw_image_size(const unsigned char *bytes, size_t byte_count, const char *name, uint32_t *width, uint32_t *height,
						  snw_error *error) {
	uint32_t size[2] = {0, 0};
	const snw_status status = decode(bytes, byte_count, name, NULL, NULL, size, error);
	*width = snw_failed(status) ? 0 : size[0];
	*height = snw_failed(status) ? 0 : size[1];
	return status;
}

snw_status snw_image_decode(const unsigned char *bytes, size_t byte_count, const char *name, snw_arena *arena,
							snw_decoded_image *image, snw_error *error) {
	uint32_t size[2];
	return decode(bytes, byte_count, name, arena, image, size, error);
}
