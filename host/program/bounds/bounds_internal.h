/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clusters of a program's points, from making them (bounds_clusters.c) to posing them (bounds.c).
 */
#ifndef SINEW_HOST_PROGRAM_BOUNDS_BOUNDS_INTERNAL_H
#define SINEW_HOST_PROGRAM_BOUNDS_BOUNDS_INTERNAL_H

#include <math.h>
#include <stdint.h>

#include "program/bounds/bounds.h"

/* ---- intervals ----------------------------------------------------------------------------------------------------------- */

/* Interval arithmetic: each function gives an interval that contains what the operation gives for any numbers of its
 * operands. */

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

/* ---- spread -------------------------------------------------------------------------------------------------------------- */

/* Boxes of vectors, as their middle and half their sides. A matrix then acts on a box without comparing numbers, so that
 * compilers do four lanes at once. Each function gives a box that contains what the operation gives for any vectors of its
 * operands. */

typedef double snw_lanes __attribute__((vector_size(32), may_alias, aligned(8)));
typedef int64_t snw_lane_bits __attribute__((vector_size(32), may_alias, aligned(8)));

typedef struct snw_spread {
	snw_lanes middle, half; /* x, y, z, and a weight or a scalar */
} snw_spread;

static inline void snw_spread_set(snw_spread *spread, int lane, snw_interval in) {
	spread->middle[lane] = (in.least + in.most) / 2;
	spread->half[lane] = (in.most - in.least) / 2;
}

/* ---- bounds internal ----------------------------------------------------------------------------------------------------- */

/* What a slot pulls of a cluster. */
typedef struct slot_reach {
	uint32_t slot;     /* into the bounds' slots */
	snw_spread pulled; /* p_s − w_s c, and w_s */
} slot_reach;

typedef struct point_cluster {
	double middle[3];                /* c, at rest */
	snw_spread offset;               /* r − c, and 1 */
	snw_spread pulled_sum;           /* Σ_s p_s − w_s c, and Σ_s w_s */
	uint32_t reach_begin, reach_end; /* the first is the pivot's */
} point_cluster;

/* What a displacement adds to a cluster's points: a box of single precision that contains it, since memory limits adding
 * many. */
typedef struct displaced_cluster {
	uint32_t cluster; /* in the list of a set: the displacement */
	float middle[3], half[3];
} displaced_cluster;

typedef struct cluster_displacement {
	uint32_t coefficient;
	uint32_t rotation; /* of a posed one, in the input; SNW_NONE: none */
	uint32_t begin, end;
} cluster_displacement;

typedef struct displacement_list {
	uint32_t count;
	cluster_displacement *list;
	displaced_cluster *clusters;
	uint32_t *set_begins; /* [cluster_count + 1]: of sets, what displaces each; `list` has no ranges then. Else NULL */
} displacement_list;

struct snw_program_bounds {
	int32_t blend, sign_rule;
	bool dual_quaternion_palette;
	uint32_t cluster_count;
	uint32_t most_reaches; /* of a cluster */
	uint32_t slot_count;
	const uint32_t
		*slots; /* [slot_count], ascending: those of the program that pull points. A character may have many others */
	point_cluster *clusters;
	slot_reach *reaches;
	displacement_list rest, posed;
};

#endif
