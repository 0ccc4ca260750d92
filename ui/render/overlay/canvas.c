/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is drawn over a picture on the CPU: text, legends, the colours of heat maps.
 */
#include <math.h>
#include <stb_truetype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "file/file.h"
#include "render/overlay/canvas.h"
#include "scene/scene.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wmissing-braces"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#include <stb_easy_font.h>
#pragma GCC diagnostic pop

/* ---- the canvas ---------------------------------------------------------------------------------------------------------- */

static unsigned char mix(unsigned char below, unsigned char above, unsigned cover) {
	return (unsigned char)((below * (255 - cover) + above * cover + 127) / 255);
}

/* Blends ink over one pixel; cover is 0 to 255. */
static void blend_dot(const snw_canvas *canvas, int x, int y, unsigned cover, snw_ink ink) {
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
			blend_dot(canvas, column, row, 255, ink);
		}
	}
}

/* ---- text ---------------------------------------------------------------------------------------------------------------- */

/* Outlines through stb_truetype, or stb_easy_font's strokes where no font is installed. */

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
			blend_dot(canvas, (int)whole + start + column, (int)lround(y) + top + row, cover[row * width + column], ink);
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

/* ---- legends ------------------------------------------------------------------------------------------------------------- */

/* Captions and scale bars: sizes follow the height of the view. */

/* ---- legend -------------------------------------------------------------------------------------------------------------- */

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

/* ---- heat colors --------------------------------------------------------------------------------------------------------- */

/* The ramp from a table in CIE L*a*b* (D65), through XYZ to sRGB. */

enum { STOPS = 6 };

/* a* and b* at even steps of L* from 95 to 20. */
static const double stops[STOPS][2] = {{0, 5}, {8, 46}, {36, 56}, {54, 34}, {46, 2}, {26, -18}};

static double linear_from_lab(double f) {
	return f > 6.0 / 29 ? f * f * f : 3 * (6.0 / 29) * (6.0 / 29) * (f - 4.0 / 29);
}

static unsigned char byte_from_linear(double v) {
	const double clamped = fmin(fmax(v, 0), 1);
	const double encoded = clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * pow(clamped, 1 / 2.4) - 0.055;
	return (unsigned char)lround(255 * encoded);
}

void snw_heat_ramp(unsigned char ramp[SNW_HEAT_STEPS][3]) {
	for (int i = 0; i < SNW_HEAT_STEPS; i++) {
		const double t = i / (SNW_HEAT_STEPS - 1.0), at = t * (STOPS - 1);
		const int stop = at < STOPS - 1 ? (int)at : STOPS - 2;
		const double part = at - stop;
		const double lightness = 95 - 75 * t;
		const double a = stops[stop][0] + part * (stops[stop + 1][0] - stops[stop][0]);
		const double b = stops[stop][1] + part * (stops[stop + 1][1] - stops[stop][1]);
		const double fy = (lightness + 16) / 116;
		const double x = 0.95047 * linear_from_lab(fy + a / 500), y = linear_from_lab(fy);
		const double z = 1.08883 * linear_from_lab(fy - b / 200);
		ramp[i][0] = byte_from_linear(3.2404542 * x - 1.5371385 * y - 0.4985314 * z);
		ramp[i][1] = byte_from_linear(-0.9692660 * x + 1.8760108 * y + 0.0415560 * z);
		ramp[i][2] = byte_from_linear(0.0556434 * x - 0.2040259 * y + 1.0572252 * z);
	}
}

void snw_heat_range_add(const double *values, uint32_t count, double *minimum, double *maximum) {
	for (uint32_t i = 0; i < count; i++) {
		if (isfinite(values[i])) {
			*minimum = fmin(*minimum, values[i]);
			*maximum = fmax(*maximum, values[i]);
		}
	}
}

/* ---- show field ---------------------------------------------------------------------------------------------------------- */

static const snw_field *field_of(const snw_scene *scene, uint32_t mesh, const char *name) {
	const uint32_t found = snw_scene_find_field(scene, mesh, name);
	const int32_t domain = found != SNW_NONE ? scene->fields[found].domain : SNW_DOMAIN_FRAMES;
	return domain == SNW_DOMAIN_POINTS || domain == SNW_DOMAIN_FACES ? &scene->fields[found] : NULL;
}

static double shown_number(const snw_field *field, uint32_t element) {
	return (snw_field_is_length(field) ? 1000 : 1) * snw_field_number(field, element);
}

/* A point has the mean of the faces around it; one without faces, which is never drawn, has none. */
static void spread_faces(const snw_mesh *mesh, const snw_field *field, uint32_t width, double *numbers) {
	snw_arena *scratch = snw_arena_create();
	uint32_t *faces = SNW_NEW_ARRAY(scratch, uint32_t, mesh->point_count);
	memset(numbers, 0, (size_t)width * mesh->point_count * sizeof *numbers);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
			const uint32_t point = mesh->face_points[c];
			faces[point]++;
			for (uint32_t k = 0; k < width; k++) {
				numbers[(size_t)width * point + k] += width > 1 ? field->values[(size_t)width * f + k] : shown_number(field, f);
			}
		}
	}
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		for (uint32_t k = 0; k < width; k++) {
			double *number = &numbers[(size_t)width * p + k];
			*number = faces[p] > 0 ? *number / faces[p] : (double)NAN;
		}
	}
	snw_arena_destroy(scratch);
}

/* The value shown at a point: its number, or the length of several; or its colour. */
static const double *find_numbers(const snw_mesh *mesh, const snw_field *field, double *numbers) {
	const bool is_color = snw_field_is_color(field);
	if (field->domain == SNW_DOMAIN_FACES) {
		spread_faces(mesh, field, is_color ? 3 : 1, numbers);
		return numbers;
	}
	const bool is_stored = is_color || (field->components == 1 && !snw_field_is_length(field));
	for (uint32_t i = 0; i < field->count && !is_stored; i++) {
		numbers[i] = shown_number(field, i);
	}
	return is_stored ? field->values : numbers;
}

bool snw_view_show_field(snw_view *view, const char *name, snw_shown_field *shown) {
	const snw_field *first = NULL;
	view->heat_minimum = (double)INFINITY;
	view->heat_maximum = -(double)INFINITY;
	for (uint32_t m = 0; m < view->scene->mesh_count; m++) {
		const snw_field *field = field_of(view->scene, m, name);
		first = first ? first : field;
		shown->heat[m] = NULL;
		if (!field || field->components != first->components || snw_field_is_color(field) != snw_field_is_color(first)) {
			continue;
		}
		const snw_mesh *mesh = &view->scene->meshes[m];
		shown->heat[m] = find_numbers(mesh, field, shown->numbers[m]);
		if (!snw_field_is_color(field)) {
			snw_heat_range_add(shown->heat[m], mesh->point_count, &view->heat_minimum, &view->heat_maximum);
		}
	}
	if (!first) {
		return false;
	}
	if (!(view->heat_maximum > view->heat_minimum)) {
		view->heat_minimum = isfinite(view->heat_minimum) ? view->heat_minimum : 0;
		view->heat_maximum = view->heat_minimum + 1;
	}
	snw_field_title(first, shown->label, sizeof shown->label);
	view->heat = shown->heat;
	view->heat_is_color = snw_field_is_color(first);
	view->heat_label = shown->label;
	return true;
}
