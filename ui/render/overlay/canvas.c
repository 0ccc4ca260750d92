/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/overlay/canvas.h"

static unsigned char mix(unsigned char below, unsigned char above, unsigned cover) {
	return (unsigned char)((below * (255 - cover) + above * cover + 127) / 255);
}

void snw_canvas_dot(const snw_canvas *canvas, int x, int y, unsigned cover, snw_ink ink) {
	if (x < 0 || y < 0 || (uint32_t)x >= canvas->width || (uint32_t)y >= canvas->height) {
		return;
	}
	unsigned char *pixel = canvas->pixels + 4 * ((size_t)y * canvas->row_pixels + (size_t)x);
	const unsigned covered = (cover * ink.alpha + 127) / 255;
	pixel[0] = mix(pixel[0], ink.red, covered);
	pixel[1] = mix(pixel[1], ink.green, covered);
	pixel[2] = mix(pixel[2], ink.blue, covered);
}

void snw_canvas_fill(const snw_canvas *canvas, int x, int y, int width, int height, snw_ink ink) {
	for (int row = y; row < y + height; row++) {
		for (int column = x; column < x + width; column++) {
			snw_canvas_dot(canvas, column, row, 255, ink);
		}
	}
}
