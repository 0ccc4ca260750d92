/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The equation of a skin program as written.
 */
#include "program/program.h"

#include "sinew/algebra.h"

/* The influences of point i: begin … end − 1. */
typedef struct point_influences {
	uint32_t begin, end;
} point_influences;

static point_influences influences_of(const snw_program *program, uint32_t point) {
	return (point_influences){program->influence_offsets[point], program->influence_offsets[point + 1]};
}

static const double *matrix_of(const snw_program *program, const snw_program_input *input, uint32_t influence) {
	return input->matrices + 12 * (size_t)program->influence_slots[influence];
}

/* Σ_s w_is T_s (x, 1) */
static void blend_linear(const snw_program *program, const snw_program_input *input, uint32_t point, const double x[3],
						 double posed[3]) {
	const point_influences list = influences_of(program, point);
	double sum[3] = {0, 0, 0};
	for (uint32_t k = list.begin; k < list.end; k++) {
		double displaced[3];
		snw_mat34_point(matrix_of(program, input, k), x, displaced);
		for (int c = 0; c < 3; c++) {
			sum[c] += program->influence_weights[k] * displaced[c];
		}
	}
	memcpy(posed, sum, sizeof sum);
}

/* Σ_s T_s (p_is + w_is (displacement, 0)), where x = rest + displacement. */
static void blend_affine(const snw_program *program, const snw_program_input *input, uint32_t point, const double x[3],
						 double posed[3]) {
	const point_influences list = influences_of(program, point);
	const double *rest = program->points_rest + 3 * (size_t)point;
	double sum[3] = {0, 0, 0};
	for (uint32_t k = list.begin; k < list.end; k++) {
		const double *row = program->influence_rows + 4 * (size_t)k, *m = matrix_of(program, input, k);
		double p[3];
		for (int c = 0; c < 3; c++) {
			p[c] = row[c] + row[3] * (x[c] - rest[c]);
		}
		for (int r = 0; r < 3; r++) {
			sum[r] += snw_dot3(m + 4 * r, p) + m[4 * r + 3] * row[3];
		}
	}
	memcpy(posed, sum, sizeof sum);
}

/* A cache of dual quaternions and stretches of slots for one input, indexed by slot modulo its size: neighbours share slots,
 * and decomposing a matrix costs more than the rest of a point. */
enum { CACHED_SLOTS = 64 };

typedef struct cached_slot {
	uint32_t slot; /* SNW_NONE: empty */
	double q[8], stretch[9];
} cached_slot;

static void clear_slots(const snw_program *program, cached_slot cache[CACHED_SLOTS]) {
	for (int i = 0; i < CACHED_SLOTS && program->blend == SNW_BLEND_DUAL_QUATERNION; i++) {
		cache[i].slot = SNW_NONE;
	}
}

static const cached_slot *cache_slot(const snw_program *program, const snw_program_input *input, uint32_t slot,
									 cached_slot cache[CACHED_SLOTS]) {
	static const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	cached_slot *cached = &cache[slot % CACHED_SLOTS];
	if (cached->slot == slot) {
		return cached;
	}
	cached->slot = slot;
	if (program->dual_quaternion_palette) {
		memcpy(cached->q, input->dual_quaternions + 8 * (size_t)slot, sizeof cached->q);
		memcpy(cached->stretch, none, sizeof none);
	} else {
		snw_dual_quaternion_from_mat34(input->matrices + 12 * (size_t)slot, cached->q, cached->stretch);
	}
	return cached;
}

/* The blended dual quaternion of a point, its real part of length 1 (or 0), and the blended stretch. */
static void blended_dual_quaternion(const snw_program *program, const snw_program_input *input, uint32_t point,
									cached_slot cache[CACHED_SLOTS], double blended[8], double stretch[9]) {
	const point_influences list = influences_of(program, point);
	double pivot[8] = {0}, sum[8] = {0};
	for (int c = 0; c < 9; c++) {
		stretch[c] = c % 4 == 0;
	}
	if (list.end > list.begin) {
		const uint32_t slot = program->influence_slots[snw_program_pivot(program, list.begin, list.end)];
		memcpy(pivot, cache_slot(program, input, slot, cache)->q, sizeof pivot);
	}
	for (uint32_t k = list.begin; k < list.end; k++) {
		const double w = program->influence_weights[k];
		const cached_slot *slot = cache_slot(program, input, program->influence_slots[k], cache);
		const double sign = program->sign_rule == SNW_SIGN_AS_GIVEN ? 1 : snw_dual_quaternion_sign(slot->q, pivot);
		for (int c = 0; c < 8; c++) {
			sum[c] += w * sign * slot->q[c];
		}
		for (int c = 0; c < 9; c++) {
			stretch[c] += w * (slot->stretch[c] - (c % 4 == 0));
		}
	}
	const double length = sqrt(snw_quat_dot(sum, sum));
	for (int c = 0; c < 8; c++) {
		blended[c] = length > 0 ? sum[c] / length : 0;
	}
}

