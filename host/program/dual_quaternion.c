/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrices as dual quaternions, and the signs with which they blend.
 */
#include "program/program.h"
#include "sinew/algebra.h"

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
