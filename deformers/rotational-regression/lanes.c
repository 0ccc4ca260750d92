/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What runs at each redraw: joints and gradients, side by side. This file is compiled once for each instruction set, with
 * LANE_KERNELS and LANE_KERNELS_NAME.
 */
#include <string.h>

#include "rotational-regression/lanes.h"
#include "rotational-regression/vectors.h"
#include "sinew/algebra.h"

/* ---- joints -------------------------------------------------------------------------------------------------------------- */

/* The joints of a pose, side by side. */

/* Number `at` of four items. */
ALWAYS_INLINE row gather_row(const double *const from[4], int at) {
	return (row){from[0][at], from[1][at], from[2][at], from[3][at]};
}

ALWAYS_INLINE row dot_rows(const row a[3], const row b[3]) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

ALWAYS_INLINE row root_of(row squares) {
	row roots;
#pragma GCC unroll 4
	for (int i = 0; i < 4; i++) {
		roots[i] = sqrt(squares[i]);
	}
	return roots;
}

/* Numbers `at` to `at` + 3 of four items, a row for each number. */
ALWAYS_INLINE void gather_rows(const double *const from[4], int at, row dest[4]) {
	for (int i = 0; i < 4; i++) {
		dest[i] = *(const row *)(from[i] + at);
	}
	transpose_rows(dest);
}

/* Where the matrices of four joints mirror, or have no rotation. */
__attribute__((cold, noinline)) static void find_odd_rotations(const double *const m[4], row columns[3][3]) {
	for (int i = 0; i < 4; i++) {
		double rotation[9];
		snw_mat34_rotation(m[i], rotation);
		for (int k = 0; k < 9; k++) {
			columns[k % 3][k / 3][i] = rotation[k];
		}
	}
}

/* The rotations in the matrices of four joints, as snw_mat34_rotation finds them. By columns. */
ALWAYS_INLINE void find_rotations(const double *const m[4], row columns[3][3]) {
	row *x = columns[0], *y = columns[1], *z = columns[2], third[3];
	for (int r = 0; r < 3; r++) {
		row numbers[4];
		gather_rows(m, 4 * r, numbers);
		x[r] = numbers[0];
		y[r] = numbers[1];
		third[r] = numbers[2];
	}
	const row length = 1 / root_of(dot_rows(x, x));
	for (int r = 0; r < 3; r++) {
		x[r] *= length;
	}
	const row along = dot_rows(x, y), square = dot_rows(y, y) - along * along, height = 1 / root_of(square);
	for (int r = 0; r < 3; r++) {
		y[r] = (y[r] - along * x[r]) * height;
	}
	for (int r = 0; r < 3; r++) {
		z[r] = x[(r + 1) % 3] * y[(r + 2) % 3] - x[(r + 2) % 3] * y[(r + 1) % 3];
	}
	const truths fine = (square > 1e-6 * along * along) & (dot_rows(z, third) > 0);
	if (!(fine[0] & fine[1] & fine[2] & fine[3])) {
		find_odd_rotations(m, columns);
	}
}

/* Four joints: their rotations away from rest, and vectors in the axes of the rest space. */
ALWAYS_INLINE void pose_four(const regressed_joint *const joints[4], const double *const globals[4],
							 const double *const vectors[4], posed_joint *const posed[4]) {
	const double *axes[4];
	row columns[3][3], a[9], vector[3], numbers[12];
	for (int i = 0; i < 4; i++) {
		axes[i] = joints[i]->axes;
	}
	gather_rows(axes, 0, a);
	gather_rows(axes, 4, a + 4);
	a[8] = gather_row(axes, 8);
	for (int c = 0; c < 3; c++) {
		vector[c] = gather_row(vectors, c);
	}
	find_rotations(globals, columns);
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			numbers[3 * r + c] = columns[0][r] * a[3 * c] + columns[1][r] * a[3 * c + 1] + columns[2][r] * a[3 * c + 2];
		}
		numbers[9 + r] = dot_rows(a + 3 * r, vector);
	}
	for (int n = 0; n < 12; n += 4) {
		transpose_rows(numbers + n);
		for (int i = 0; i < 4; i++) {
			memcpy((double *)posed[i] + n, &numbers[n + i], sizeof(row)); /* the rotation, then the vector */
		}
	}
	for (int i = 0; i < 4; i++) {
		const four last = __builtin_convertvector(numbers[8 + i], four); /* a number of the rotation, then the vector */
		memcpy(posed[i]->features + 8, &last, sizeof last);
	}
}

/* φ, before the vector as floats, which is there. φ is 0 for joints that bend nothing. */
ALWAYS_INLINE void find_features(uint32_t kind, const regressed_joint *const joints[WIDTH], posed_joint *const posed[WIDTH]) {
	const float *from[WIDTH];
	lanes last[4], quaternions[4], numbers[12] = {{0}};
	for (int i = 0; i < WIDTH; i++) {
		from[i] = posed[i]->features + 8;
	}
	gather_lanes(from, last);
	if (kind == FEATURES_MATRICES) {
		find_exponentials(last + 1, quaternions);
		matrices_less_identity(quaternions, numbers);
	} else {
		memcpy(numbers, last + 1, 3 * sizeof *last);
	}
	memcpy(numbers + 9, last + 1, 3 * sizeof *last);
	for (int n = 0; n < 12; n += 4) {
		transpose_lanes(numbers + n);
		for (int i = 0; i < 4; i++) {
			four parts[WIDTH / 4];
			split_lanes(numbers[n + i], parts);
			for (int p = 0; p < WIDTH / 4; p++) {
				memcpy(posed[i + 4 * p]->features + n, &parts[p], sizeof(four));
			}
		}
	}
	for (int i = 0; i < WIDTH; i++) {
		if (!joints[i]->bends) {
			memset(posed[i]->features, 0, 9 * sizeof *posed[i]->features);
		}
	}
}

/* Joint n, or again the last: to work on it again gives the same. */
ALWAYS_INLINE size_t joint_at(uint32_t n, uint32_t count) {
	return n < count ? n : count - 1;
}

/* In two rounds, in each of which no joint waits for another. */
static void pose_side_by_side(uint32_t features, uint32_t count, const regressed_joint *joints, const snw_pose_view *pose,
							  posed_joint *posed) {
	const regressed_joint *from[WIDTH];
	posed_joint *to[WIDTH];
	for (uint32_t first = 0; first < count; first += 4) {
		const double *globals[4], *vectors[4];
		for (uint32_t i = 0; i < 4; i++) {
			const size_t j = joint_at(first + i, count);
			from[i] = &joints[j];
			to[i] = &posed[j];
			globals[i] = pose->global + 12 * j;
			vectors[i] = pose->rotation_vectors + 3 * j;
		}
		pose_four(from, globals, vectors, to);
	}
	for (uint32_t first = 0; first < count; first += WIDTH) {
		for (uint32_t i = 0; i < WIDTH; i++) {
			from[i] = &joints[joint_at(first + i, count)];
			to[i] = &posed[joint_at(first + i, count)];
		}
		find_features(features, from, to);
	}
}

/* ---- gradients ----------------------------------------------------------------------------------------------------------- */

/* Gradients from the joints of a pose, side by side. */

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

/* ---- both ---------------------------------------------------------------------------------------------------------------- */

extern const lane_kernels LANE_KERNELS;
const lane_kernels LANE_KERNELS = {.name = LANE_KERNELS_NAME, .pose = pose_side_by_side, .predict = predict_side_by_side};
