/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bounds of a posed mesh, from the input of its program alone: no point is run. Points that follow the same joint most, with
 * about the same weight, form a cluster. A cluster has a box of its points, and for each slot s a box of what that slot pulls:
 * w_s and w_s (r − c), with r the rest point and c the cluster's middle. A pose then gives a box for each cluster, which
 * contains all its points, displacements included, whatever the matrices and the weights are.
 *
 * With p the cluster's pivot, the slot of the largest weight, a linear or affine blend of the point is
 *
 *     x = Σ_s T_s p_s = T_p Σ_s p_s + Σ_{s≠p} (T_s − T_p) p_s
 *
 * in which every term is a matrix times a vector of a known box. Where the point follows its pivot alone the sum is empty, and
 * where two joints are near each other it is small: so the boxes are tight where it matters.
 *
 * A blend of dual quaternions keeps to the same terms. Let r_s be the unit rotations (their signs chosen), y the stretched rest
 * point, X_s = R_s y + t_s its places under each slot alone, and b = Σ_s w_s r_s. As d_s = t_s r_s / 2 for the dual parts,
 *
 *     x = (b y b* + 2 Σ_s w_s d_s b*) / |b|² = Σ_s w_s X_s r_s b* / |b|²,
 *
 * of which the vector part is taken. The sum Σ_s w_s r_s b* is |b|² itself, so the pivot's place comes out of it:
 *
 *     x = X_p + Vec Σ_{s≠p} w_s (X_s − X_p) u_s g* / |g|²,   u_s = r_s r_p*,   g = b r_p* = Σ_s w_s u_s.
 *
 * The differences w_s (X_s − X_p) are those of the linear blend, and g is known as soon as the weights are. The boxes are this
 * equation with boxes (below) in place of vectors. As |u_s| = 1, they also keep within Σ |w_s (X_s − X_p)| / |g| of
 * X_p. Under the rule of shortest rotations the real part of g is at least the pivot's weight, so |g| stays away from 0.
 * Palettes of given dual quaternions need not be unit: with length ℓ_s, weights become w_s ℓ_s, and a dual part that is not
 * perpendicular to the real one adds a scalar to X_s.
 */
#ifndef SINEW_HOST_PROGRAM_BOUNDS_BOUNDS_H
#define SINEW_HOST_PROGRAM_BOUNDS_BOUNDS_H

#include <math.h>
#include <stdint.h>

#include "base/numbers.h"
#include "program/program.h"

typedef struct snw_program_bounds snw_program_bounds;
/* Scratch for posing: created once, used by one thread at a time. */
typedef struct snw_program_bounds_scratch snw_program_bounds_scratch;

/* In `arena`; it keeps no pointers to the program. */
snw_program_bounds *snw_program_bounds_make(const snw_program *program, snw_arena *arena);
uint32_t snw_program_bounds_cluster_count(const snw_program_bounds *bounds);
snw_program_bounds_scratch *snw_program_bounds_scratch_make(const snw_program_bounds *bounds, snw_arena *arena);

/* A box for each cluster at that input: `boxes` is [cluster_count]. `points_in` (NULL: the rest) contains the points that the
 * program starts from. False if the dual quaternions of a cluster may cancel each other, which is possible with signs as given:
 * its box then follows the pivot slot alone. No allocation. */
bool snw_program_bounds_posed(const snw_program_bounds *bounds, const snw_program_input *input, const snw_box *points_in,
							  snw_program_bounds_scratch *scratch, snw_box *boxes);

/* Bounds of given sets of points, each posed alone and only when it is asked for: set s has points[begins[s]] to
 * points[begins[s + 1] - 1], at least one. Sets may share points. Everything else is as above, with sets for clusters. */
snw_program_bounds *snw_program_bounds_make_sets(const snw_program *program, uint32_t set_count, const uint32_t *begins,
												 const uint32_t *points, snw_arena *arena);

/* The input of the sets that are posed from here on. No allocation. */
void snw_program_bounds_take(const snw_program_bounds *bounds, const snw_program_input *input,
							 snw_program_bounds_scratch *scratch);
/* The box of one set at the input that was taken. False, and no box, if its dual quaternions may cancel each other. */
bool snw_program_bounds_pose_set(const snw_program_bounds *bounds, const snw_program_input *input,
								 snw_program_bounds_scratch *scratch, uint32_t set, snw_box *box);

/* ---- clusters ------------------------------------------------------------------------------------------------------------ */

/* The clusters of a program's points, from making them (bounds_clusters.c) to posing them (bounds.c). */

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

/* ---- boxes of slots ------------------------------------------------------------------------------------------------------ */

/* Bounds of a linear blend that an engine can use: a box at rest for each joint, of what it pulls most, and for each pair of
 * joints that pull the same points. A pose moves the box of a joint by the joint's matrix, and that of a pair by (1 − c) T_p +
 * c T_s, with c the pair's share. What all of them contain together contains the posed points, whatever the matrices are. With
 * p the joint of the largest weight and W the sum of the other weights,
 *
 *     Σ_s w_s T_s r = Σ_{s≠p} (w_s / W) [(1 − W) T_p + W T_s] r,
 *
 * so the point lies between the places that the pairs (p, s) give it at the share W, and each of these lies between those at
 * the shares next to W, below and above, of the few that pairs have. A share of 0 is the joint alone. A point that a joint
 * hardly pulls so does not swing with that joint, as it would in a plain box for each joint.
 *
 * Displacements of the rest are large where joints bend far, and small in most poses. So each box has the points at rest, and
 * what a displacement adds to them for a coefficient of 1: an engine that knows its weights of a pose adds these, and then the
 * boxes are about as narrow as without displacements. For others each box also has the points with all weights that may be.
 * Points that a displacement moves far have boxes by cells of the rest, several of one joint or pair: a point beside them is
 * not moved so. */

/* What a displacement adds to the points of a box, for a coefficient of 1. */
typedef struct snw_slot_box_addition {
	uint32_t displacement; /* of the program's rest */
	uint32_t coefficient;
	snw_box box;
} snw_slot_box_addition;

typedef struct snw_slot_box {
	uint32_t slot, other; /* `other` is `slot` for a box of one joint */
	double share;         /* of the other; 0 for one joint */
	snw_box plain;        /* of the points at rest, metres */
	snw_box box;          /* the same with what displacements add in any pose */
	uint32_t addition_begin, addition_end;
} snw_slot_box;

typedef struct snw_slot_boxes {
	uint32_t count; /* 0 where the program is no linear blend by weights that are not negative and add up to 1 */
	snw_slot_box *list;
	snw_slot_box_addition *additions;
} snw_slot_boxes;

/* What the coefficients of rest displacements may be. Channels are free of each other, each in its range. Those that a method
 * drives are not: they cancel each other. So what they add to a point is known from samples, and taken a quarter wider on
 * either side. */
typedef struct snw_coefficient_samples {
	uint32_t count;             /* of samples */
	const double *values;       /* [count][d_count] */
	const snw_interval *ranges; /* [d_count]; empty (least > most): as in the samples */
} snw_coefficient_samples;

/* The boxes include rest displacements. Posed displacements they do not. */
snw_slot_boxes snw_slot_boxes_make(const snw_program *program, const snw_coefficient_samples *samples, snw_arena *arena);
/* The box round all of them at a palette, [slot_count][12], and at coefficients, [d_count]; NULL: whatever they are. No
 * allocation. */
snw_box snw_slot_boxes_posed(const snw_slot_boxes *boxes, const double *palette, const double *d);

#endif
