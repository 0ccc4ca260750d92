/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks a skin program, whose arrays come from plug-ins.
 */
#include "program/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "sinew/algebra.h"
#include "task/task.h"

/* ---- program ------------------------------------------------------------------------------------------------------------- */

const char *snw_program_unknown(const snw_program_part *part) {
	return part->blend < SNW_BLEND_NONE || part->blend > SNW_BLEND_DUAL_QUATERNION
			   ? "it lowers to a blend that this version of Sinew does not know"
		   : part->blend != SNW_BLEND_NONE && (part->palette < SNW_PALETTE_JOINTS || part->palette > SNW_PALETTE_COMBINED)
			   ? "it lowers to a palette that this version of Sinew does not know"
		   : part->sign_rule < SNW_SIGN_SHORTEST || part->sign_rule > SNW_SIGN_AS_GIVEN
			   ? "it lowers to a sign rule that this version of Sinew does not know"
		   : part->normal_palette < SNW_NORMALS_FROM_FACES || part->normal_palette > SNW_NORMALS_QUATERNIONS
			   ? "it lowers to normals that this version of Sinew does not know"
			   : NULL;
}

static snw_status check_kinds(const snw_program *program, snw_error *error) {
	if (program->blend < SNW_BLEND_NONE || program->blend > SNW_BLEND_DUAL_QUATERNION) {
		return snw_fail(error, SNW_ERROR_DATA, "skin program: unknown blend %d", program->blend);
	}
	if (program->sign_rule != SNW_SIGN_SHORTEST && program->sign_rule != SNW_SIGN_AS_GIVEN) {
		return snw_fail(error, SNW_ERROR_DATA, "skin program: unknown sign rule %d", program->sign_rule);
	}
	if (program->dual_quaternion_palette && program->blend != SNW_BLEND_DUAL_QUATERNION) {
		return snw_fail(error, SNW_ERROR_DATA, "skin program: a palette of dual quaternions needs the dual quaternion blend");
	}
	return SNW_OK;
}

static snw_status check_influences(const snw_program *program, snw_error *error) {
	if (program->blend == SNW_BLEND_NONE || program->point_count == 0) {
		return SNW_OK;
	}
	const uint32_t *offsets = program->influence_offsets;
	if (offsets == NULL || offsets[0] != 0) {
		return snw_fail(error, SNW_ERROR_DATA, "skin program: its influence offsets must start at 0");
	}
	for (uint32_t i = 0; i < program->point_count; i++) {
		if (offsets[i + 1] < offsets[i]) {
			return snw_fail(error, SNW_ERROR_DATA, "skin program: the influence offsets fall at point %u", i);
		}
	}
	const uint32_t count = offsets[program->point_count];
	const bool has_rows = program->blend == SNW_BLEND_AFFINE;
	if (count > 0 && (program->influence_slots == NULL || program->influence_weights == NULL ||
					  (has_rows && program->influence_rows == NULL))) {
		return snw_fail(error, SNW_ERROR_DATA, "skin program: it has influences without slots, weights or rows");
	}
	for (uint32_t k = 0; k < count; k++) {
		if (program->influence_slots[k] >= program->slot_count) {
			return snw_fail(error, SNW_ERROR_DATA, "skin program: influence %u names slot %u of %u", k,
							program->influence_slots[k], program->slot_count);
		}
	}
	const size_t weight = snw_first_not_finite(program->influence_weights, count);
	if (weight < count) {
		return snw_fail(error, SNW_ERROR_DATA, "skin program: the weight of influence %zu is not a finite number", weight);
	}
	const size_t row_numbers = has_rows ? 4 * (size_t)count : 0;
	const size_t number = snw_first_not_finite(program->influence_rows, row_numbers);
	if (number < row_numbers) {
		return snw_fail(error, SNW_ERROR_DATA, "skin program: the row of influence %zu is not finite", number / 4);
	}
	return SNW_OK;
}

