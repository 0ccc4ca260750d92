/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Captions and scale bars: sizes follow the height of the view.
 */
#include "render/overlay/legend.h"

#include <math.h>
#include <stdio.h>

#include "render/overlay/heat_colors.h"

#define BAR_ROOM 5.0 /* times the text size: the ramp, and numbers of three digits */

/* Inks with contrast to a light and to a dark background. */
static snw_ink text_ink(bool dark) {
	return dark ? (snw_ink){214, 218, 224, 255} : (snw_ink){38, 42, 48, 255};
}

static snw_ink border_ink(bool dark) {
	return dark ? (snw_ink){214, 218, 224, 150} : (snw_ink){38, 42, 48, 150};
}

static double text_size(uint32_t width, uint32_t height) {
	const double side = width < height ? width : height;
	return fmin(fmax(side * 0.034, 11), 34);
}

void snw_legend_caption(const snw_canvas *canvas, const snw_font *font, const char *caption, bool dark) {
	double size = text_size(canvas->width, canvas->height) * 1.08;
	const double room = canvas->width - 2 * size, width = snw_font_width(font, size, caption);
	if (width > room && width > 0) {
		size = fmax(size * room / width, 8);
	}
	snw_font_draw(font, canvas, text_size(canvas->width, canvas->height) * 1.1,
				  canvas->height - text_size(canvas->width, canvas->height) * 1.1, size, text_ink(dark), caption);
}

snw_camera_margins snw_legend_margins(uint32_t width, uint32_t height, bool has_label, bool has_scale) {
	const double size = text_size(width, height), least = 0.05;
	snw_camera_margins margins = {least, least, least, fmin(fmax(2.3 * size / height, least), 0.25)};
	if (has_label) {
		margins.above = fmin(fmax(2.4 * size / height, least), 0.25);
	}
	if (has_scale) {
		margins.end = fmin(BAR_ROOM * size / width, 0.35);
	}
	return margins;
}

double snw_legend_round_step(double range, int most) {
	const double rough = range / most;
	const double decade = pow(10, floor(log10(rough)));
	const double part = rough / decade;
	return (part <= 1.0000001 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10) * decade;
}

void snw_legend_label(const snw_canvas *canvas, const snw_font *font, const char *label, bool dark) {
	const double size = text_size(canvas->width, canvas->height) * 0.92;
	if (label) {
		snw_font_draw(font, canvas, canvas->width - size * 1.2 - snw_font_width(font, size, label), size * 2.1, size,
					  text_ink(dark), label);
	}
}

static void draw_ramp(const snw_canvas *canvas, int x, int y, int width, int height, bool dark) {
	unsigned char ramp[SNW_HEAT_STEPS][3];
	snw_heat_ramp(ramp);
	snw_canvas_fill(canvas, x - 1, y - 1, width + 2, height + 2, border_ink(dark));
	for (int row = 0; row < height; row++) {
		const int step = (int)lround((SNW_HEAT_STEPS - 1) * (1 - (row + 0.5) / height));
		const snw_ink ink = {ramp[step][0], ramp[step][1], ramp[step][2], 255};
		snw_canvas_fill(canvas, x, y + row, width, 1, ink);
	}
}

static void write_number(char *text, size_t bytes, double value, double step) {
	const double rounded = fabs(value) < step * 1e-6 ? 0 : value;
	const int decimals = step >= 1 ? 0 : (int)ceil(-log10(step) - 1e-9);
	if (fabs(rounded) >= 1e6 || decimals > 5) {
		snprintf(text, bytes, "%.2g", rounded);
	} else {
		snprintf(text, bytes, "%.*f", decimals, rounded);
	}
}

/* The round numbers within a range. */
typedef struct ticks {
	double first, step;
	int count;
} ticks;

static ticks ticks_in(double minimum, double range) {
	ticks scale = {.step = snw_legend_round_step(range, 5)};
	scale.first = ceil(minimum / scale.step - 1e-6) * scale.step;
	scale.count = (int)floor((minimum + range - scale.first) / scale.step + 1e-6) + 1;
	return scale;
}

void snw_legend_scale_bar(const snw_canvas *canvas, const snw_font *font, double minimum, double maximum, const char *label,
						  bool dark) {
	const double size = text_size(canvas->width, canvas->height) * 0.92, range = maximum > minimum ? maximum - minimum : 1;
	const int width = (int)lround(size * 0.8), height = (int)lround(canvas->height * 0.34);
	const ticks numbers = ticks_in(minimum, range);
	double widest = 0;
	char text[40];
	for (int i = 0; i < numbers.count; i++) {
		write_number(text, sizeof text, numbers.first + i * numbers.step, numbers.step);
		widest = fmax(widest, snw_font_width(font, size, text));
	}
	const int x = (int)(canvas->width - size * 1.9 - widest - width), y = (int)(size * 3.2);
	draw_ramp(canvas, x, y, width, height, dark);
	for (int i = 0; i < numbers.count; i++) {
		const double value = numbers.first + i * numbers.step;
		const int at = y + (int)lround((height - 1) * (1 - (value - minimum) / range));
		snw_canvas_fill(canvas, x + width, at, (int)fmax(size * 0.28, 3), 1, border_ink(dark));
		write_number(text, sizeof text, value, numbers.step);
		snw_font_draw(font, canvas, x + width + size * 0.5, at + size * 0.36, size, text_ink(dark), text);
	}
	if (label) {
		const double start = fmin(x, canvas->width - size * 1.2 - snw_font_width(font, size, label));
		snw_font_draw(font, canvas, start, y - size * 1.1, size, text_ink(dark), label);
	}
}
