/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The float evaluator: the program packed once, run many times, vectorised and threaded; the same bits for any number of
 * threads. Not for any instruction set: AVX2 and AVX-512 multiply and add in one step, which differs in the last bit.
 *
 * Packing sorts points by their set of joints: where 16 share one they run together, each in a lane, at the speed of memory;
 * the others run one by one (program/kernels.h). docs/speed.md has what limits each path.
 *
 * Within 1e-6 of the rest's diagonal of the reference evaluator (random programs: 1e-7 for linear and affine, 2e-7 for dual quaternions), plus
 * the rounding of the output's own floats, which outweighs it from a few diagonals of distance on: 2e-6 at 50, 1.5e-5 at
 * 500. So the promise of 1e-5 of the bounding box ends where floats do, some 300 diagonals away from the origin.
 */
#ifndef SINEW_HOST_PROGRAM_FLOAT_EVALUATOR_H
#define SINEW_HOST_PROGRAM_FLOAT_EVALUATOR_H

#include "program/program.h"

typedef struct snw_packed_program snw_packed_program;

snw_packed_program *snw_program_pack(const snw_program *program);
/* With the normals of the rest, [point_count][3], for snw_program_run_with_normals. */
snw_packed_program *snw_program_pack_with_normals(const snw_program *program, const double *normals_rest);
void snw_packed_program_destroy(snw_packed_program *packed);

/* points_in: [point_count][3] or NULL for the rest, as for the reference evaluator. Allocates nothing; one call at a time for one packed
 * program (it owns the scratch). */
void snw_program_run(snw_packed_program *packed, const snw_program_input *input, const float *points_in, float *points_out);

/* And fast normals, unit, [point_count][3]: each point's own at rest, turned by the cofactors of the blend's linear part there
 * (snw_program_reference_normals). What displacements and differences of weights do to the surface they do not see; zero where the
 * blend flattens the point's surroundings. The program was packed with normals. */
void snw_program_run_with_normals(snw_packed_program *packed, const snw_program_input *input, const float *points_in,
								  float *points_out, float *normals_out);

/* And exact normals, from the deformed faces (normals.h): `plan` is of the program's mesh. */
typedef struct snw_normal_plan snw_normal_plan;
void snw_program_run_with_face_normals(snw_packed_program *packed, const snw_program_input *input, const float *points_in,
									   snw_normal_plan *plan, float *points_out, float *normals_out);

#endif
