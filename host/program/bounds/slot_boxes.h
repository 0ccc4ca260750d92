/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bounds of a linear blend that an engine can use: a box at rest for each joint, of what it pulls most, and for each pair of
 * joints that pull the same points. A pose moves the box of a joint by the joint's matrix, and that of a pair by (1 − c) T_p + c
 * T_s, with c the pair's share. What all of them contain together contains the posed points, whatever the matrices are:
 *
 *     Σ_s w_s T_s r = (1 − Σ_{s≠p} w_s / c) T_p r + Σ_{s≠p} (w_s / c) [(1 − c) T_p + c T_s] r
 *
 * holds for any c. With p the joint of the largest weight and c at least the sum of the other weights, all factors are positive
 * and add up to 1: so the point lies between places that its boxes contain. A point that a joint hardly pulls has a small c, and
 * so does not swing with that joint, as it would in a plain box for each joint.
 */
#ifndef SINEW_HOST_PROGRAM_BOUNDS_SLOT_BOXES_H
#define SINEW_HOST_PROGRAM_BOUNDS_SLOT_BOXES_H

#include "base/box.h"
#include "program/bounds/interval.h"
#include "program/program.h"

typedef struct snw_slot_box {
	uint32_t slot, other; /* `other` is `slot` for a box of one joint */
	double share;         /* of the other; 0 for one joint */
	snw_box box;          /* at rest, metres */
} snw_slot_box;

typedef struct snw_slot_boxes {
	uint32_t count; /* 0 where the program is no linear blend by weights that are not negative and add up to 1 */
	snw_slot_box *list;
} snw_slot_boxes;

/* What the coefficients of rest displacements may be. Channels are free of each other, each in its range. Those that a method drives
 * are not: they cancel each other. So what they add to a point is known from samples, and taken a quarter wider on either side. */
typedef struct snw_coefficient_samples {
	uint32_t count;             /* of samples */
	const double *values;       /* [count][d_count] */
	const snw_interval *ranges; /* [d_count]; empty (least > most): as in the samples */
} snw_coefficient_samples;

/* The boxes include rest displacements. Posed displacements they do not. */
snw_slot_boxes snw_slot_boxes_make(const snw_program *program, const snw_coefficient_samples *samples, snw_arena *arena);
/* The box round all of them at a palette, [slot_count][12]. */
snw_box snw_slot_boxes_posed(const snw_slot_boxes *boxes, const double *palette);

#endif
