/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of a gradient, for the fit. What runs is in lanes/.
 */
#include <string.h>

#include "rotational-regression/lanes/vectors.h"
#include "rotational-regression/rotational-regression.h"
#include "sinew/algebra.h"

void predict_rotation(const posed_joint *posed, const predictor *from, double rotation[4]) {
	lanes images[3] = {{0}}, factors[4];
	for (uint32_t k = 0; k < from->joint_count; k++) {
		const float *vector = posed[from->joints[k]].features + 9;
		for (int r = 0; r < 3; r++) {
			images[r][k] = from->rotations[3 * r][k] * vector[0] + from->rotations[3 * r + 1][k] * vector[1] +
						   from->rotations[3 * r + 2][k] * vector[2];
		}
	}
	find_exponentials(images, factors);
	for (int c = 0; c < 4; c++) {
		rotation[c] = (double)factors[c][0]; /* the identity without joints */
	}
	for (uint32_t k = 1; k < from->joint_count; k++) {
		const double factor[4] = {(double)factors[0][k], (double)factors[1][k], (double)factors[2][k], (double)factors[3][k]};
		snw_quat_multiply(from->is_above[k] ? factor : rotation, from->is_above[k] ? rotation : factor, rotation);
	}
}

void shear_features(uint32_t kind, const regressed_joint *joints, const posed_joint *posed, const predictor *from,
					float features[SHEAR_COLUMNS]) {
	const uint32_t parent = from->joint_count > 0 ? joints[from->joints[0]].parent : SNW_NONE;
	const uint32_t count = kind == FEATURES_VECTORS && from->joint_count > 0 ? 1 : from->joint_count;
	memset(features, 0, SHEAR_COLUMNS * sizeof *features);
	if (parent != SNW_NONE) {
		memcpy(features + 9 * (size_t)MOST_JOINTS, posed[parent].features, 9 * sizeof *features);
	}
	for (uint32_t k = 0; k < count; k++) {
		if (from->joints[k] != parent) {
			memcpy(features + 9 * (size_t)k, posed[from->joints[k]].features, 9 * sizeof *features);
		}
	}
	features[SHEAR_COLUMNS - 1] = 1;
}
