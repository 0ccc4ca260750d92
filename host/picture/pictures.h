/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures: PNG and JPEG as pixels, mipmaps, and the budget of all pictures together.
 */
#ifndef SINEW_HOST_PICTURE_PICTURES_H
#define SINEW_HOST_PICTURE_PICTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "task/task.h"

/* Decodes the PNG and JPEG pictures of imported files. They are untrusted: libpng and libjpeg check them, and sizes are
 * limited before memory is allocated. */

#define SNW_IMAGE_SIDE_LIMIT 16384

/* Decoded bytes for one encoded byte. PNG reaches 1032 for each channel of a picture of one colour. */
enum { SNW_IMAGE_RATIO_LIMIT = 4 * 1032 };

typedef struct snw_decoded_image {
	uint32_t width, height;
	unsigned char *pixels; /* [height][width][4] RGBA, top row first, in the arena */
} snw_decoded_image;

/* Detects the format by content. Has the limits of snw_image_size. */
snw_status snw_image_decode(const unsigned char *bytes, size_t byte_count, const char *name, snw_arena *arena,
							snw_decoded_image *image, snw_error *error);

/* A PNG of 8-bit pixels [height][width][channels], top row first, in `arena`: 4 channels are RGBA, 3 RGB. */
snw_status snw_png_encode(const unsigned char *pixels, uint32_t width, uint32_t height, uint32_t channels, snw_arena *arena,
						  const unsigned char **bytes, size_t *count, snw_error *error);

/* The mipmaps of a picture: each level is half as wide and half as high, down to one pixel. */

typedef struct snw_mipmap {
	uint32_t width, height, level_count;
	const unsigned char *pixels; /* RGBA, all levels in order */
} snw_mipmap;

/* In `arena`. Colours are averaged in linear light if `is_color` is true (sRGB); alpha is averaged as it is. */
snw_mipmap snw_mipmap_make(const unsigned char *pixels, uint32_t width, uint32_t height, bool is_color, snw_arena *arena);

/* The size of a level: at least 1. */
static inline uint32_t snw_mipmap_side(uint32_t side, uint32_t level) {
	return side >> level > 0 ? side >> level : 1;
}

/* Decoding the pictures of a character. They are untrusted, and together they have a memory budget: if they exceed it, all are
 * made coarser by the same number of halvings. The worker does this, not the program. */

/* A picture in one of its two uses: as colours, or as data. */
typedef struct snw_picture_use {
	const char *name;
	const unsigned char *bytes; /* PNG or JPEG */
	size_t byte_count;
	bool is_color;
} snw_picture_use;

/* decoded [count], in `arena`: at most `budget` bytes of finest levels, and one more picture while it is decoded. A picture
 * that cannot be read has no pixels, and is reported as a notice. */
void snw_pictures_decode(const snw_picture_use *uses, uint32_t count, uint64_t budget, const snw_task *task, snw_arena *arena,
						 snw_mipmap *decoded);

#endif
