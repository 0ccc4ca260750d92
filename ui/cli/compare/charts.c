/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "cli/compare/page.h"
#include "cli/page/chart.h"

enum { COLORS = 10, LABEL_GAP = 16 };

/* The room that the names of the rows take. */
static double label_width(const snw_comparison *comparison) {
	enum { LETTER = 7, GAP = 26 };
	size_t longest = 0;
	for (uint32_t r = 0; r < comparison->row_count; r++) {
		const size_t length = strlen(comparison->rows[r].name);
		longest = length > longest ? length : longest;
	}
	return fmin(GAP + LETTER * (double)longest, SNW_CHART_WIDTH / 2.0);
}

static const char *color_of(uint32_t row) {
	static const char *const names[COLORS] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"};
	return names[row % COLORS];
}

/* After all colours are used, lines are dashed. */
static const char *dash_of(uint32_t row) {
	static const char *const dashes[] = {"none", "6 4", "2 3"};
	return dashes[row / COLORS % 3];
}

/* ---- errors of points ---------------------------------------------------------------------------------------------------- */

static double bar_end(const snw_compare_score *score) {
	return score->is_known && isfinite(score->point_mean_percent) ? score->point_mean_percent + score->point_spread_percent : 0;
}

static void write_bar(const snw_compare_page *page, const snw_chart_axes *a, const snw_compare_score *score, uint32_t row,
					  double y, double height, bool is_faint) {
	if (!score->is_known || !isfinite(score->point_mean_percent)) {
		return;
	}
	const double mean = score->point_mean_percent, spread = score->point_spread_percent;
	fprintf(page->out,
			"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"var(--%s)\"%s><title>%.1f ± %.1f "
			"%%</title></rect>\n",
			a->left, y, snw_chart_x(a, mean) - a->left, height, color_of(row), is_faint ? " opacity=\".45\"" : "", mean,
			spread);
	const double middle = y + height / 2, begin = snw_chart_x(a, fmax(0, mean - spread)), end = snw_chart_x(a, mean + spread);
	snw_chart_line(page->out, begin, middle, end, middle, "ink", 1.2);
	snw_chart_line(page->out, end, middle - 3, end, middle + 3, "ink", 1.2);
	snw_chart_line(page->out, begin, middle - 3, begin, middle + 3, "ink", 1.2);
}

void snw_page_spread_chart(const snw_compare_page *page) {
	enum { ROW = 34 };
	const snw_comparison *comparison = page->comparison;
	double most = 0, step;
	for (uint32_t r = 0; r < comparison->row_count; r++) {
		most = fmax(most, fmax(bar_end(&comparison->rows[r].train), bar_end(&comparison->rows[r].test)));
	}
	const double labels = label_width(comparison);
	const snw_chart_axes a = {.left = labels,
							  .top = 12,
							  .width = SNW_CHART_WIDTH - labels - 30,
							  .height = ROW * (double)comparison->row_count,
							  .x_most = snw_chart_end(most, &step)};
	snw_chart_begin(page->out, a.height + 44, "Errors of points, mean and spread");
	for (double x = 0; x <= a.x_most + 1e-9 * step; x += step) {
		snw_chart_tick(page->out, &a, x, "%");
	}
	for (uint32_t r = 0; r < comparison->row_count; r++) {
		const snw_compare_row *row = &comparison->rows[r];
		const double y = a.top + r * (double)ROW;
		snw_chart_label(page->out, a.left - 10, y + 21, "end", row->name);
		write_bar(page, &a, &row->test, r, y + 4, 14, false);
		write_bar(page, &a, &row->train, r, y + 20, 9, true);
	}
	snw_chart_finish(page->out,
					 "Mean and standard deviation over the points of each point's error, in percent of the best rigid "
					 "prediction (Wang, Pulli "
					 "and Popović 2007, Figure 11). Upper bars: the test clip. Lower, faint bars: the training clip.");
}

/* ---- curves -------------------------------------------------------------------------------------------------------------- */

/* Labels at the ends of lines, moved apart: y [count], ascending order in `order`. */
static void spread_labels(uint32_t count, double *y, uint32_t *order, double gap) {
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = i;
		for (; at > 0 && y[order[at - 1]] > y[i]; at--) {
			order[at] = order[at - 1];
		}
		order[at] = i;
	}
	for (uint32_t i = 1; i < count; i++) {
		y[order[i]] = fmax(y[order[i]], y[order[i - 1]] + gap);
	}
}

