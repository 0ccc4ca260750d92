/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/pictures.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h> /* which needs stdio.h */

/* ---- decoding ------------------------------------------------------------------------------------------------------------ */

/* PNG through libpng's simplified interface, JPEG through libjpeg. */

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

/* The size, from the header alone. SNW_ERROR_LIMIT if it is too large, in itself or for this few bytes: a few kilobytes can
 * decode to gigabytes of one colour. */
static snw_status image_size(const unsigned char *bytes, size_t byte_count, const char *name, uint32_t *width, uint32_t *height,
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

/* ---- encoding ------------------------------------------------------------------------------------------------------------ */

snw_status snw_png_encode(const unsigned char *pixels, uint32_t width, uint32_t height, uint32_t channels, snw_arena *arena,
						  const unsigned char **bytes, size_t *count, snw_error *error) {
	png_image image = {.version = PNG_IMAGE_VERSION,
					   .width = width,
					   .height = height,
					   .format = channels == 4 ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB};
	png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
	unsigned char *encoded = snw_arena_acquire(arena, size);
	if (!png_image_write_to_memory(&image, encoded, &size, 0, pixels, 0, NULL)) {
		return snw_fail(error, SNW_ERROR_IO, "a picture of %u × %u could not be encoded: %s", width, height, image.message);
	}
	*bytes = encoded;
	*count = size;
	return SNW_OK;
}

/* ---- mipmaps ------------------------------------------------------------------------------------------------------------- */

/* Averages of two by two pixels. */

enum { SHADES = 4096 };

/* Between sRGB bytes and linear light. */
typedef struct tables {
	float light[256];
	unsigned char shade[SHADES + 1];
} tables;

static void make_tables(bool is_color, tables *made) {
	for (int i = 0; i < 256; i++) {
		const double v = i / 255.0;
		made->light[i] = (float)(!is_color ? v : v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
	}
	for (int i = 0; i <= SHADES; i++) {
		const double v = (double)i / SHADES;
		made->shade[i] = (unsigned char)lround(255 * (!is_color        ? v
													  : v <= 0.0031308 ? 12.92 * v
																	   : 1.055 * pow(v, 1 / 2.4) - 0.055));
	}
}

static void halve(const tables *t, const unsigned char *from, uint32_t width, uint32_t height, unsigned char *to) {
	const size_t next_width = snw_mipmap_side(width, 1), next_height = snw_mipmap_side(height, 1);
	for (size_t y = 0; y < next_height; y++) {
		const size_t rows[2] = {2 * y, 2 * y + 1 < height ? 2 * y + 1 : 2 * y};
		for (size_t x = 0; x < next_width; x++) {
			const size_t columns[2] = {2 * x, 2 * x + 1 < width ? 2 * x + 1 : 2 * x};
			for (size_t c = 0; c < 4; c++) {
				float light = 0;
				unsigned sum = 2;
				for (int i = 0; i < 4; i++) {
					const unsigned char byte = from[4 * (rows[i / 2] * width + columns[i % 2]) + c];
					light += t->light[byte];
					sum += byte;
				}
				to[4 * (y * next_width + x) + c] =
					c == 3 ? (unsigned char)(sum / 4) : t->shade[(int)(light * (0.25f * SHADES) + 0.5f)];
			}
		}
	}
}

snw_mipmap snw_mipmap_make(const unsigned char *pixels, uint32_t width, uint32_t height, bool is_color, snw_arena *arena) {
	snw_mipmap made = {.width = width, .height = height, .level_count = 1};
	size_t bytes = 4 * (size_t)width * height;
	while (width >> made.level_count || height >> made.level_count) {
		bytes += 4 * (size_t)snw_mipmap_side(width, made.level_count) * snw_mipmap_side(height, made.level_count);
		made.level_count++;
	}
	tables *t = SNW_NEW(arena, tables);
	unsigned char *text = snw_arena_acquire(arena, bytes), *at = text;
	make_tables(is_color, t);
	memcpy(text, pixels, 4 * (size_t)width * height);
	for (uint32_t level = 0; level + 1 < made.level_count; level++) {
		const uint32_t w = snw_mipmap_side(width, level), h = snw_mipmap_side(height, level);
		unsigned char *next = at + 4 * (size_t)w * h;
		halve(t, at, w, h, next);
		at = next;
	}
	made.pixels = text;
	return made;
}

/* A copy without this many of the finest levels; it has at least the coarsest. */
static snw_mipmap mipmap_coarser(const snw_mipmap *mipmap, uint32_t levels, snw_arena *arena) {
	const uint32_t first = levels < mipmap->level_count ? levels : mipmap->level_count - 1;
	size_t skipped = 0, bytes = 0;
	for (uint32_t level = 0; level < mipmap->level_count; level++) {
		const size_t count = 4 * (size_t)snw_mipmap_side(mipmap->width, level) * snw_mipmap_side(mipmap->height, level);
		*(level < first ? &skipped : &bytes) += count;
	}
	return (snw_mipmap){
		.width = snw_mipmap_side(mipmap->width, first),
		.height = snw_mipmap_side(mipmap->height, first),
		.level_count = mipmap->level_count - first,
		.pixels = snw_arena_copy(arena, mipmap->pixels + skipped, bytes),
	};
}

/* ---- all pictures together ----------------------------------------------------------------------------------------------- */

/* 0 if the header of a picture cannot be read. */
typedef struct sides {
	uint32_t width, height;
} sides;

static uint64_t count_bytes(const sides *sizes, uint32_t count, uint32_t halvings) {
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < count; i++) {
		bytes += 4 * (uint64_t)snw_mipmap_side(sizes[i].width, halvings) * snw_mipmap_side(sizes[i].height, halvings);
	}
	return bytes;
}

static uint32_t choose_halvings(const sides *sizes, uint32_t count, uint64_t budget, const snw_task *task) {
	uint32_t halvings = 0;
	while (halvings < 31 && count_bytes(sizes, count, halvings) > budget) {
		halvings++;
	}
	if (halvings > 0) {
		snw_task_notice(task, SNW_LOG_WARNING, "the pictures need more than %llu MiB; they are shown at 1/%u of their size",
						(unsigned long long)(budget >> 20), 1u << halvings);
	}
	return halvings;
}

static snw_mipmap decode_use(const snw_picture_use *use, uint32_t halvings, const snw_task *task, snw_arena *arena) {
	snw_error error;
	snw_decoded_image decoded;
	snw_mipmap made = {0};
	snw_arena *scratch = snw_arena_create();
	if (snw_failed(snw_image_decode(use->bytes, use->byte_count, use->name, scratch, &decoded, &error))) {
		snw_task_notice(task, SNW_LOG_WARNING, "%s; its material is shown without it", error.text);
	} else if (halvings == 0) {
		made = snw_mipmap_make(decoded.pixels, decoded.width, decoded.height, use->is_color, arena);
	} else {
		const snw_mipmap whole = snw_mipmap_make(decoded.pixels, decoded.width, decoded.height, use->is_color, scratch);
		made = mipmap_coarser(&whole, halvings, arena);
	}
	snw_arena_destroy(scratch);
	return made;
}

void snw_pictures_decode(const snw_picture_use *uses, uint32_t count, uint64_t budget, const snw_task *task, snw_arena *arena,
						 snw_mipmap *decoded) {
	sides *sizes = SNW_NEW_ARRAY(arena, sides, count);
	for (uint32_t i = 0; i < count; i++) {
		(void)image_size(uses[i].bytes, uses[i].byte_count, uses[i].name, &sizes[i].width, &sizes[i].height, NULL);
	}
	const uint32_t halvings = choose_halvings(sizes, count, budget, task);
	for (uint32_t i = 0; i < count; i++) {
		decoded[i] = decode_use(&uses[i], halvings, task, arena);
	}
}
