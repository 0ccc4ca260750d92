/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The float evaluator: a program packed once and run many times, vectorised and threaded, with the same bits for any number
 * of threads. Instruction sets differ: AVX2 and AVX-512 multiply and add in one step, which changes the last bit.
 *
 * Packing sorts points by their set of joints. 16 points that share one run together, each in a lane, at the speed of
 * memory; the others run one by one (program/kernels/kernels.h). docs/speed.md says what limits each path.
 *
 * The error is within 1e-6 of the rest's diagonal of the reference evaluator (random programs: 1e-7 for linear and affine,
 * 2e-7 for dual quaternions), plus the rounding of the output's floats, which dominates from a few diagonals of distance on:
 * 2e-6 at 50, 1.5e-5 at 500. So 1e-5 of the bounding box is guaranteed up to about 300 diagonals from the origin.
 */
#ifndef SINEW_HOST_PROGRAM_FLOAT_EVALUATOR_H
#define SINEW_HOST_PROGRAM_FLOAT_EVALUATOR_H

#include "program/program.h"

typedef struct snw_packed_program snw_packed_program;

snw_packed_program *snw_program_pack(const snw_program *program);
/* With the normals of the rest, [point_count][3], for snw_program_run_with_normals. */
snw_packed_program *snw_program_pack_with_normals(const snw_program *program, const double *normals_rest);
void snw_packed_program_destroy(snw_packed_program *packed);

/* points_in: [point_count][3] or NULL for the rest, as in the reference evaluator. Allocates nothing; one call at a time for
 * a packed program, which owns the scratch. */
void snw_program_run(snw_packed_program *packed, const snw_program_input *input, const float *points_in, float *points_out);

/* Also computes fast normals, unit, [point_count][3]: the rest normal of each point, transformed by the cofactors of the
 * blend's linear part (snw_program_reference_normals). They ignore displacements and the differences of weights between
 * points; zero where the blend flattens the surface. The program must be packed with normals. */
void snw_program_run_with_normals(snw_packed_program *packed, const snw_program_input *input, const float *points_in,
								  float *points_out, float *normals_out);

/* Also computes exact normals, from the deformed faces (normals.h): `plan` is of the program's mesh. */
typedef struct snw_normal_plan snw_normal_plan;
void snw_program_run_with_face_normals(snw_packed_program *packed, const snw_program_input *input, const float *points_in,
									   snw_normal_plan *plan, float *points_out, float *normals_out);

#endif