/* 2 (w d − d_w r + r × d), for real part (r, w) and dual part (d, d_w). */
static void translation_of(const double q[8], double translation[3]) {
	const double *r = q, *d = q + 4;
	double cross[3];
	snw_cross3(r, d, cross);
	for (int c = 0; c < 3; c++) {
		translation[c] = 2 * (r[3] * d[c] - d[3] * r[c] + cross[c]);
	}
}

/* x + 2 r × (r × x + w x) + translation, for the stretched x. */
static void blend_dual_quaternion(const snw_program *program, const snw_program_input *input, uint32_t point,
								  cached_slot cache[CACHED_SLOTS], const double x[3], double posed[3]) {
	double q[8], stretch[9], stretched[3], rotated[3], translation[3];
	blended_dual_quaternion(program, input, point, cache, q, stretch);
	for (int r = 0; r < 3; r++) {
		stretched[r] = snw_dot3(stretch + 3 * r, x);
	}
	snw_cross3(q, stretched, rotated);
	for (int c = 0; c < 3; c++) {
		rotated[c] += q[3] * stretched[c];
	}
	snw_cross3(q, rotated, rotated);
	translation_of(q, translation);
	for (int c = 0; c < 3; c++) {
		posed[c] = stretched[c] + 2 * rotated[c] + translation[c];
	}
}

static void blend_point(const snw_program *program, const snw_program_input *input, uint32_t point,
						cached_slot cache[CACHED_SLOTS], const double x[3], double posed[3]) {
	switch (program->blend) {
	case SNW_BLEND_LINEAR:
		blend_linear(program, input, point, x, posed);
		break;
	case SNW_BLEND_AFFINE:
		blend_affine(program, input, point, x, posed);
		break;
	case SNW_BLEND_DUAL_QUATERNION:
		blend_dual_quaternion(program, input, point, cache, x, posed);
		break;
	default:
		memmove(posed, x, 3 * sizeof *posed);
		break;
	}
}

/* position += coefficient · rotation · vector; no rotation is the identity. */
static void add_displacement(double coefficient, const double *rotation, const double vector[3], double position[3]) {
	for (int r = 0; r < 3; r++) {
		position[r] += coefficient * (rotation != NULL ? snw_dot3(rotation + 3 * r, vector) : vector[r]);
	}
}

static const double *displacement_rotation(const snw_displacements *displacements, const snw_program_input *input, uint32_t k) {
	return displacements->joints != NULL && displacements->joints[k] != SNW_NONE ? input->rotations + 9 * (size_t)k : NULL;
}

