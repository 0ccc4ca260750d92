/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bounds of a posed mesh, from the input of its program alone, without running its points. Neighbouring points with nearly
 * the same weights form a group; a group has a box for each of its slots. A pose then gives a box for each group that
 * contains all its points, including displacements, for any matrices.
 *
 * A point is Σ_s T_s (w_s (c, 1) + (p_s, 0)), with c the middle of its group and p_s = w_s (r − c). In a group, w_s and p_s
 * are in intervals, and the sum of the weights is known. The box is the largest sum under these conditions, for each axis.
 */
#ifndef SINEW_HOST_PROGRAM_BOUNDS_H
#define SINEW_HOST_PROGRAM_BOUNDS_H

#include "base/box.h"
#include "program/program.h"

typedef struct snw_program_bounds snw_program_bounds;

/* In `arena`; keeps only the program's arrays of joints and coefficients. NULL for dual quaternions, whose results are not
 * within the hull of the points that their slots give. */
snw_program_bounds *snw_program_bounds_make(const snw_program *program, snw_arena *arena);
uint32_t snw_program_bounds_group_count(const snw_program_bounds *bounds);
/* A box for each group for this input: `boxes` is [group_count]. Works in `scratch`. */
void snw_program_bounds_posed(const snw_program_bounds *bounds, const snw_program_input *input, snw_arena *scratch,
							  snw_box *boxes);

#endif