static snw_status check_displacements(const snw_displacements *displacements, const char *which, uint32_t coefficient_count,
									  uint32_t point_count, snw_error *error) {
	if (displacements->count == 0) {
		return SNW_OK;
	}
	if (displacements->offsets == NULL || displacements->coefficients == NULL || displacements->offsets[0] != 0) {
		return snw_fail(error, SNW_ERROR_DATA, "skin program: the offsets of its %s displacements must start at 0", which);
	}
	for (uint32_t k = 0; k < displacements->count; k++) {
		const uint64_t begin = displacements->offsets[k], end = displacements->offsets[k + 1];
		if (displacements->coefficients[k] >= coefficient_count) {
			return snw_fail(error, SNW_ERROR_DATA, "skin program: %s displacement %u names coefficient %u of %u", which, k,
							displacements->coefficients[k], coefficient_count);
		}
		if (end < begin || (end > begin && (displacements->points == NULL || displacements->vectors == NULL))) {
			return snw_fail(error, SNW_ERROR_DATA, "skin program: the offsets fall at %s displacement %u", which, k);
		}
		for (uint64_t j = begin; j < end; j++) {
			const bool rises = j == begin || displacements->points[j] > displacements->points[j - 1];
			if (!rises || displacements->points[j] >= point_count) {
				return snw_fail(error, SNW_ERROR_DATA,
								"skin program: %s displacement %u names point %u of %u; points must rise and be in range",
								which, k, displacements->points[j], point_count);
			}
		}
	}
	const size_t numbers = 3 * displacements->offsets[displacements->count];
	const size_t number = snw_first_not_finite(displacements->vectors, numbers);
	if (number < numbers) {
		return snw_fail(error, SNW_ERROR_DATA, "skin program: a %s displacement of point %u is not finite", which,
						displacements->points[number / 3]);
	}
	return SNW_OK;
}

snw_status snw_program_check(const snw_program *program, snw_error *error) {
	snw_status status = check_kinds(program, error);
	if (!snw_failed(status)) {
		status = check_influences(program, error);
	}
	if (!snw_failed(status) && program->point_count > 0 && program->points_rest == NULL) {
		status = snw_fail(error, SNW_ERROR_DATA, "skin program: it has %u points but no rest", program->point_count);
	}
	if (!snw_failed(status)) {
		const size_t numbers = 3 * (size_t)program->point_count, number = snw_first_not_finite(program->points_rest, numbers);
		if (number < numbers) {
			status = snw_fail(error, SNW_ERROR_DATA, "skin program: the rest of point %zu is not finite", number / 3);
		}
	}
	if (!snw_failed(status)) {
		status = check_displacements(&program->rest, "rest", program->d_count, program->point_count, error);
	}
	if (!snw_failed(status)) {
		status = check_displacements(&program->posed, "posed", program->e_count, program->point_count, error);
	}
	if (!snw_failed(status)) {
		status = check_displacements(&program->normals.displacements, "normal", program->d_count, program->point_count, error);
	}
	return status;
}

double snw_program_weight(const snw_program *program, uint32_t influence) {
	return program->blend == SNW_BLEND_AFFINE ? program->influence_rows[4 * (size_t)influence + 3]
											  : program->influence_weights[influence];
}

snw_point_displacements snw_point_displacements_list(const snw_displacements *source, uint32_t point_count, snw_arena *arena) {
	const uint64_t count = source->count > 0 ? source->offsets[source->count] : 0;
	snw_point_displacements list = {SNW_NEW_ARRAY(arena, uint32_t, (size_t)point_count + 1),
									SNW_NEW_ARRAY(arena, uint32_t, count), SNW_NEW_ARRAY(arena, uint64_t, count)};
	uint32_t *filled = SNW_NEW_ARRAY(arena, uint32_t, point_count);
	for (uint64_t i = 0; i < count; i++) {
		list.starts[source->points[i] + 1]++;
	}
	for (uint32_t p = 0; p < point_count; p++) {
		list.starts[p + 1] += list.starts[p];
	}
	for (uint32_t k = 0; k < source->count; k++) {
		for (uint64_t i = source->offsets[k]; i < source->offsets[k + 1]; i++) {
			const uint32_t place = list.starts[source->points[i]] + filled[source->points[i]]++;
			list.displacements[place] = k;
			list.entries[place] = i;
		}
	}
	return list;
}

