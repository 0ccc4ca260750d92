/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bounds of a posed mesh, from the input of its program alone: no point is run. Neighbours with nearly the same weights form a group;
 * each group has a box for each of its slots, of what that slot pulls. A pose then gives a box for each group, which contains all
 * its points: displacements included, whatever the matrices are.
 *
 * A point is Σ_s T_s (w_s (c, 1) + (p_s, 0)), with c the middle of its group and p_s = w_s (r − c). Over a group, w_s and p_s stay
 * in intervals, and the weights add up to what they add up to. The box is the largest sum under these conditions, axis by axis.
 */
#ifndef SINEW_HOST_PROGRAM_BOUNDS_H
#define SINEW_HOST_PROGRAM_BOUNDS_H

#include "base/box.h"
#include "program/program.h"

typedef struct snw_program_bounds snw_program_bounds;

/* In `arena`; nothing of the program is kept but its arrays of joints and coefficients. NULL for dual quaternions: what they make of
 * a point lies outside the points that their slots make of it. */
snw_program_bounds *snw_program_bounds_make(const snw_program *program, snw_arena *arena);
uint32_t snw_program_bounds_group_count(const snw_program_bounds *bounds);
/* A box for each group at that input: `boxes` is [group_count]. Works in `scratch`. */
void snw_program_bounds_posed(const snw_program_bounds *bounds, const snw_program_input *input, snw_arena *scratch,
							  snw_box *boxes);

#endif
