/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Draws rectangles and text on a finished picture, on the CPU, so that captions look the same with every graphics card.
 */
#ifndef SINEW_UI_RENDER_OVERLAY_CANVAS_H
#define SINEW_UI_RENDER_OVERLAY_CANVAS_H

#include <stddef.h>
#include <stdint.h>

/* A part of an RGBA picture, sRGB bytes, top row first. Drawing outside it is clipped. */
typedef struct snw_canvas {
	unsigned char *pixels; /* its top left pixel */
	size_t row_pixels;     /* from one row to the next */
	uint32_t width, height;
} snw_canvas;

typedef struct snw_ink {
	unsigned char red, green, blue, alpha;
} snw_ink;

void snw_canvas_fill(const snw_canvas *canvas, int x, int y, int width, int height, snw_ink ink);
/* Blends ink over one pixel; cover is 0 to 255. */
void snw_canvas_dot(const snw_canvas *canvas, int x, int y, unsigned cover, snw_ink ink);

/* A font: the file at `path`; if NULL, DejaVu Sans or, if that is not installed, plain strokes with a notice on standard
 * error. */
typedef struct snw_font snw_font;
snw_font *snw_font_open(const char *path);
void snw_font_close(snw_font *font); /* NULL does nothing */

/* The path of the font that snw_font_open(NULL) uses; NULL if it is not installed. */
const char *snw_font_file(void);

/* UTF-8. `size` is the em's height in pixels; the baseline is at y. */
double snw_font_width(const snw_font *font, double size, const char *text);
void snw_font_draw(const snw_font *font, const snw_canvas *canvas, double x, double y, double size, snw_ink ink,
				   const char *text);

#endif
