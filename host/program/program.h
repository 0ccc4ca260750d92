/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A skin program, merged: the parts that neighbouring layers lowered to, for one mesh.
 *
 *     v_i = blend_i(T ; p_i ⊕ Σ_k d_k D_k,i) + Σ_l e_l F_l E_l,i
 *
 * and the input that drives it. It is described in double; reference_evaluator.c runs it directly, float_evaluator.c packs it
 * into floats first, and ui/render runs the packed form on the GPU.
 */
#ifndef SINEW_HOST_PROGRAM_PROGRAM_H
#define SINEW_HOST_PROGRAM_PROGRAM_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "sinew/program.h"
#include "sinew/view.h"

/* Normals of the program, with the influences of its points. */
typedef struct snw_program_normals {
	int32_t palette;                 /* snw_normal_palette; SNW_NORMALS_FROM_FACES for none */
	const double *rest;              /* [point_count][3], unit */
	snw_displacements displacements; /* coefficients into input.d */
} snw_program_normals;

/* A sparse C by slots: for each of them the columns in which any of its four rows has an entry, ascending, and those entries, 0
 * where a row has none. */
typedef struct snw_combined_slots {
	const uint32_t *offsets; /* [slot_count + 1] */
	const uint32_t *columns;
	const double (*entries)[4];
	/* The same by fours of slots with about as many columns, the most first, side by side; padded with entries of 0. */
	const uint32_t *fours;             /* [⌈slot_count / 4⌉][4]: slots, SNW_NONE after the last */
	const uint32_t *four_offsets;      /* [⌈slot_count / 4⌉ + 1] */
	const uint32_t (*four_columns)[4]; /* times 3 */
	const double (*four_entries)[4][4];
} snw_combined_slots;

/* Like snw_program_part, but its displacements list their points, its coefficients index the input of the whole segment, and
 * its palette is always matrices or dual quaternions in the input. */
typedef struct snw_program {
	uint32_t point_count;
	int32_t blend;
	int32_t sign_rule;
	bool dual_quaternion_palette; /* the input has dual quaternions; else they are computed from its matrices */
	uint32_t slot_count;
	const double *points_rest;         /* [point_count][3] */
	const uint32_t *influence_offsets; /* [point_count + 1]; NULL with SNW_BLEND_NONE */
	const uint32_t *influence_slots;
	const double *influence_weights; /* LINEAR, DUAL_QUATERNION; for AFFINE the fourth component of each row */
	const double *influence_rows;    /* AFFINE: [influences][4] */
	snw_displacements rest;          /* coefficients into input.d */
	snw_displacements posed;         /* coefficients into input.e; joints are those of the pose */
	uint32_t d_count, e_count;
	snw_program_normals normals;
	/* C if the matrices are C z (SNW_PALETTE_COMBINED), for evaluators that compute them themselves: dense or sparse, the
	 * other is NULL; else both are NULL. */
	const double *combined; /* [4·slot_count][combined_count] */
	const snw_combined_slots *combined_slots;
	uint32_t combined_count;
} snw_program;

/* What changes from pose to pose; nothing else is sent to a GPU. */
typedef struct snw_program_input {
	const double *matrices;         /* [slot_count][12] */
	const double *dual_quaternions; /* [slot_count][8], if the program has them */
	const double *d;                /* [d_count] */
	const double *e;                /* [e_count] */
	const double *rotations;        /* [posed.count][9]: F_l */
	const double *z;                /* [combined_count][3], if the program is combined; the matrices above are C z already */
	const double *normal_palette;   /* [slot_count][9] or [slot_count][4], if the program has normals */
} snw_program_input;

/* Why this host cannot run a part: its blend, palette, sign rule or kind of normals is one that it does not know. NULL if it
 * knows them; nothing else is read. */
const char *snw_program_unknown(const snw_program_part *part);

/* The entries of displacements by the points that they move, and at a point in their order. In `arena`. */
typedef struct snw_point_displacements {
	uint32_t *starts; /* [point_count + 1] */
	uint32_t *displacements;
	uint64_t *entries; /* of the source's points and vectors */
} snw_point_displacements;
snw_point_displacements snw_point_displacements_list(const snw_displacements *source, uint32_t point_count, snw_arena *arena);

/* A sparse C of 4·slot_count valid rows by slots, in `arena`. */
const snw_combined_slots *snw_combined_slots_make(const snw_sparse_rows *rows, snw_arena *arena);

/* matrices [slot_count][12] = C z, for a program that has C. A sparse C gives the bits of the dense one: each row is summed in
 * the order of its columns, and a term that is 0 changes no sum. */
