/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A skin program, merged: the parts that neighbouring layers lowered to, for one mesh.
 *
 *     v_i = blend_i(T ; p_i ⊕ Σ_k d_k D_k,i) + Σ_l e_l F_l E_l,i
 *
 * and the input that drives it. It is described in double; program/reference_evaluator.h runs it directly,
 * program/float_evaluator.h packs it into floats first, and ui/render runs the packed form on the GPU.
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

#endif
