/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the charts of pages are made of, as SVG. Lengths are in units of a chart, SNW_CHART_WIDTH wide. Colours are names of the
 * page's: "ink", "line", "c0" to "c9".
 */
#ifndef SINEW_UI_CLI_PAGE_CHART_H
#define SINEW_UI_CLI_PAGE_CHART_H

#include <stdbool.h>
#include <stdio.h>

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