/* What a method has in a chart: points from left to right, and its name at the right. */
typedef struct chart_line {
	uint32_t row, count;
	double *x, *y; /* [count]; a y that is not finite is left out */
} chart_line;

static void write_dot(const snw_compare_page *page, const snw_chart_axes *a, const chart_line *line, uint32_t i,
					  const char *unit) {
	const char *name = page->comparison->rows[line->row].name;
	fprintf(page->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%g\" fill=\"var(--%s)\"><title>", snw_chart_x(a, line->x[i]),
			snw_chart_y(a, fmin(line->y[i], a->y_most)), line->count > 1 ? 3.5 : 5, color_of(line->row));
	snw_page_text(page->out, name);
	fprintf(page->out, ", %.4g %s: %.3f</title></circle>\n", line->x[i], unit, line->y[i]);
}

static void write_chart_line(const snw_compare_page *page, const snw_chart_axes *a, const chart_line *line, const char *unit,
							 double label_y) {
	double x = a->left, y = label_y;
	if (line->count > 1) {
		fprintf(page->out, "<polyline fill=\"none\" stroke=\"var(--%s)\" stroke-width=\"2\" stroke-dasharray=\"%s\" points=\"",
				color_of(line->row), dash_of(line->row));
		for (uint32_t i = 0; i < line->count; i++) {
			if (isfinite(line->y[i])) {
				fprintf(page->out, "%.1f,%.1f ", snw_chart_x(a, line->x[i]), snw_chart_y(a, fmin(line->y[i], a->y_most)));
			}
		}
		fputs("\"/>\n", page->out);
	}
	for (uint32_t i = 0; i < line->count; i++) {
		if (isfinite(line->y[i])) {
			x = snw_chart_x(a, line->x[i]);
			y = snw_chart_y(a, fmin(line->y[i], a->y_most));
			write_dot(page, a, line, i, unit);
		}
	}
	snw_chart_line(page->out, x + 5, y, a->left + a->width + 14, label_y, color_of(line->row), 0.7);
	snw_chart_label(page->out, a->left + a->width + 18, label_y + 4, "start", page->comparison->rows[line->row].name);
}

typedef struct chart {
	const char *title, *x_title, *unit, *caption;
	double x_least, x_most, y_most; /* of the numbers that are shown; what is above y_most is drawn at the upper edge */
	double first_tick;              /* others are 2, 4, 8 … times as far */
	bool has_last_tick;             /* and one at the end */
	uint32_t count;
	chart_line *lines;
} chart;

static void write_chart(const snw_compare_page *page, const chart *c) {
	enum { HEIGHT = 330 };
	double step, *labels = SNW_NEW_ARRAY(page->call->arena, double, c->count);
	uint32_t *order = SNW_NEW_ARRAY(page->call->arena, uint32_t, c->count);
	const snw_chart_axes a = {.left = 60,
							  .top = 16,
							  .width = SNW_CHART_WIDTH - 60 - label_width(page->comparison),
							  .height = HEIGHT,
							  .x_least = c->x_least,
							  .x_most = c->x_most,
							  .y_most = snw_chart_end(c->y_most, &step),
							  .x_is_logarithmic = true};
	for (uint32_t i = 0; i < c->count; i++) {
		const double last = c->lines[i].y[c->lines[i].count - 1];
		labels[i] = snw_chart_y(&a, isfinite(last) ? fmin(last, a.y_most) : a.y_most);
	}
	spread_labels(c->count, labels, order, LABEL_GAP);
	snw_chart_begin(page->out, HEIGHT + 70, c->title);
	snw_chart_grid(page->out, &a, step);
	for (double x = c->first_tick; x < (c->has_last_tick ? 0.99 : 1) * c->x_most; x *= 2) {
		snw_chart_tick(page->out, &a, x, "");
	}
	if (c->has_last_tick) {
		snw_chart_tick(page->out, &a, c->x_most, "");
	}
	for (uint32_t i = 0; i < c->count; i++) {
		write_chart_line(page, &a, &c->lines[i], c->unit, labels[i]);
	}
	snw_chart_label(page->out, a.left + a.width / 2, HEIGHT + 56, "middle", c->x_title);
	snw_chart_finish(page->out, c->caption);
}

static chart_line *add_line(const snw_compare_page *page, chart *c, uint32_t row, uint32_t count) {
	chart_line *line = &c->lines[c->count++];
	*line = (chart_line){row, count, SNW_NEW_ARRAY(page->call->arena, double, count),
						 SNW_NEW_ARRAY(page->call->arena, double, count)};
	return line;
}

