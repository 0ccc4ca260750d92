/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gradients from the joints of a pose, side by side.
 */
#ifndef SINEW_DEFORMERS_ROTATIONAL_REGRESSION_LANES_PREDICT
#define SINEW_DEFORMERS_ROTATIONAL_REGRESSION_LANES_PREDICT

#include <string.h>

#include "rotational-regression/lanes/vectors.h"

/* For lanes without a joint. */
static const posed_joint still = {.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

ALWAYS_INLINE lanes lanes_at(const float *numbers) {
	return *(const lanes *)numbers;
}

ALWAYS_INLINE void find_joints(const posed_joint *posed, const uint32_t *indices, const posed_joint *joints[WIDTH]) {
	for (int i = 0; i < WIDTH; i++) {
		joints[i] = indices[i] == SNW_NONE ? &still : &posed[indices[i]];
	}
}

/* φ of a joint in each lane, then its vector. */
ALWAYS_INLINE void gather_features(const posed_joint *const joints[WIDTH], lanes features[12]) {
	for (int n = 0; n < 12; n += 4) {
		const float *from[WIDTH];
		for (int i = 0; i < WIDTH; i++) {
			from[i] = joints[i]->features + n;
		}
		gather_lanes(from, features + n);
	}
}

/* Adds H φ of a joint. */
ALWAYS_INLINE void add_shear(const float (*shear)[9][LANES], uint32_t first, const lanes features[9], lanes sums[9]) {
	for (int k = 0; k < 9; k++) {
#pragma GCC unroll 9
		for (int i = 0; i < 9; i++) {
			sums[i] += lanes_at(&shear[k][i][first]) * features[k];
		}
	}
}

/* exp(u W θ). */
ALWAYS_INLINE void find_factor(const float (*rotations)[LANES], uint32_t first, const lanes vector[3], lanes factor[4]) {
	lanes image[3];
	for (int r = 0; r < 3; r++) {
		image[r] = lanes_at(&rotations[3 * r][first]) * vector[0] + lanes_at(&rotations[3 * r + 1][first]) * vector[1] +
				   lanes_at(&rotations[3 * r + 2][first]) * vector[2];
	}
	find_exponentials(image, factor);
}

/* Multiplies a product of rotations by another, on the side of each lane. */
ALWAYS_INLINE void multiply_factor(const float *sides, const lanes factor[4], lanes q[4]) {
	const lanes x = q[0], y = q[1], z = q[2], w = q[3], side = lanes_at(sides);
	q[0] = w * factor[0] + factor[3] * x + side * (y * factor[2] - z * factor[1]);
	q[1] = w * factor[1] + factor[3] * y + side * (z * factor[0] - x * factor[2]);
	q[2] = w * factor[2] + factor[3] * z + side * (x * factor[1] - y * factor[0]);
	q[3] = w * factor[3] - (x * factor[0] + y * factor[1] + z * factor[2]);
}

/* The rotation of a unit quaternion times I + S, row-major. */
ALWAYS_INLINE void rotate_shear(const lanes q[4], const lanes s[9], lanes local[9]) {
	lanes matrix[9];
	matrices_less_identity(q, matrix);
	for (int i = 0; i < 9; i++) {
		const int r = i / 3, c = i % 3;
		local[i] = matrix[3 * r] * s[c] + matrix[3 * r + 1] * s[3 + c] + matrix[3 * r + 2] * s[6 + c] + matrix[i] + s[i];
	}
}

/* D = Q (I + L) of four lanes, by columns. */
ALWAYS_INLINE void rotate_with_parents(const posed_joint *const parents[4], const four local[9], uint32_t count,
									   double (*gradients)[9]) {
	row q[12], l[9], d[9];
	for (int n = 0; n < 12; n++) {
		q[n] = *(const row *)((const double *)parents[n % 4] + n / 4 * 4); /* the rotation, then the vector */
	}
	transpose_rows(q);
	transpose_rows(q + 4);
	transpose_rows(q + 8);
	for (int i = 0; i < 9; i++) {
		l[i] = __builtin_convertvector(local[i], row) + (i % 4 == 0);
	}
	for (int i = 0; i < 9; i++) {
		const int r = i % 3, c = i / 3;
		d[i] = q[3 * r] * l[c] + q[3 * r + 1] * l[3 + c] + q[3 * r + 2] * l[6 + c];
	}
	transpose_rows(d);
	transpose_rows(d + 4);
	for (uint32_t i = 0; i < 4 && i < count; i++) {
		memcpy(gradients[i], &d[i], sizeof *d);
		memcpy(gradients[i] + 4, &d[4 + i], sizeof *d);
		gradients[i][8] = d[8][i];
	}
}

/* The lanes from `first` on. */
ALWAYS_INLINE void predict_lanes(const posed_joint *posed, const predictor_group *group, uint32_t first, uint32_t count,
								 double (*gradients)[9]) {
	const posed_joint *joints[WIDTH];
	lanes rotation[4] = {{0}, {0}, {0}, {0}}, shear[9], local[9], features[MOST_JOINTS + 1][12], factors[MOST_JOINTS][4];
	four parts[WIDTH / 4], by_parts[WIDTH / 4][9];
	rotation[3] += 1;
	for (int i = 0; i < 9; i++) {
		shear[i] = lanes_at(&group->constants[i][first]);
	}
	for (uint32_t k = 0; k < group->most_joints; k++) {
		find_joints(posed, &group->joints[k][first], joints);
		gather_features(joints, features[k]);
	}
	find_joints(posed, &group->joints[MOST_JOINTS][first], joints);
	gather_features(joints, features[MOST_JOINTS]);
	for (uint32_t k = 0; k < group->most_joints; k++) {
		find_factor(group->rotations[k], first, features[k] + 9, factors[k]);
	}
	for (uint32_t k = 0; k < group->most_joints; k++) {
		multiply_factor(&group->sides[k][first], factors[k], rotation);
	}
	for (uint32_t k = 0; k < group->most_joints; k++) {
		add_shear(group->shear[k], first, features[k], shear);
	}
	add_shear(group->shear[MOST_JOINTS], first, features[MOST_JOINTS], shear);
	rotate_shear(rotation, shear, local);
	for (int i = 0; i < 9; i++) {
		split_lanes(local[i], parts);
		for (int p = 0; p < WIDTH / 4; p++) {
			by_parts[p][i] = parts[p];
		}
	}
	for (uint32_t p = 0; p < WIDTH / 4 && 4 * p < count; p++) {
		rotate_with_parents(joints + 4 * p, by_parts[p], count - 4 * p, gradients + 4 * p);
	}
}

static void predict_side_by_side(const posed_joint *posed, const predictor_group *group, uint32_t count,
								 double (*gradients)[9]) {
	for (uint32_t first = 0; first < count; first += WIDTH) {
		predict_lanes(posed, group, first, count - first, gradients + first);
	}
}

#endif