/* ---- combine ------------------------------------------------------------------------------------------------------------- */

/* A palette that is linear in z: T = C z. Row 4s + c of C z is column c of T_s, so the entries of a slot's four rows at one
 * column are multiplied together by each coordinate of z there. */

typedef double row4 __attribute__((vector_size(32), may_alias, aligned(8)));

/* ---- C by slots ---------------------------------------------------------------------------------------------------------- */

/* One slot. Returns the number of its columns; `columns` and `entries` may be NULL. */
static uint32_t merge_rows(const snw_sparse_rows *rows, size_t slot, uint32_t *columns, double (*entries)[4]) {
	const uint32_t *ends = rows->offsets + 4 * slot + 1;
	uint32_t at[4], count = 0;
	memcpy(at, rows->offsets + 4 * slot, sizeof at);
	for (;; count++) {
		uint32_t column = UINT32_MAX;
		for (int c = 0; c < 4; c++) {
			column = at[c] < ends[c] && rows->columns[at[c]] < column ? rows->columns[at[c]] : column;
		}
		if (column == UINT32_MAX) {
			return count;
		}
		for (int c = 0; c < 4; c++) {
			const bool has = at[c] < ends[c] && rows->columns[at[c]] == column;
			if (entries) {
				entries[count][c] = has ? rows->values[at[c]] : 0;
				columns[count] = column;
			}
			at[c] += has;
		}
	}
}

typedef struct counted_slot {
	uint32_t slot, count;
} counted_slot;

static int compare_counts(const void *a, const void *b) {
	const counted_slot *one = a, *other = b;
	return one->count != other->count ? (one->count > other->count ? -1 : 1) : one->slot > other->slot ? 1 : -1;
}

static const counted_slot *sort_slots(uint32_t slots, const uint32_t *offsets, snw_arena *arena) {
	counted_slot *sorted = SNW_NEW_ARRAY(arena, counted_slot, slots);
	for (uint32_t s = 0; s < slots; s++) {
		sorted[s] = (counted_slot){s, offsets[s + 1] - offsets[s]};
	}
	if (slots > 0) { /* an empty array may be NULL, which qsort does not accept */
		qsort(sorted, slots, sizeof *sorted, compare_counts);
	}
	return sorted;
}

static void set_fours(uint32_t slots, snw_combined_slots *made, snw_arena *arena) {
	const counted_slot *sorted = sort_slots(slots, made->offsets, arena);
	const uint32_t count = (slots + 3) / 4;
	uint32_t *fours = SNW_NEW_ARRAY(arena, uint32_t, 4 * (size_t)count);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, count + 1);
	for (uint32_t f = 0; f < count; f++) {
		offsets[f + 1] = offsets[f] + sorted[4 * f].count;
	}
	uint32_t(*columns)[4] = (uint32_t(*)[4])SNW_NEW_ARRAY(arena, uint32_t, 4 * (size_t)offsets[count]);
	double(*entries)[4][4] = (double(*)[4][4])SNW_NEW_ARRAY(arena, double, 16 * (size_t)offsets[count]);
	for (uint32_t i = 0; i < 4 * count; i++) {
		fours[i] = i < slots ? sorted[i].slot : SNW_NONE;
		for (uint32_t k = 0; i < slots && k < sorted[i].count; k++) {
			const uint32_t from = made->offsets[fours[i]] + k, to = offsets[i / 4] + k;
			columns[to][i % 4] = 3 * made->columns[from];
			memcpy(entries[to][i % 4], made->entries[from], sizeof made->entries[from]);
		}
	}
	made->fours = fours;
	made->four_offsets = offsets;
	made->four_columns = (const uint32_t(*)[4])columns;
	made->four_entries = (const double(*)[4][4])entries;
}

