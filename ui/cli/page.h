/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A page: one HTML file with all that it shows inside, that needs no network.
 *
 *   page      the document, text, sortable tables, pictures
 *   chart     what charts are made of, as SVG
 */
#ifndef SINEW_UI_CLI_PAGE_H
#define SINEW_UI_CLI_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/command_line/verb.h"
#include "render/render.h"

/* The head, and the heading "TITLE: NAME". Titles and heads of tables are HTML; names and words are text. */
void snw_page_begin(FILE *out, const char *title, const char *name, const char *more_style);
void snw_page_end(FILE *out);

/* Text with the characters that mean something in HTML replaced. */
void snw_page_text(FILE *out, const char *text);

/* Bytes for the page's scripts, packed with zlib: an element <script id="ID"> of base64. Browsers unpack them by
 * DecompressionStream('deflate'). */
snw_status snw_page_data(FILE *out, const char *id, const unsigned char *bytes, size_t count, snw_error *error);

/* A table that a click on a head sorts: begin, heads, begin rows, cells between <tr> and </tr>, end. `words` (HTML) may be
 * NULL. */
void snw_page_begin_table(FILE *out, const char *title, const char *words);
void snw_page_head(FILE *out, const char *head);
void snw_page_begin_rows(FILE *out);
void snw_page_name(FILE *out, const char *name);
void snw_page_number(FILE *out, double value, int digits, bool is_best); /* a dash for NaN */
void snw_page_words(FILE *out, const char *words);
void snw_page_end_table(FILE *out);

/* A row of views as one picture, each width × height. The errors of snw_renderer_sheet. */
snw_status snw_page_picture(FILE *out, const snw_call *call, snw_renderer *renderer, const snw_view *views, uint32_t columns,
							uint32_t width, uint32_t height, const char *caption, snw_error *error);

/* ---- chart --------------------------------------------------------------------------------------------------------------- */

/* What the charts of pages are made of, as SVG. Lengths are in units of a chart, SNW_CHART_WIDTH wide. Colours are names of
 * the page's: "ink", "line", "c0" to "c9". */

enum { SNW_CHART_WIDTH = 900 };

/* The frame of a chart: its place in the picture, and the ranges of its axes. */
typedef struct snw_chart_axes {
	double left, top, width, height;
	double x_least, x_most, y_least, y_most;
	bool x_is_logarithmic;
} snw_chart_axes;

/* The place of a number in the picture. */
double snw_chart_x(const snw_chart_axes *axes, double x);
double snw_chart_y(const snw_chart_axes *axes, double y);
/* The end of an axis from 0 that shows `most`, and the distance of its ticks. */
double snw_chart_end(double most, double *step);

/* `caption` is HTML. */
void snw_chart_begin(FILE *out, double height, const char *title);
void snw_chart_finish(FILE *out, const char *caption);

void snw_chart_label(FILE *out, double x, double y, const char *anchor, const char *text);
void snw_chart_line(FILE *out, double x0, double y0, double x1, double y1, const char *color, double width);
/* A vertical line of the grid with its number below, in percent if `format` is "%". */
void snw_chart_tick(FILE *out, const snw_chart_axes *axes, double x, const char *format);
/* The horizontal lines with their numbers. */
void snw_chart_grid(FILE *out, const snw_chart_axes *axes, double step);

#endif
