/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output/bake_curve.h"

#include <math.h>

#include "file/file.h"

enum { WIDTH = 900, HEIGHT = 420, LEFT = 70, RIGHT = 30, TOP = 30, BOTTOM = 60, TICKS = 5 };

/* The ends of the axes, both from 0, and the distances of their ticks. */
typedef struct curve_axes {
	double bytes, byte_step, erms, erms_step;
} curve_axes;

static double place_x(const curve_axes *a, double bytes) {
	return LEFT + (WIDTH - LEFT - RIGHT) * bytes / a->bytes;
}

static double place_y(const curve_axes *a, double erms) {
	return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * erms / a->erms;
}

/* 1, 2 or 5 times a power of ten: the least that is not below a fifth of `most`. */
static double tick_step(double most) {
	const double fifth = (most > 0 ? most : 1) / TICKS, power = pow(10, floor(log10(fifth)));
	const double digits[] = {1, 2, 5, 10};
	int i = 0;
	while (i < 3 && digits[i] * power < fifth * (1 - 1e-9)) {
		i++;
	}
	return digits[i] * power;
}

static curve_axes find_axes(const snw_baked *baked, uint64_t most_bytes) {
	double bytes = (double)most_bytes, erms = baked->plain.stack.all.erms;
	for (uint32_t v = 0; v < baked->variant_count; v++) {
		bytes = fmax(bytes, (double)baked->variants[v].bytes);
		erms = fmax(erms, baked->variants[v].errors.stack.all.erms);
	}
	const double byte_step = tick_step(bytes), erms_step = tick_step(erms);
	return (curve_axes){byte_step * ceil(bytes / byte_step), byte_step, erms_step * ceil(erms / erms_step + 1e-9), erms_step};
}

static void write_line(FILE *out, double x0, double y0, double x1, double y1, const char *color) {
	fprintf(out, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" fill=\"none\"/>\n", x0, y0, x1, y1, color);
}

static void write_label(FILE *out, double x, double y, const char *anchor, const char *text) {
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, text);
}

static void write_grid(FILE *out, const curve_axes *a) {
	char text[40];
	for (int i = 0; i * a->byte_step <= a->bytes * (1 + 1e-9); i++) {
		const double x = i * a->byte_step;
		write_line(out, place_x(a, x), TOP, place_x(a, x), HEIGHT - BOTTOM, "#ddd");
		snprintf(text, sizeof text, "%g", x / 1000);
		write_label(out, place_x(a, x), HEIGHT - BOTTOM + 18, "middle", text);
	}
	for (int i = 0; i * a->erms_step <= a->erms * (1 + 1e-9); i++) {
		const double y = i * a->erms_step;
		write_line(out, LEFT, place_y(a, y), WIDTH - RIGHT, place_y(a, y), "#ddd");
		snprintf(text, sizeof text, "%g", y);
		write_label(out, LEFT - 8, place_y(a, y) + 4, "end", text);
	}
	write_label(out, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 16, "middle", "kB of glTF");
	write_label(out, LEFT, TOP - 10, "start", "erms against the stack, at held-out poses");
}

static void write_variant(FILE *out, const curve_axes *a, const snw_bake_variant *variant, bool is_best) {
	char text[80];
	const double x = place_x(a, (double)variant->bytes), y = place_y(a, variant->errors.stack.all.erms);
	const bool has_room_right = x < WIDTH - 130;
	snw_bake_variant_parts(variant, text, sizeof text);
	fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill=\"%s\" stroke=\"#1b5e8c\"/>\n", x, y, is_best ? 7 : 4,
			variant->is_within ? "#1b5e8c" : "#fff");
	write_label(out, has_room_right ? x + 10 : x - 10, y - 8, has_room_right ? "start" : "end", text);
}

static void write_picture(FILE *out, const snw_baked *baked, uint64_t most_bytes) {
	const curve_axes a = find_axes(baked, most_bytes);
	fprintf(out,
			"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\">\n"
			"<title>The error of a baked skin over its size</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
			WIDTH, HEIGHT, WIDTH, HEIGHT);
	write_grid(out, &a);
	if (most_bytes > 0) {
		write_line(out, place_x(&a, (double)most_bytes), TOP, place_x(&a, (double)most_bytes), HEIGHT - BOTTOM, "#b3261e");
	}
	write_line(out, LEFT, place_y(&a, baked->plain.stack.all.erms), WIDTH - RIGHT, place_y(&a, baked->plain.stack.all.erms),
			   "#888");
	write_label(out, WIDTH - RIGHT, place_y(&a, baked->plain.stack.all.erms) - 6, "end", "plain linear blend");
	for (uint32_t v = 0; v < baked->variant_count; v++) {
		write_variant(out, &a, &baked->variants[v], v == baked->best);
	}
	fputs("</svg>\n", out);
}

snw_status snw_bake_curve_write(const char *path, const snw_baked *baked, uint64_t most_bytes, snw_error *error) {
	snw_file_write *file = NULL;
	const snw_status status = snw_file_write_begin(path, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	write_picture(snw_file_write_stream(file), baked, most_bytes);
	return snw_file_write_commit(file, error);
}