const snw_combined_slots *snw_combined_slots_make(const snw_sparse_rows *rows, snw_arena *arena) {
	const size_t slots = rows->row_count / 4;
	snw_combined_slots *made = SNW_NEW(arena, snw_combined_slots);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, slots + 1);
	for (size_t s = 0; s < slots; s++) {
		offsets[s + 1] = offsets[s] + merge_rows(rows, s, NULL, NULL);
	}
	uint32_t *columns = SNW_NEW_ARRAY(arena, uint32_t, offsets[slots]);
	double(*entries)[4] = (double(*)[4])SNW_NEW_ARRAY(arena, double, 4 * (size_t)offsets[slots]);
	for (size_t s = 0; s < slots; s++) {
		merge_rows(rows, s, columns + offsets[s], entries + offsets[s]);
	}
	*made = (snw_combined_slots){.offsets = offsets, .columns = columns, .entries = (const double(*)[4])entries};
	set_fours((uint32_t)slots, made, arena);
	return made;
}

/* ---- C z ----------------------------------------------------------------------------------------------------------------- */

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Four slots at once: their sums do not wait for each other. */
ALWAYS_INLINE void combine_four(const snw_combined_slots *slots, size_t four, const double *z, row4 sums[4][3]) {
	for (uint32_t k = slots->four_offsets[four]; k < slots->four_offsets[four + 1]; k++) {
#pragma GCC unroll 4
		for (int i = 0; i < 4; i++) {
			const row4 entries = *(const row4 *)slots->four_entries[k][i];
			const double *at = z + slots->four_columns[k][i];
			sums[i][0] += entries * at[0];
			sums[i][1] += entries * at[1];
			sums[i][2] += entries * at[2];
		}
	}
}

ALWAYS_INLINE void combine_slots(const snw_program *program, const double *z, double *matrices) {
	const snw_combined_slots *slots = program->combined_slots;
	for (size_t four = 0; four < ((size_t)program->slot_count + 3) / 4; four++) {
		row4 sums[4][3] = {{{0}}};
		combine_four(slots, four, z, sums);
		for (size_t i = 0; i < 4 && slots->fours[4 * four + i] != SNW_NONE; i++) {
			memcpy(matrices + 12 * (size_t)slots->fours[4 * four + i], sums[i], sizeof sums[i]);
		}
	}
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void combine_slots_avx2(const snw_program *program, const double *z, double *matrices) {
	combine_slots(program, z, matrices);
}
#endif

static void combine_dense(const snw_program *program, const double *z, double *matrices) {
	const uint32_t n = program->combined_count;
	for (size_t row = 0; row < (size_t)4 * program->slot_count; row++) {
		double column[3] = {0, 0, 0};
		for (size_t k = 0; k < n; k++) {
			for (size_t r = 0; r < 3; r++) {
				column[r] += program->combined[row * n + k] * z[3 * k + r];
			}
		}
		for (size_t r = 0; r < 3; r++) {
			matrices[12 * (row / 4) + 4 * r + row % 4] = column[r];
		}
	}
}

void snw_program_combine(const snw_program *program, const double *z, double *matrices) {
	if (!program->combined_slots) {
		combine_dense(program, z, matrices);
		return;
	}
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2")) {
		combine_slots_avx2(program, z, matrices);
		return;
	}
#endif
	combine_slots(program, z, matrices);
}

/* ---- program normals ----------------------------------------------------------------------------------------------------- */

/* Normals of a program: the rest normals with their displacements, through a separate palette and the influences of the
 * points (Kavan et al. 2007, sections 4.1 and 4.2: a second set of transformations, for normals). */

enum { GRAIN = 2048 };

typedef struct run {
	const snw_program *program;
	const snw_program_input *input;
	float *normals;
} run;

static void start(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const run *r = argument;
	for (size_t i = (size_t)3 * begin; i < (size_t)3 * end; i++) {
		r->normals[i] = (float)r->program->normals.rest[i];
	}
}

static void displace(const run *r) {
	const snw_displacements *from = &r->program->normals.displacements;
	for (uint32_t k = 0; k < from->count; k++) {
		const double d = r->input->d[from->coefficients[k]];
		for (uint64_t j = from->offsets[k]; d != 0 && j < from->offsets[k + 1]; j++) {
			for (size_t c = 0; c < 3; c++) {
				r->normals[3 * (size_t)from->points[j] + c] += (float)(d * from->vectors[3 * j + c]);
			}
		}
	}
}

