/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bounds of a linear blend that an engine can use: a box at rest for each joint, of what it pulls most, and for each pair of
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
 * not moved so.
 */
#ifndef SINEW_HOST_PROGRAM_BOUNDS_SLOT_BOXES_H
#define SINEW_HOST_PROGRAM_BOUNDS_SLOT_BOXES_H

#include "base/numbers.h"
#include "program/bounds/bounds_internal.h"
#include "program/program.h"

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
