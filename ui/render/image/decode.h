/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decoding of PNG and JPEG pictures that came with a file. They are hostile until read: libpng and libjpeg check them, sizes
 * are limited before memory is taken.
 */
#ifndef SINEW_UI_RENDER_IMAGE_DECODE_H
#define SINEW_UI_RENDER_IMAGE_DECODE_H

#include "base/arena.h"
#include "base/error.h"

#define SNW_IMAGE_SIDE_LIMIT 16384

typedef struct snw_decoded_image {
	uint32_t width, height;
	unsigned char *pixels; /* [height][width][4] RGBA, top row first, in the arena */
} snw_decoded_image;

/* By content, not by name. */
snw_status snw_image_decode(const unsigned char *bytes, size_t byte_count, const char *name, snw_arena *arena,
							snw_decoded_image *image, snw_error *error);

#endif