/* The baseline's row; NULL where it is not compared, or failed. */
static const snw_compare_row *find_baseline(const snw_compare_page *page) {
	const char *name = snw_registry_trait_name(page->opened->registry, SNW_BASELINE);
	for (uint32_t r = 0; name && r < page->comparison->row_count; r++) {
		const snw_compare_row *row = &page->comparison->rows[r];
		if (strcmp(row->name, name) == 0 && row->test.is_known) {
			return row;
		}
	}
	return NULL;
}

/* Methods with few frames can be far off: the axis ends at twice the baseline's error, or without it at twice the largest error
 * of a fit to all frames. Such errors are on the scale in any case. */
static double curve_limit(const snw_compare_page *page) {
	const snw_compare_row *baseline = find_baseline(page);
	double most = 0, most_of_whole = 0;
	for (uint32_t r = 0; r < page->comparison->row_count; r++) {
		const snw_compare_row *row = &page->comparison->rows[r];
		for (uint32_t i = 0; i < row->curve_count; i++) {
			most = isfinite(row->curve[i].erms) ? fmax(most, row->curve[i].erms) : most;
		}
		const double whole = row->curve_count > 0 ? row->curve[row->curve_count - 1].erms : 0;
		most_of_whole = isfinite(whole) ? fmax(most_of_whole, whole) : most_of_whole;
	}
	return fmin(most, baseline ? fmax(2 * baseline->test.measure.erms, most_of_whole) : 2 * most_of_whole);
}

void snw_page_curve_chart(const snw_compare_page *page) {
	const snw_comparison *comparison = page->comparison;
	chart c = {.title = "Error over the number of training poses",
			   .x_title = "training frames, those that cover pose space best",
			   .unit = "frames",
			   .caption = "The erms on the test clip after a fit to so many frames of the training clip. What is off the scale "
						  "is drawn at its upper edge. Methods that learn from the project's sculpts alone, or need no fit, "
						  "have no curve.",
			   .x_least = INFINITY,
			   .y_most = curve_limit(page),
			   .has_last_tick = true,
			   .lines = SNW_NEW_ARRAY(page->call->arena, chart_line, comparison->row_count)};
	for (uint32_t r = 0; r < comparison->row_count; r++) {
		const snw_compare_row *row = &comparison->rows[r];
		const chart_line *line = row->curve_count > 0 ? add_line(page, &c, r, row->curve_count) : NULL;
		for (uint32_t i = 0; i < row->curve_count; i++) {
			line->x[i] = row->curve[i].frame_count;
			line->y[i] = row->curve[i].erms;
			c.x_least = fmin(c.x_least, line->x[i]);
			c.x_most = fmax(c.x_most, line->x[i]);
		}
	}
	c.first_tick = c.x_least;
	if (c.count == 0 || !(c.x_most > c.x_least)) {
		fputs("<p class=\"quiet\">No method was fitted to several numbers of frames.</p>\n", page->out);
		return;
	}
	write_chart(page, &c);
}

/* ---- error and cost ------------------------------------------------------------------------------------------------------ */

static bool has_cost(const snw_compare_row *row) {
	return !row->failure && row->test.is_known && isfinite(row->test.measure.erms) && row->cost.ratio > 0;
}

void snw_page_cost_chart(const snw_compare_page *page) {
	const snw_comparison *comparison = page->comparison;
	chart c = {.title = "Error on the test clip over the time of a pose",
			   .x_title = "time of a pose, as a multiple of linear blend's",
			   .unit = "times",
			   .caption = "The erms on the test clip over the measured time of a pose on this processor.",
			   .x_least = 0.9,
			   .x_most = 2,
			   .first_tick = 1,
			   .lines = SNW_NEW_ARRAY(page->call->arena, chart_line, comparison->row_count)};
	for (uint32_t r = 0; r < comparison->row_count; r++) {
		const snw_compare_row *row = &comparison->rows[r];
		if (has_cost(row)) {
			const chart_line *line = add_line(page, &c, r, 1);
			line->x[0] = row->cost.ratio;
			line->y[0] = row->test.measure.erms;
			c.x_least = fmin(c.x_least, line->x[0] / 1.1);
			c.x_most = fmax(c.x_most, line->x[0] * 1.1);
			c.y_most = fmax(c.y_most, line->y[0]);
		}
	}
	write_chart(page, &c);
}