void snw_program_combine(const snw_program *program, const double *z, double *matrices);

/* SNW_ERROR_DATA names an index that is out of range or a number that is not finite. */
snw_status snw_program_check(const snw_program *program, snw_error *error);

/* A matrix as a unit dual quaternion (8 doubles: real x y z w, then dual) over a stretch (3×3, row-major) that acts on the rest
 * point first: matrix · (x, 1) = dual quaternion applied to stretch · x, exactly. The rotation is that of the polar
 * decomposition, so a joint's scale, along whatever axes its bind has, ends up in the stretch (symmetric, positive); so does
 * shear. A mirroring matrix gets a negative stretch, since no rotation mirrors. */
void snw_dual_quaternion_from_mat34(const double matrix[12], double dual_quaternion[8], double stretch[9]);

/* The matrix of a dual quaternion of any length. Without a length it turns nothing and moves nothing. */
void snw_dual_quaternion_to_mat34(const double dual_quaternion[8], double matrix[12]);

/* The sign rule "shortest": −1 if `real` and the pivot's real part differ by more than a rotation by π, else 1. Float
 * evaluators also take their signs from here: near π the sign depends on the last bit. */
double snw_dual_quaternion_sign(const double real[4], const double pivot_real[4]);

/* The influence that determines the signs of the others, among begin … end − 1: the largest weight, ties to the lowest slot. */
uint32_t snw_program_pivot(const snw_program *program, uint32_t begin, uint32_t end);

/* The weight of an influence: in an affine blend, the fourth component of its row. */
double snw_program_weight(const snw_program *program, uint32_t influence);

/* ---- program normals ----------------------------------------------------------------------------------------------------- */

/* Normals of a skin program. */

/* Evaluates program->normals: [point_count][3], unit, in posed space; zero if the blend is zero. Uses all threads. Allocates
 * nothing. */
void snw_normals_of_program(const snw_program *program, const snw_program_input *input, float *normals);

/* ---- rows ---------------------------------------------------------------------------------------------------------------- */

/* The blend of a program as rows: a 4-vector for each influence. */

/* Numbers for each influence of each point: weights (width 1) or rows (width 4). */
typedef struct snw_influences {
	const uint32_t *offsets; /* [point_count + 1] */
	const uint32_t *slots;
	const double *values; /* [offsets[point_count]][width] */
} snw_influences;

/* The rows of a linear or affine blend. Linear blend: w (r, 1). New arrays are in `arena`, the others the program's. */
snw_influences snw_program_rows(const snw_program *program, snw_arena *arena);

/* ---- the reference evaluator --------------------------------------------------------------------------------------------- */

/* The equation of a skin program as written, in double, one point after another. The fast evaluators are tested against it.
 *
 * Linear and affine blends follow the equation. A dual quaternion blend (Kavan, Collins, Zara and O'Sullivan 2008) sums w_is
 * σ_s q_s and divides by the length of the sum's real part (a sum of length zero leaves the point unchanged). It applies the
 * result to the rest point after its displacements and after the stretch x + Σ_s w_is (P_s x − x), where P_s is the part of
 * the matrix of slot s that does not rotate or translate (snw_dual_quaternion_from_mat34; none if the dual quaternions are
 * given). A point without influences goes to the origin under linear and affine blends, and stays under dual quaternions.
 * Nothing is allocated; any number of threads at once. */

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

/* ---- the evaluator in float ---------------------------------------------------------------------------------------------- */

/* The float evaluator: a program packed once and run many times, vectorised and threaded, with the same bits for any number
 * of threads. Instruction sets differ: AVX2 and AVX-512 multiply and add in one step, which changes the last bit.
 *
 * Packing sorts points by their set of joints. 16 points that share one run together, each in a lane, at the speed of
 * memory; the others run one by one (program/kernels/kernels.h). docs/speed.md says what limits each path.
 *
 * The error is within 1e-6 of the rest's diagonal of the reference evaluator (random programs: 1e-7 for linear and affine,
 * 2e-7 for dual quaternions), plus the rounding of the output's floats, which dominates from a few diagonals of distance on:
 * 2e-6 at 50, 1.5e-5 at 500. So 1e-5 of the bounding box is guaranteed up to about 300 diagonals from the origin. */

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

/* Also computes exact normals, from the deformed faces (mesh/mesh.h): `plan` is of the program's mesh. */
typedef struct snw_normal_plan snw_normal_plan;
void snw_program_run_with_face_normals(snw_packed_program *packed, const snw_program_input *input, const float *points_in,
									   snw_normal_plan *plan, float *points_out, float *normals_out);

#endif
