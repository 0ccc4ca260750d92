/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/page/chart.h"

#include <math.h>
#include <string.h>

#include "cli/page/page.h"

enum { TICKS = 5 };

double snw_chart_x(const snw_chart_axes *a, double x) {
	const double share =
		a->x_is_logarithmic ? log(x / a->x_least) / log(a->x_most / a->x_least) : (x - a->x_least) / (a->x_most - a->x_least);
	return a->left + share * a->width;
}

double snw_chart_y(const snw_chart_axes *a, double y) {
	return a->top + (1 - (y - a->y_least) / (a->y_most - a->y_least)) * a->height;
}

/* The least 1, 2 or 5 times a power of ten that is not below a number. */
static double round_up(double number) {
	const double power = pow(10, floor(log10(number)));
	const double digits[] = {1, 2, 5, 10};
	int i = 0;
	while (i < 3 && digits[i] * power < number * (1 - 1e-9)) {
		i++;
	}
	return digits[i] * power;
}

double snw_chart_end(double most, double *step) {
	*step = round_up((most > 0 ? most : 1) / TICKS);
	return *step * ceil((most > 0 ? most : 1) / *step - 1e-9);
}

void snw_chart_begin(FILE *out, double height, const char *title) {
	fprintf(out, "<figure><svg viewBox=\"0 0 %d %.0f\" role=\"img\"><title>%s</title>\n", SNW_CHART_WIDTH, height, title);
}

void snw_chart_finish(FILE *out, const char *caption) {
	fprintf(out, "</svg><figcaption>%s</figcaption></figure>\n", caption);
}

void snw_chart_label(FILE *out, double x, double y, const char *anchor, const char *text) {
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
	snw_page_text(out, text);
	fputs("</text>\n", out);
}

void snw_chart_line(FILE *out, double x0, double y0, double x1, double y1, const char *color, double width) {
	fprintf(out, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"var(--%s)\" stroke-width=\"%g\" fill=\"none\"/>\n", x0, y0, x1, y1,
			color, width);
}

void snw_chart_tick(FILE *out, const snw_chart_axes *a, double x, const char *format) {
	snw_chart_line(out, snw_chart_x(a, x), a->top, snw_chart_x(a, x), a->top + a->height, "line", 1);
	fprintf(out, "<text class=\"quiet\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", snw_chart_x(a, x),
			a->top + a->height + 18);
	fprintf(out, strcmp(format, "%") == 0 ? "%g %%" : "%g", x);
	fputs("</text>\n", out);
}

void snw_chart_grid(FILE *out, const snw_chart_axes *a, double step) {
	for (double y = 0; y <= a->y_most + 1e-9 * step; y += step) {
		snw_chart_line(out, a->left, snw_chart_y(a, y), a->left + a->width, snw_chart_y(a, y), "line", 1);
		fprintf(out, "<text class=\"quiet\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", a->left - 8,
				snw_chart_y(a, y) + 4, y);
	}
}
