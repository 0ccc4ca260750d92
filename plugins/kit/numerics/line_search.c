/* SPDX-License-Identifier: MIT
 *
 * A line search by parabolas.
 */
#include "kit/numerics/line_search.h"

#include <math.h>

enum { MOST_EVALUATIONS = 10 };

/* The search ends when the parabola predicted the value to within this part of the gain, or promises less than this part of
 * the lowest value. */
#define TRUE_ENOUGH 0.1
#define WORTH_EVALUATING 1e-9

/* How far a step may go beyond the samples, in units of their width. */
#define FURTHEST 4.0

void snk_line_search_start(snk_line_search *line, double f, double step, double curvature) {
	*line = (snk_line_search){.t = {0}, .f = {f}, .count = 1, .trial = step, .lowest_f = f, .curvature = curvature};
	line->predicted = NAN;
}

void snk_line_search_add(snk_line_search *line, double t, double f) {
	int place = line->count++;
	for (; place > 0 && line->t[place - 1] > t; place--) {
		line->t[place] = line->t[place - 1];
		line->f[place] = line->f[place - 1];
	}
	line->t[place] = t;
	line->f[place] = f;
	if (f < line->lowest_f) {
		line->lowest_t = t;
		line->lowest_f = f;
	}
	if (line->count == 4) {
		/* Keeps three: the lowest and its neighbours. */
		line->count = 3;
		if (line->t[1] < line->lowest_t) {
			for (int k = 0; k < 3; k++) {
				line->t[k] = line->t[k + 1];
				line->f[k] = line->f[k + 1];
			}
		}
	}
}

/* Toward the lowest sample from the nearest one that is not finite; 0 if all are finite. */
static int back_off(snk_line_search *line) {
	for (int k = 0; k < line->count; k++) {
		if (!isfinite(line->f[k])) {
			line->trial = line->lowest_t + 0.25 * (line->t[k] - line->lowest_t);
			line->t[k] = line->t[line->count - 1];
			line->f[k] = line->f[line->count - 1];
			line->count--;
			/* At most two samples, perhaps in the wrong order. */
			if (line->count == 2 && line->t[0] > line->t[1]) {
				const double t = line->t[0], f = line->f[0];
				line->t[0] = line->t[1];
				line->f[0] = line->f[1];
				line->t[1] = t;
				line->f[1] = f;
			}
			line->predicted = NAN;
			return 1;
		}
	}
	return 0;
}

/* Of the parabola through all samples: slope at t[0] and half the second derivative. With two, by the curvature known. */
static void parabola(const snk_line_search *line, double *slope, double *half) {
	const double *t = line->t, *f = line->f;
	const double first = (f[1] - f[0]) / (t[1] - t[0]);
	*half = line->count == 3 ? ((f[2] - f[1]) / (t[2] - t[1]) - first) / (t[2] - t[0]) : line->curvature / 2;
	*slope = first - *half * (t[1] - t[0]);
}

int snk_line_search_next(snk_line_search *line) {
	if (line->evaluated >= MOST_EVALUATIONS) {
		return 0;
	}
	if (back_off(line)) {
		return 1;
	}
	const int last = line->count - 1;
	const double width = line->t[last] - line->t[0];
	const int at_left = line->lowest_t <= line->t[0], at_right = line->lowest_t >= line->t[last];
	double slope, half;
	parabola(line, &slope, &half);
	if (!(half > 0)) {
		/* The curvature is unknown or negative: walk downhill. */
		line->trial = at_left ? line->t[0] - width : line->t[last] + width;
		line->predicted = NAN;
		return at_left || at_right;
	}
	line->curvature = 2 * half;
	const double vertex = line->t[0] - slope / (2 * half);
	const double trial = fmin(fmax(vertex, line->t[0] - FURTHEST * width), line->t[last] + FURTHEST * width);
	const double from = trial - line->t[0];
	line->predicted = line->f[0] + slope * from + half * from * from;
	line->trial = trial;
	return line->lowest_f - line->predicted > WORTH_EVALUATING * fabs(line->lowest_f) && trial != line->lowest_t;
}

int snk_line_search_answer(snk_line_search *line, double f) {
	const double before = line->lowest_f;
	const int is_predicted = fabs(f - line->predicted) <= TRUE_ENOUGH * (before - line->predicted);
	line->evaluated++;
	snk_line_search_add(line, line->trial, f);
	return !is_predicted && snk_line_search_next(line);
}
