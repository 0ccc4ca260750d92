/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The joints of a pose, side by side.
 */
#ifndef SINEW_DEFORMERS_ROTATIONAL_REGRESSION_LANES_POSE
#define SINEW_DEFORMERS_ROTATIONAL_REGRESSION_LANES_POSE

#include <string.h>

#include "rotational-regression/lanes/vectors.h"
#include "sinew/algebra.h"

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

#endif
