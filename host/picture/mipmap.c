/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Averages of two by two pixels.
 */
#include "picture/mipmap.h"

#include <math.h>
#include <string.h>

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

snw_mipmap snw_mipmap_coarser(const snw_mipmap *mipmap, uint32_t levels, snw_arena *arena) {
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
