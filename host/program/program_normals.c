/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normals of a program: the rest normals with their displacements, through a separate palette and the influences of the
 * points (Kavan et al. 2007, sections 4.1 and 4.2: a second set of transformations, for normals).
 */
#include <math.h>
#include <string.h>

#include "program/program_normals.h"
#include "sinew/algebra.h"
#include "task/parallel.h"

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