static void by_matrices(const run *r, uint32_t begin, uint32_t end, const double n[3], double dest[3]) {
	memset(dest, 0, 3 * sizeof *dest);
	for (uint32_t k = begin; k < end; k++) {
		const double *m = r->input->normal_palette + 9 * (size_t)r->program->influence_slots[k];
		for (int row = 0; row < 3; row++) {
			dest[row] += r->program->influence_weights[k] * snw_dot3(m + 3 * row, n);
		}
	}
}

static void by_quaternions(const run *r, uint32_t begin, uint32_t end, const double n[3], double dest[3]) {
	double sum[4] = {0}, matrix[12];
	const uint32_t pivot = begin < end ? r->program->influence_slots[snw_program_pivot(r->program, begin, end)] : 0;
	for (uint32_t k = begin; k < end; k++) {
		const double *q = r->input->normal_palette + 4 * (size_t)r->program->influence_slots[k];
		const double *against = r->input->normal_palette + 4 * (size_t)pivot;
		const double sign = r->program->sign_rule == SNW_SIGN_AS_GIVEN ? 1 : snw_dual_quaternion_sign(q, against);
		for (int c = 0; c < 4; c++) {
			sum[c] += r->program->influence_weights[k] * sign * q[c];
		}
	}
	snw_quat_normalize(sum);
	snw_quat_to_mat34(sum, matrix);
	snw_mat34_vector(matrix, n, dest);
}

static void blend_normals(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const run *r = argument;
	const bool is_quaternion = r->program->normals.palette == SNW_NORMALS_QUATERNIONS;
	for (uint32_t i = begin; i < end; i++) {
		float *normal = r->normals + 3 * (size_t)i;
		const double n[3] = {(double)normal[0], (double)normal[1], (double)normal[2]};
		double made[3];
		(is_quaternion ? by_quaternions : by_matrices)(r, r->program->influence_offsets[i],
													   r->program->influence_offsets[i + 1], n, made);
		snw_normalize3(made);
		for (int c = 0; c < 3; c++) {
			normal[c] = (float)made[c];
		}
	}
}

void snw_normals_of_program(const snw_program *program, const snw_program_input *input, float *normals) {
	run r = {program, input, normals};
	snw_parallel_for(program->point_count, GRAIN, start, &r);
	displace(&r);
	snw_parallel_for(program->point_count, GRAIN, blend_normals, &r);
}

/* ---- rows ---------------------------------------------------------------------------------------------------------------- */

snw_influences snw_program_rows(const snw_program *program, snw_arena *arena) {
	if (program->blend == SNW_BLEND_AFFINE) {
		return (snw_influences){program->influence_offsets, program->influence_slots, program->influence_rows};
	}
	double *rows = SNW_NEW_ARRAY(arena, double, 4 * (size_t)program->influence_offsets[program->point_count]);
	for (uint32_t p = 0; p < program->point_count; p++) {
		for (uint32_t k = program->influence_offsets[p]; k < program->influence_offsets[p + 1]; k++) {
			for (size_t c = 0; c < 4; c++) {
				rows[4 * (size_t)k + c] = program->influence_weights[k] * (c < 3 ? program->points_rest[3 * (size_t)p + c] : 1);
			}
		}
	}
	return (snw_influences){program->influence_offsets, program->influence_slots, rows};
}

/* ---- dual quaternion ----------------------------------------------------------------------------------------------------- */

/* Matrices as dual quaternions, and the signs with which they blend. */

/* dest = the inverse of m's linear part, transposed, from its cofactors. */
static void inverse_transpose(const double m[9], double dest[9]) {
	double cofactor[9];
	snw_cross3(m + 3, m + 6, cofactor);
	snw_cross3(m + 6, m, cofactor + 3);
	snw_cross3(m, m + 3, cofactor + 6);
	const double det = snw_dot3(m, cofactor);
	for (int i = 0; i < 9; i++) {
		dest[i] = cofactor[i] / det;
	}
}

