/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clusters of a program's points, from making them (bounds_clusters.c) to posing them (bounds.c).
 */
#ifndef SINEW_HOST_PROGRAM_BOUNDS_BOUNDS_INTERNAL_H
#define SINEW_HOST_PROGRAM_BOUNDS_BOUNDS_INTERNAL_H

#include "program/bounds/bounds.h"
#include "program/bounds/interval.h"

/* What a slot pulls of a cluster. */
typedef struct slot_reach {
	uint32_t slot;
	uint32_t points; /* how many it pulls; the others have the weight 0 */
	snw_interval weight;
	snw_interval pulled[3]; /* p_s − w_s c */
} slot_reach;

typedef struct point_cluster {
	double middle[3];       /* c, at rest */
	snw_interval offset[3]; /* r − c */
	snw_interval weight_sum;
	snw_interval pulled_sum[3]; /* Σ_s p_s − w_s c */
	uint32_t point_count;
	uint32_t reach_begin, reach_end; /* the first is the pivot's */
} point_cluster;

/* What one displacement adds to a cluster's points. */
typedef struct cluster_displacement {
	uint32_t cluster, coefficient;
	uint32_t rotation; /* of a posed one, in the input; SNW_NONE: none */
	snw_interval vector[3];
} cluster_displacement;

typedef struct displacement_list {
	uint32_t count;
	cluster_displacement *list;
} displacement_list;

struct snw_program_bounds {
	int32_t blend, sign_rule;
	bool dual_quaternion_palette;
	uint32_t cluster_count, slot_count;
	point_cluster *clusters;
	slot_reach *reaches;
	displacement_list rest, posed;
};

#endif
