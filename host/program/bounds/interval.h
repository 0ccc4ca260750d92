/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Interval arithmetic: each function gives an interval that contains what the operation gives for any numbers of its operands.
 */
#ifndef SINEW_HOST_PROGRAM_BOUNDS_INTERVAL_H
#define SINEW_HOST_PROGRAM_BOUNDS_INTERVAL_H

#include <math.h>

typedef struct snw_interval {
	double least, most;
} snw_interval;

static inline snw_interval snw_interval_empty(void) {
	return (snw_interval){INFINITY, -INFINITY};
}

static inline void snw_interval_include(snw_interval *in, double value) {
	in->least = value < in->least ? value : in->least;
	in->most = value > in->most ? value : in->most;
}

static inline snw_interval snw_interval_times(double factor, snw_interval in) {
	const double a = factor * in.least, b = factor * in.most;
	return factor >= 0 ? (snw_interval){a, b} : (snw_interval){b, a};
}

static inline void snw_interval_add(snw_interval *to, snw_interval in) {
	to->least += in.least;
	to->most += in.most;
}

static inline snw_interval snw_interval_product(snw_interval a, snw_interval b) {
	const snw_interval low = snw_interval_times(a.least, b), high = snw_interval_times(a.most, b);
	return (snw_interval){low.least < high.least ? low.least : high.least, low.most > high.most ? low.most : high.most};
}

static inline snw_interval snw_interval_square(snw_interval in) {
	const double a = in.least * in.least, b = in.most * in.most;
	const double least = in.least <= 0 && in.most >= 0 ? 0 : (a < b ? a : b);
	return (snw_interval){least, a > b ? a : b};
}

/* What both contain. They have something in common, of which rounding may leave nothing: then the first. */
static inline snw_interval snw_interval_intersection(snw_interval a, snw_interval b) {
	const snw_interval both = {a.least > b.least ? a.least : b.least, a.most < b.most ? a.most : b.most};
	return both.least <= both.most ? both : a;
}

#endif
