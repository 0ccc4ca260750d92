/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mipmaps of a picture: each level is half as wide and half as high, down to one pixel.
 */
#ifndef SINEW_HOST_PICTURE_MIPMAP_H
#define SINEW_HOST_PICTURE_MIPMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct snw_mipmap {
	uint32_t width, height, level_count;
	const unsigned char *pixels; /* RGBA, all levels in order */
} snw_mipmap;

/* In `arena`. Colours are averaged in linear light if `is_color` is true (sRGB); alpha is averaged as it is. */
snw_mipmap snw_mipmap_make(const unsigned char *pixels, uint32_t width, uint32_t height, bool is_color, snw_arena *arena);

/* A copy without this many of the finest levels; it has at least the coarsest. */
snw_mipmap snw_mipmap_coarser(const snw_mipmap *mipmap, uint32_t levels, snw_arena *arena);

/* The size of a level: at least 1. */
static inline uint32_t snw_mipmap_side(uint32_t side, uint32_t level) {
	return side >> level > 0 ? side >> level : 1;
}

#endif
