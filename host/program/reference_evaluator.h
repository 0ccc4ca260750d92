/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The equation of a skin program as written, in double, one point after another. The fast evaluators are tested against it.
 *
 * Linear and affine blends follow the equation. A dual quaternion blend (Kavan, Collins, Zara and O'Sullivan 2008) sums w_is
 * σ_s q_s and divides by the length of the sum's real part (a sum of length zero leaves the point unchanged). It applies the
 * result to the rest point after its displacements and after the stretch x + Σ_s w_is (P_s x − x), where P_s is the part of
 * the matrix of slot s that does not rotate or translate (snw_dual_quaternion_from_mat34; none if the dual quaternions are
 * given). A point without influences goes to the origin under linear and affine blends, and stays under dual quaternions.
 * Nothing is allocated; any number of threads at once.
 */
#ifndef SINEW_HOST_PROGRAM_REFERENCE_EVALUATOR_H
#define SINEW_HOST_PROGRAM_REFERENCE_EVALUATOR_H

#include "program/program.h"

/* points_in is [point_count][3], in place of the program's rest (NULL: the rest itself), before displacements. AFFINE uses
 * only its difference from the rest, as a displacement. points_in may be points_out. */
void snw_program_reference(const snw_program *program, const snw_program_input *input, const double *points_in,
						   double *points_out);

/* The same for the points [begin, end), at their places in the same arrays; the others are neither read nor written. */
void snw_program_reference_range(const snw_program *program, const snw_program_input *input, uint32_t begin, uint32_t end,
								 const double *points_in, double *points_out);

/* The same for a list of points: `points_in` and `points_out` are [count][3]. */
void snw_program_reference_at(const snw_program *program, const snw_program_input *input, uint32_t count,
							  const uint32_t *indices, const double *points_in, double *points_out);

/* The affine map of each listed point (NULL: all) for this input, displacements left out: [count][12]. */
void snw_program_reference_matrices(const snw_program *program, const snw_program_input *input, uint32_t count,
									const uint32_t *indices, double *matrices);

/* Normals [point_count][3] from those of the rest: transformed by the cofactors of the map's linear part, as the area vector
 * of a small face is, and normalised; zero where the map flattens. Input normals may have any length. */
void snw_program_reference_normals(const snw_program *program, const snw_program_input *input, const double *normals_rest,
								   double *normals_out);

#endif
