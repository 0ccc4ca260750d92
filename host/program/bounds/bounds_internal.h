/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clusters of a program's points, from making them (bounds_clusters.c) to posing them (bounds.c).
 */
#ifndef SINEW_HOST_PROGRAM_BOUNDS_BOUNDS_INTERNAL_H
#define SINEW_HOST_PROGRAM_BOUNDS_BOUNDS_INTERNAL_H

#include "program/bounds/bounds.h"
#include "program/bounds/spread.h"

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
