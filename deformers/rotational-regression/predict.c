/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A gradient from the joints of a pose. This runs at each redraw for all key gradients, so numbers that do not depend on where the
 * character is are floats: the factors exp(u W θ), a joint a lane, and H φ, a column of H at a time.
 */
#include <math.h>
#include <string.h>

#include "rotational-regression/rotational-regression.h"
#include "sinew/algebra.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef float four __attribute__((vector_size(16), may_alias, aligned(4)));
typedef double row __attribute__((vector_size(32)));
typedef float eight __attribute__((vector_size(32), may_alias, aligned(4)));

/* ---- rotations --------------------------------------------------------------------------------------------------------------- */

/* The unit quaternions of four rotation vectors, by coordinate. Half the angle is reduced to at most a quarter turn; from there Taylor's
 * series are exact to a float. */
ALWAYS_INLINE void exponentials(const four v[3], four quaternions[4]) {
	const float pi_high = 3.140625F, pi_low = 9.67653589793e-4F; /* the first has few digits, so its multiples are exact */
	const float rounds = 12582912;                               /* added and taken away again, leaves a whole number */
	const four squares = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
	four angles;
	for (int i = 0; i < 4; i++) {
		angles[i] = sqrtf(squares[i]) + 1e-12F;
	}
	const four full_turns = (angles * 0.159154943F + rounds) - rounds;
	const four odd = full_turns - 2 * ((full_turns * 0.5F - 0.25F + rounds) - rounds), sign = 1 - 2 * odd;
	const four r = (angles * 0.5F - full_turns * pi_high) - full_turns * pi_low, s = r * r;
	const four sine = r * (1 - s * (1 / 6.F - s * (1 / 120.F - s * (1 / 5040.F - s * (1 / 362880.F - s * (1 / 39916800.F))))));
	const four cosine =
		1 - s * (1 / 2.F - s * (1 / 24.F - s * (1 / 720.F - s * (1 / 40320.F - s * (1 / 3628800.F - s * (1 / 479001600.F))))));
	const four scale = sign * sine / angles;
	for (int c = 0; c < 3; c++) {
		quaternions[c] = v[c] * scale;
	}
	quaternions[3] = sign * cosine;
}

void rotate_by_vectors(const double *const vectors[4], double (*quaternions)[4]) {
	four v[3], q[4];
	for (int i = 0; i < 4; i++) {
		for (int c = 0; c < 3; c++) {
			v[c][i] = (float)vectors[i][c];
		}
	}
	exponentials(v, q);
	for (int i = 0; i < 4; i++) {
		for (int c = 0; c < 4; c++) {
			quaternions[i][c] = (double)q[c][i];
		}
	}
}

/* exp(u W θ) of the predictor's joints, a lane each. */
ALWAYS_INLINE void find_factors(const posed_joint *posed, const predictor *from, four factors[4]) {
	const four *rotations = (const four *)from->rotations;
	four v[3] = {{0}, {0}, {0}}, images[3];
	for (uint32_t k = 0; k < from->joint_count; k++) {
		const double *vector = posed[from->joints[k]].vector;
		for (int c = 0; c < 3; c++) {
			v[c][k] = (float)vector[c];
		}
	}
	for (int r = 0; r < 3; r++) {
		images[r] = rotations[3 * r] * v[0] + rotations[3 * r + 1] * v[1] + rotations[3 * r + 2] * v[2];
	}
	exponentials(images, factors);
}

ALWAYS_INLINE void multiply_factors(const posed_joint *posed, const predictor *from, double rotation[4]) {
	four factors[4];
	find_factors(posed, from, factors);
	for (int c = 0; c < 4; c++) {
		rotation[c] = (double)factors[c][0]; /* the identity without joints */
	}
	for (uint32_t k = 1; k < from->joint_count; k++) {
		const double factor[4] = {(double)factors[0][k], (double)factors[1][k], (double)factors[2][k], (double)factors[3][k]};
		snw_quat_multiply(from->is_above[k] ? factor : rotation, from->is_above[k] ? rotation : factor, rotation);
	}
}

void predict_rotation(const posed_joint *posed, const predictor *from, double rotation[4]) {
	multiply_factors(posed, from, rotation);
}

/* ---- scale and shear --------------------------------------------------------------------------------------------------------- */

