/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Boxes of vectors, as their middle and half their sides. A matrix then acts on a box without comparing numbers, so that
 * compilers do four lanes at once. Each function gives a box that contains what the operation gives for any vectors of its
 * operands.
 */
#ifndef SINEW_HOST_PROGRAM_BOUNDS_SPREAD_H
#define SINEW_HOST_PROGRAM_BOUNDS_SPREAD_H

#include <stdint.h>

#include "program/bounds/interval.h"

typedef double snw_lanes __attribute__((vector_size(32), may_alias, aligned(8)));
typedef int64_t snw_lane_bits __attribute__((vector_size(32), may_alias, aligned(8)));

typedef struct snw_spread {
	snw_lanes middle, half; /* x, y, z, and a weight or a scalar */
} snw_spread;

/* A matrix by columns, of three lanes. */
typedef struct snw_columns {
	snw_lanes lane[4];
} snw_columns;

/* The bits of a number without those of its sign. */
#define SNW_LANES_MAGNITUDE(lanes) ((snw_lanes)((snw_lane_bits)(lanes)&INT64_MAX))

static inline void snw_spread_set(snw_spread *spread, int lane, snw_interval in) {
	spread->middle[lane] = (in.least + in.most) / 2;
	spread->half[lane] = (in.most - in.least) / 2;
}

static inline snw_interval snw_spread_interval(const snw_spread *spread, int lane) {
	return (snw_interval){spread->middle[lane] - spread->half[lane], spread->middle[lane] + spread->half[lane]};
}

static inline void snw_spread_add(snw_spread *to, const snw_spread *in) {
	to->middle += in->middle;
	to->half += in->half;
}

/* Adds a number times a vector to all lanes. */
static inline void snw_spread_add_times(snw_spread *to, double factor, const snw_spread *in) {
	to->middle += factor * in->middle;
	to->half += fabs(factor) * in->half;
}

static inline double snw_spread_magnitude(const snw_spread *spread, int lane) {
	return fabs(spread->middle[lane]) + spread->half[lane];
}

#endif