static double norm9(const double m[9]) {
	double sum = 0;
	for (int i = 0; i < 9; i++) {
		sum += m[i] * m[i];
	}
	return sqrt(sum);
}

/* The orthogonal factor of the polar decomposition, by Newton's iteration with Higham's scaling (1986). */
static void polar_rotation(double m[9]) {
	enum { MOST_ROUNDS = 40 };
	for (int round = 0; round < MOST_ROUNDS; round++) {
		double other[9], change = 0;
		inverse_transpose(m, other);
		const double scale = sqrt(norm9(other) / norm9(m));
		for (int i = 0; i < 9; i++) {
			const double next = 0.5 * (scale * m[i] + other[i] / scale);
			change = fmax(change, fabs(next - m[i]));
			m[i] = next;
		}
		if (change < 1e-14) {
			break;
		}
	}
}

/* The rotation in a matrix's linear part, as a unit quaternion. */
static void matrix_rotation(const double matrix[12], double rotation[4]) {
	double linear[9];
	for (int r = 0; r < 3; r++) {
		memcpy(linear + 3 * r, matrix + 4 * r, 3 * sizeof *linear);
	}
	const double det = snw_mat34_determinant(matrix), size = norm9(linear);
	if (!(fabs(det) > 1e-9 * size * size * size)) {
		/* The matrix is singular, so the polar factor is not unique; this one ignores the missing directions. */
		snw_transform transform;
		snw_transform_from_mat34(matrix, &transform);
		memcpy(rotation, transform.rotation, sizeof transform.rotation);
		return;
	}
	if (det < 0) {
		for (int i = 0; i < 9; i++) {
			linear[i] = -linear[i];
		}
	}
	polar_rotation(linear);
	double m[12] = {0};
	for (int r = 0; r < 3; r++) {
		memcpy(m + 4 * r, linear + 3 * r, 3 * sizeof *linear);
	}
	snw_quat_from_mat34(m, rotation);
}

void snw_dual_quaternion_from_mat34(const double matrix[12], double dual_quaternion[8], double stretch[9]) {
	double q[4], rotation[12];
	matrix_rotation(matrix, q);
	snw_quat_to_mat34(q, rotation);
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			stretch[3 * r + c] = rotation[r] * matrix[c] + rotation[4 + r] * matrix[4 + c] + rotation[8 + r] * matrix[8 + c];
		}
	}
	const double half[4] = {matrix[3] / 2, matrix[7] / 2, matrix[11] / 2, 0};
	memcpy(dual_quaternion, q, sizeof q);
	snw_quat_multiply(half, q, dual_quaternion + 4);
}

void snw_dual_quaternion_to_mat34(const double dual_quaternion[8], double matrix[12]) {
	double real[4], dual[4], conjugate[4], half[4];
	const double length = sqrt(snw_quat_dot(dual_quaternion, dual_quaternion));
	for (int c = 0; c < 4; c++) {
		real[c] = length > 0 ? dual_quaternion[c] / length : c == 3;
		dual[c] = length > 0 ? dual_quaternion[4 + c] / length : 0;
	}
	snw_quat_to_mat34(real, matrix);
	snw_quat_conjugate(real, conjugate);
	snw_quat_multiply(dual, conjugate, half);
	for (int r = 0; r < 3; r++) {
		matrix[4 * r + 3] = 2 * half[r];
	}
}

double snw_dual_quaternion_sign(const double real[4], const double pivot_real[4]) {
	return snw_quat_dot(real, pivot_real) < 0 ? -1 : 1;
}

uint32_t snw_program_pivot(const snw_program *program, uint32_t begin, uint32_t end) {
	uint32_t pivot = begin;
	for (uint32_t k = begin + 1; k < end; k++) {
		const double weight = program->influence_weights[k], most = program->influence_weights[pivot];
		if (weight > most || (weight == most && program->influence_slots[k] < program->influence_slots[pivot])) {
			pivot = k;
		}
	}
	return pivot;
}