void shear_features(uint32_t kind, const regressed_joint *joints, const posed_joint *posed, const predictor *from,
					float features[SHEAR_COLUMNS]) {
	const uint32_t parent = from->joint_count > 0 ? joints[from->joints[0]].parent : SNW_NONE;
	const uint32_t count = kind == FEATURES_VECTORS && from->joint_count > 0 ? 1 : from->joint_count;
	memset(features, 0, SHEAR_COLUMNS * sizeof *features);
	if (parent != SNW_NONE) {
		memcpy(features + 9 * (size_t)MOST_JOINTS, posed[parent].features, sizeof posed->features);
	}
	for (uint32_t k = 0; k < count; k++) {
		if (from->joints[k] != parent) {
			memcpy(features + 9 * (size_t)k, posed[from->joints[k]].features, sizeof posed->features);
		}
	}
	features[SHEAR_COLUMNS - 1] = 1;
}

/* Adds nine columns of H times the features of a joint, in two sums that do not wait for each other. */
ALWAYS_INLINE void add_columns(const float (*columns)[9], const float features[9], eight sums[2], float lasts[2]) {
	for (int k = 0; k < 8; k += 2) {
		sums[0] += *(const eight *)columns[k] * features[k];
		sums[1] += *(const eight *)columns[k + 1] * features[k + 1];
		lasts[0] += columns[k][8] * features[k];
		lasts[1] += columns[k + 1][8] * features[k + 1];
	}
	sums[0] += *(const eight *)columns[8] * features[8];
	lasts[0] += columns[8][8] * features[8];
}

/* I + H φ. */
ALWAYS_INLINE void find_shear(uint32_t kind, const regressed_joint *joints, const posed_joint *posed, const predictor *from,
							  row shear[3]) {
	const uint32_t parent = from->joint_count > 0 ? joints[from->joints[0]].parent : SNW_NONE;
	const uint32_t count = kind == FEATURES_VECTORS && from->joint_count > 0 ? 1 : from->joint_count;
	const float *constant = from->shear[SHEAR_COLUMNS - 1];
	eight sums[2] = {*(const eight *)constant, {0}};
	float lasts[2] = {constant[8], 0};
	for (uint32_t k = 0; k < count; k++) {
		if (from->joints[k] != parent) {
			add_columns(from->shear + 9 * (size_t)k, posed[from->joints[k]].features, sums, lasts);
		}
	}
	if (parent != SNW_NONE) {
		add_columns(from->shear + 9 * (size_t)MOST_JOINTS, posed[parent].features, sums, lasts);
	}
	sums[0] += sums[1];
	for (int r = 0; r < 3; r++) {
		const float last = r < 2 ? sums[0][3 * r + 2] : lasts[0] + lasts[1];
		shear[r] = (row){(double)sums[0][3 * r] + (r == 0), (double)sums[0][3 * r + 1] + (r == 1), (double)last + (r == 2)};
	}
}

/* ---- gradients --------------------------------------------------------------------------------------------------------------- */

/* dest = a · b. `stride` is that of a's rows; b's and dest's have a fourth number that is not used. */
ALWAYS_INLINE void multiply3(const double *a, int stride, const row b[3], row dest[3]) {
	for (int r = 0; r < 3; r++) {
		const double *from = a + stride * r;
		dest[r] = from[0] * b[0] + from[1] * b[1] + from[2] * b[2];
	}
}

ALWAYS_INLINE void predict(uint32_t kind, const regressed_joint *joints, const posed_joint *posed, const predictor *from,
						   double gradient[9]) {
	const uint32_t parent = from->joint_count > 0 ? joints[from->joints[0]].parent : SNW_NONE;
	double quaternion[4], matrix[12];
	row shear[3], local[3], global[3];
	multiply_factors(posed, from, quaternion);
	find_shear(kind, joints, posed, from, shear);
	snw_quat_to_mat34(quaternion, matrix);
	multiply3(matrix, 4, shear, local);
	if (parent == SNW_NONE) {
		memcpy(global, local, sizeof global);
	} else {
		multiply3(posed[parent].rotation, 3, local, global);
	}
	for (int i = 0; i < 9; i++) {
		gradient[i] = global[i / 3][i % 3];
	}
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void predict_avx2(uint32_t kind, const regressed_joint *joints, const posed_joint *posed,
														 const predictor *from, double gradient[9]) {
	predict(kind, joints, posed, from, gradient);
}
#endif

void predict_gradient(uint32_t kind, const regressed_joint *joints, const posed_joint *posed, const predictor *from,
					  double gradient[9]) {
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2")) {
		predict_avx2(kind, joints, posed, from, gradient);
		return;
	}
#endif
	predict(kind, joints, posed, from, gradient);
}
