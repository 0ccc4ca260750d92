/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text: outlines through stb_truetype, or stb_easy_font's strokes where no font is installed.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "file/file.h"
#include "render/overlay/canvas.h"

#include <stb_truetype.h>
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wmissing-braces"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#include <stb_easy_font.h>
#pragma GCC diagnostic pop

#define STROKE_EM 12.0 /* the em in the units of the strokes; their baseline is at 9 */
#define STROKE_BASE 9.0

struct snw_font {
	snw_arena *arena;
	bool outlines;
	stbtt_fontinfo info;
};

static const char *const font_paths[] = {
	"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
	"/usr/share/fonts/dejavu/DejaVuSans.ttf",          "/usr/share/fonts/TTF/DejaVuSans.ttf",
	"/usr/local/share/fonts/DejaVuSans.ttf",
};

static bool open_outlines(snw_font *font, const char *path) {
	snw_bytes bytes;
	if (snw_failed(snw_file_read(path, font->arena, &bytes, NULL)) || bytes.count <= 12) {
		return false;
	}
	const int offset = stbtt_GetFontOffsetForIndex(bytes.data, 0);
	return offset >= 0 && stbtt_InitFont(&font->info, bytes.data, offset);
}

const char *snw_font_file(void) {
	for (size_t i = 0; i < sizeof font_paths / sizeof *font_paths; i++) {
		if (access(font_paths[i], R_OK) == 0) {
			return font_paths[i];
		}
	}
	return NULL;
}

snw_font *snw_font_open(const char *path) {
	snw_arena *arena = snw_arena_create();
	snw_font *font = SNW_NEW(arena, snw_font);
	font->arena = arena;
	font->outlines = path && open_outlines(font, path);
	for (size_t i = 0; i < sizeof font_paths / sizeof *font_paths && !path && !font->outlines; i++) {
		font->outlines = open_outlines(font, font_paths[i]);
	}
	if (!font->outlines) {
		fprintf(stderr, "sinew: %s is missing, so captions use a plain font; install fonts-dejavu-core\n",
				path ? path : "DejaVuSans.ttf");
	}
	return font;
}

void snw_font_close(snw_font *font) {
	if (font) {
		snw_arena_destroy(font->arena);
	}
}

/* The next code point of UTF-8; a malformed byte is taken as a code point. */
static int next_letter(const unsigned char **text) {
	const unsigned char *t = *text;
	const int more = t[0] >= 0xf0 ? 3 : t[0] >= 0xe0 ? 2 : t[0] >= 0xc0 ? 1 : 0;
	int letter = more ? t[0] & (0x3f >> more) : t[0];
	for (int i = 1; i <= more; i++) {
		if ((t[i] & 0xc0) != 0x80) {
			*text = t + 1;
			return t[0];
		}
		letter = letter << 6 | (t[i] & 0x3f);
	}
	*text = t + 1 + more;
	return letter;
}

/* The strokes have only ASCII. */
static void copy_for_strokes(char copy[512], const char *text) {
	size_t count = 0;
	for (const unsigned char *t = (const unsigned char *)text; *t && count < 511;) {
		const int letter = next_letter(&t);
		copy[count++] = letter >= ' ' && letter <= '~' ? (char)letter : '?';
	}
	copy[count] = 0;
}

static double stroke_width(double size, const char *text) {
	char copy[512];
	copy_for_strokes(copy, text);
	return stb_easy_font_width(copy) * size / STROKE_EM;
}

double snw_font_width(const snw_font *font, double size, const char *text) {
	if (!font->outlines) {
		return stroke_width(size, text);
	}
	const double scale = (double)stbtt_ScaleForMappingEmToPixels(&font->info, (float)size);
	double width = 0;
	int before = 0;
	for (const unsigned char *t = (const unsigned char *)text; *t;) {
		const int letter = next_letter(&t);
		int advance, bearing;
		stbtt_GetCodepointHMetrics(&font->info, letter, &advance, &bearing);
		width += scale * (advance + (before ? stbtt_GetCodepointKernAdvance(&font->info, before, letter) : 0));
		before = letter;
	}
	return width;
}

static void draw_strokes(const snw_canvas *canvas, double x, double y, double size, snw_ink ink, const char *text) {
	struct {
		float x, y, z;
		unsigned char color[4];
	} corners[4 * 1024];
	char copy[512];
	copy_for_strokes(copy, text);
	const int quads = stb_easy_font_print(0, 0, copy, NULL, corners, sizeof corners);
	const double scale = size / STROKE_EM;
	for (int q = 0; q < quads; q++) {
		const double start = (double)corners[4 * q].x, top = (double)corners[4 * q].y;
		const double right = (double)corners[4 * q + 2].x, bottom = (double)corners[4 * q + 2].y;
		const int x0 = (int)lround(x + scale * start), y0 = (int)lround(y + scale * (top - STROKE_BASE));
		const int x1 = (int)lround(x + scale * right), y1 = (int)lround(y + scale * (bottom - STROKE_BASE));
		snw_canvas_fill(canvas, x0, y0, x1 > x0 ? x1 - x0 : 1, y1 > y0 ? y1 - y0 : 1, ink);
	}
}

static void draw_letter(const snw_font *font, const snw_canvas *canvas, double x, double y, float scale, snw_ink ink,
						int letter) {
	int width, height, start, top;
	const double whole = floor(x);
	unsigned char *cover = stbtt_GetCodepointBitmapSubpixel(&font->info, scale, scale, (float)(x - whole), 0, letter, &width,
															&height, &start, &top);
	for (int row = 0; row < height && cover; row++) {
		for (int column = 0; column < width; column++) {
			snw_canvas_dot(canvas, (int)whole + start + column, (int)lround(y) + top + row, cover[row * width + column], ink);
		}
	}
	stbtt_FreeBitmap(cover, NULL);
}

void snw_font_draw(const snw_font *font, const snw_canvas *canvas, double x, double y, double size, snw_ink ink,
				   const char *text) {
	if (!font->outlines) {
		draw_strokes(canvas, x, y, size, ink, text);
		return;
	}
	const float scale = stbtt_ScaleForMappingEmToPixels(&font->info, (float)size);
	int before = 0;
	for (const unsigned char *t = (const unsigned char *)text; *t;) {
		const int letter = next_letter(&t);
		int advance, bearing;
		stbtt_GetCodepointHMetrics(&font->info, letter, &advance, &bearing);
		x += before ? (double)scale * stbtt_GetCodepointKernAdvance(&font->info, before, letter) : 0;
		draw_letter(font, canvas, x, y, scale, ink, letter);
		x += (double)scale * advance;
		before = letter;
	}
}