/* The first entry of displacement k whose point is not before `point`, or its end. */
static uint64_t first_entry(const snw_displacements *displacements, uint32_t k, uint32_t point) {
	uint64_t low = displacements->offsets[k], high = displacements->offsets[k + 1];
	while (low < high) {
		const uint64_t middle = low + (high - low) / 2;
		if (displacements->points[middle] < point) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

/* Σ_k d_k D_k over the points [begin, end). */
static void add_displacements(const snw_displacements *displacements, const snw_program_input *input,
							  const double *coefficients, uint32_t begin, uint32_t end, double *positions) {
	for (uint32_t k = 0; k < displacements->count; k++) {
		const double coefficient = coefficients[displacements->coefficients[k]];
		if (coefficient == 0) {
			continue;
		}
		const double *rotation = displacement_rotation(displacements, input, k);
		const uint64_t last = displacements->offsets[k + 1];
		for (uint64_t j = first_entry(displacements, k, begin); j < last && displacements->points[j] < end; j++) {
			add_displacement(coefficient, rotation, displacements->vectors + 3 * j,
							 positions + 3 * (size_t)displacements->points[j]);
		}
	}
}

/* The entry of displacement k for a point, or its end if it does not move the point. */
static uint64_t find_entry(const snw_displacements *displacements, uint32_t k, uint32_t point) {
	const uint64_t end = displacements->offsets[k + 1], entry = first_entry(displacements, k, point);
	return entry < end && displacements->points[entry] == point ? entry : end;
}

static void add_displacements_at(const snw_displacements *displacements, const snw_program_input *input,
								 const double *coefficients, uint32_t point, double position[3]) {
	for (uint32_t k = 0; k < displacements->count; k++) {
		const double coefficient = coefficients[displacements->coefficients[k]];
		const uint64_t j = coefficient == 0 ? displacements->offsets[k + 1] : find_entry(displacements, k, point);
		if (j < displacements->offsets[k + 1]) {
			add_displacement(coefficient, displacement_rotation(displacements, input, k), displacements->vectors + 3 * j,
							 position);
		}
	}
}

void snw_program_reference_range(const snw_program *program, const snw_program_input *input, uint32_t begin, uint32_t end,
								 const double *points_in, double *points_out) {
	if (begin == end) {
		return;
	}
	const double *from = points_in != NULL ? points_in : program->points_rest;
	memmove(points_out + 3 * (size_t)begin, from + 3 * (size_t)begin, 3 * (size_t)(end - begin) * sizeof *points_out);
	cached_slot cache[CACHED_SLOTS];
	clear_slots(program, cache);
	add_displacements(&program->rest, input, input->d, begin, end, points_out);
	for (uint32_t i = begin; i < end; i++) {
		double *x = points_out + 3 * (size_t)i;
		blend_point(program, input, i, cache, x, x);
	}
	add_displacements(&program->posed, input, input->e, begin, end, points_out);
}

void snw_program_reference(const snw_program *program, const snw_program_input *input, const double *points_in,
						   double *points_out) {
	snw_program_reference_range(program, input, 0, program->point_count, points_in, points_out);
}

void snw_program_reference_at(const snw_program *program, const snw_program_input *input, uint32_t count,
							  const uint32_t *indices, const double *points_in, double *points_out) {
	cached_slot cache[CACHED_SLOTS];
	clear_slots(program, cache);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t point = indices[i];
		double x[3];
		memcpy(x, points_in != NULL ? points_in + 3 * (size_t)i : program->points_rest + 3 * (size_t)point, sizeof x);
		add_displacements_at(&program->rest, input, input->d, point, x);
		blend_point(program, input, point, cache, x, x);
		add_displacements_at(&program->posed, input, input->e, point, x);
		memcpy(points_out + 3 * (size_t)i, x, sizeof x);
	}
}

/* Σ_s w_is T_s */
static void matrix_linear(const snw_program *program, const snw_program_input *input, uint32_t point, double matrix[12]) {
	const point_influences list = influences_of(program, point);
	memset(matrix, 0, 12 * sizeof *matrix);
	for (uint32_t k = list.begin; k < list.end; k++) {
		const double *m = matrix_of(program, input, k);
		for (int c = 0; c < 12; c++) {
			matrix[c] += program->influence_weights[k] * m[c];
		}
	}
}

/* Displacements go through the linear part; the translation is such that the rest itself is mapped as by its rows. */
static void matrix_affine(const snw_program *program, const snw_program_input *input, uint32_t point, double matrix[12]) {
	const double *rest = program->points_rest + 3 * (size_t)point;
	double posed[3], mapped[3];
	blend_affine(program, input, point, rest, posed);
	const point_influences list = influences_of(program, point);
	memset(matrix, 0, 12 * sizeof *matrix);
	for (uint32_t k = list.begin; k < list.end; k++) {
		const double *m = matrix_of(program, input, k), w = program->influence_rows[4 * (size_t)k + 3];
		for (int c = 0; c < 12; c++) {
			matrix[c] += w * m[c];
		}
	}
	snw_mat34_vector(matrix, rest, mapped);
	for (int r = 0; r < 3; r++) {
		matrix[4 * r + 3] = posed[r] - mapped[r];
	}
}

static void matrix_dual_quaternion(const snw_program *program, const snw_program_input *input, uint32_t point,
								   cached_slot cache[CACHED_SLOTS], double matrix[12]) {
	double q[8], stretch[9], translation[3], scaling[12] = {0};
	blended_dual_quaternion(program, input, point, cache, q, stretch);
	for (int r = 0; r < 3; r++) {
		memcpy(scaling + 4 * r, stretch + 3 * r, 3 * sizeof *scaling);
	}
	snw_quat_to_mat34(q, matrix);
	snw_mat34_multiply(matrix, scaling, matrix);
	translation_of(q, translation);
	for (int r = 0; r < 3; r++) {
		matrix[4 * r + 3] = translation[r];
	}
}

void snw_program_reference_matrices(const snw_program *program, const snw_program_input *input, uint32_t count,
									const uint32_t *indices, double *matrices) {
	cached_slot cache[CACHED_SLOTS];
	clear_slots(program, cache);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t point = indices != NULL ? indices[i] : i;
		double *matrix = matrices + 12 * (size_t)i;
		switch (program->blend) {
		case SNW_BLEND_LINEAR:
			matrix_linear(program, input, point, matrix);
			break;
		case SNW_BLEND_AFFINE:
			matrix_affine(program, input, point, matrix);
			break;
		case SNW_BLEND_DUAL_QUATERNION:
			matrix_dual_quaternion(program, input, point, cache, matrix);
			break;
		default:
			snw_mat34_identity(matrix);
			break;
		}
	}
}

void snw_program_reference_normals(const snw_program *program, const snw_program_input *input, const double *normals_rest,
								   double *normals_out) {
	for (uint32_t i = 0; i < program->point_count; i++) {
		const double *n = normals_rest + 3 * (size_t)i;
		double m[12], cofactors[3][3], rotated[3];
		snw_program_reference_matrices(program, input, 1, &i, m);
		for (int r = 0; r < 3; r++) {
			snw_cross3(m + 4 * ((r + 1) % 3), m + 4 * ((r + 2) % 3), cofactors[r]);
		}
		for (int r = 0; r < 3; r++) {
			rotated[r] = snw_dot3(cofactors[r], n);
		}
		const double length = snw_length3(rotated);
		for (int r = 0; r < 3; r++) {
			normals_out[3 * (size_t)i + (size_t)r] = length > 0 ? rotated[r] / length : 0;
		}
	}
}
