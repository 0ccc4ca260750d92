/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Draws rectangles and text on a finished picture, on the CPU, so that captions look the same with every graphics card.
 */
#ifndef SINEW_UI_RENDER_OVERLAY_CANVAS_H
#define SINEW_UI_RENDER_OVERLAY_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "render/view/view.h"

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

/* ---- legends ------------------------------------------------------------------------------------------------------------- */

/* The text on a view, on a light or dark background: its caption, and the scale bar of a heat map. */

/* At the bottom left. */
void snw_legend_caption(const snw_canvas *canvas, const snw_font *font, const char *caption, bool dark);

/* At the right: the ramp, numbers at round steps, the label above (may be NULL). */
void snw_legend_scale_bar(const snw_canvas *canvas, const snw_font *font, double minimum, double maximum, const char *label,
						  bool dark);

/* At the top right, for colours without a scale: a label (NULL: none). */
void snw_legend_label(const snw_canvas *canvas, const snw_font *font, const char *label, bool dark);

/* The margins around the character in a view of this size, for the caption, the label above, and the scale bar at the right. */
snw_camera_margins snw_legend_margins(uint32_t width, uint32_t height, bool has_label, bool has_scale);

/* The step of 1, 2 or 5 times a power of ten that divides a range into at most `most` parts. */
double snw_legend_round_step(double range, int most);

/* ---- heat colors --------------------------------------------------------------------------------------------------------- */

/* The colours of heat maps: from ivory through amber and crimson to plum, in even steps of decreasing lightness (CIE L* 95
 * to 20), so that equal differences look equal and the order can be read without colour. Low values look like plain clay;
 * high ones are dark. */

enum { SNW_HEAT_STEPS = 256 };

/* sRGB bytes, lowest value first. */
void snw_heat_ramp(unsigned char ramp[SNW_HEAT_STEPS][3]);

/* Extends [minimum, maximum] to the finite values among `count`. */
void snw_heat_range_add(const double *values, uint32_t count, double *minimum, double *maximum);

/* ---- show field ---------------------------------------------------------------------------------------------------------- */

/* Shows a field over points or faces in a view: a colour as it is; one number on a scale from the smallest value to the
 * largest; several numbers by their length. Metres are shown as millimetres. A point shows the mean of the faces around it. */

/* The arrays that a view of a field points to. */
typedef struct snw_shown_field {
	const double **heat;    /* [mesh_count] */
	double *const *numbers; /* [mesh_count][3 * point_count]: for values that must be computed */
	char label[240];
} snw_shown_field;

/* False if no mesh of the view's scene has a field with this name over points or faces. A mesh whose field is of another
 * kind than the first one's is omitted. */
bool snw_view_show_field(snw_view *view, const char *name, snw_shown_field *shown);

#endif
