/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The truth: the skin program as its equation reads, in double, one point after another. It stays for ever, for the fast
 * evaluators to be tested against.
 */
#ifndef SINEW_HOST_PROGRAM_TRUTH_H
#define SINEW_HOST_PROGRAM_TRUTH_H

#include "program/program.h"

/* points_in is [point_count][3], in place of the program's rest (NULL: the rest itself), before displacements. AFFINE ignores
 * it but for its difference from the rest, which acts as a displacement. */
void snw_program_truth(const snw_program *program, const snw_program_frame *frame, const double *points_in, double *points_out);

/* The same for a list of points: `points_in` and `points_out` are [count][3]. */
void snw_program_truth_at(const snw_program *program, const snw_program_frame *frame, uint32_t count, const uint32_t *indices,
						  const double *points_in, double *points_out);

/* The affine map of each listed point (NULL: all) at this frame, displacements left out: [count][12]. */
void snw_program_truth_matrices(const snw_program *program, const snw_program_frame *frame, uint32_t count,
								const uint32_t *indices, double *matrices);

#endif
