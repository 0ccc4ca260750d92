/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decodes the PNG and JPEG pictures of imported files. They are untrusted: libpng and libjpeg check them, and sizes are
 * limited before memory is allocated.
 */
#ifndef SINEW_HOST_PICTURE_DECODE_H
#define SINEW_HOST_PICTURE_DECODE_H

#include "base/arena.h"
#include "base/error.h"

#define SNW_IMAGE_SIDE_LIMIT 16384

/* Decoded bytes for one encoded byte. PNG reaches 1032 for each channel of a picture of one colour. */
enum { SNW_IMAGE_RATIO_LIMIT = 4 * 1032 };

typedef struct snw_decoded_image {
	uint32_t width, height;
	unsigned char *pixels; /* [height][width][4] RGBA, top row first, in the arena */
} snw_decoded_image;

/* The size, from the header alone. SNW_ERROR_LIMIT if it is too large, in itself or for this few bytes: a few kilobytes can
 * decode to gigabytes of one colour. */
snw_status snw_image_size(const unsigned char *bytes, size_t byte_count, const char *name, uint32_t *width, uint32_t *height,
						  snw_error *error);

/* Detects the format by content. Has the limits of snw_image_size. */
snw_status snw_image_decode(const unsigned char *bytes, size_t byte_count, const char *name, snw_arena *arena,
							snw_decoded_image *image, snw_error *error);

#endif
