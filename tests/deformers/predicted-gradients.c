/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The gradients that rotational regression predicts in lanes and floats are those of its formula, also for joints that have rotated
 * several times. The joints that a gradient may depend on begin with those that move its points.
 */
#include "check.h"
#include "random.h"
#include "rotational-regression/fit.h"
#include "sinew/algebra.h"

enum { CHAIN = 6, ROUNDS = 200 };

/* A chain; joint 0 is its root. */
static void make_joints(uint64_t *random, double angle, regressed_joint *joints, posed_joint *posed) {
	for (uint32_t j = 0; j < CHAIN; j++) {
		double vector[3], quaternion[4], matrix[12];
		joints[j] = (regressed_joint){.parent = j > 0 ? j - 1 : SNW_NONE, .bends = 1};
		for (int c = 0; c < 3; c++) {
			vector[c] = random_between(random, -1, 1);
			posed[j].vector[c] = angle * random_between(random, -1, 1);
		}
		snw_quat_from_rotation_vector(vector, quaternion);
		snw_quat_to_mat34(quaternion, matrix);
		for (int i = 0; i < 9; i++) {
			posed[j].rotation[i] = matrix[4 * (i / 3) + i % 3];
			posed[j].features[i] = (float)random_between(random, -1, 1);
		}
	}
}

static predictor make_predictor(uint64_t *random, uint32_t joint_count) {
	predictor made = {.joint_count = joint_count};
	for (uint32_t k = 0; k < joint_count; k++) {
		made.joints[k] = (2 * k + joint_count) % CHAIN;
		made.is_above[k] = k > 0 && random_between(random, 0, 1) < 0.5;
		for (int i = 0; i < 9; i++) {
			made.rotations[i][k] = (float)random_between(random, -0.6, 0.6);
		}
	}
	for (size_t i = 0; i < (size_t)9 * SHEAR_COLUMNS; i++) {
		made.shear[i / 9][i % 9] = (float)random_between(random, -0.1, 0.1);
	}
	return made;
}

/* Q exp(u W θ) … (I + H φ), as it is written. */
static void expected_gradient(uint32_t kind, const regressed_joint *joints, const posed_joint *posed, const predictor *from,
							  double gradient[9]) {
	double product[4] = {0, 0, 0, 1}, matrix[12], shear[12] = {0}, parent[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
	float features[SHEAR_COLUMNS];
	for (uint32_t k = 0; k < from->joint_count; k++) {
		double vector[3] = {0}, factor[4];
		for (int i = 0; i < 9; i++) {
			vector[i / 3] += (double)from->rotations[i][k] * posed[from->joints[k]].vector[i % 3];
		}
		snw_quat_from_rotation_vector(vector, factor);
		snw_quat_multiply(from->is_above[k] ? factor : product, from->is_above[k] ? product : factor, product);
	}
	snw_quat_to_mat34(product, matrix);
	shear_features(kind, joints, posed, from, features);
	for (int i = 0; i < 9; i++) {
		shear[4 * (i / 3) + i % 3] = i % 4 == 0;
		for (int k = 0; k < SHEAR_COLUMNS; k++) {
			shear[4 * (i / 3) + i % 3] += (double)from->shear[k][i] * (double)features[k];
		}
	}
	if (from->joint_count > 0 && joints[from->joints[0]].parent != SNW_NONE) {
		for (int i = 0; i < 9; i++) {
			parent[4 * (i / 3) + i % 3] = posed[joints[from->joints[0]].parent].rotation[i];
		}
	}
	snw_mat34_multiply(matrix, shear, shear);
	snw_mat34_multiply(parent, shear, shear);
	for (int i = 0; i < 9; i++) {
		gradient[i] = shear[4 * (i / 3) + i % 3];
	}
}

static void must_agree(uint32_t kind, uint32_t joint_count, double angle, uint64_t *random) {
	regressed_joint joints[CHAIN];
	posed_joint posed[CHAIN];
	double found[9], expected[9];
	make_joints(random, angle, joints, posed);
	const predictor from = make_predictor(random, joint_count);
	predict_gradient(kind, joints, posed, &from, found);
	expected_gradient(kind, joints, posed, &from, expected);
	for (int i = 0; i < 9; i++) {
		assert_true(fabs(found[i] - expected[i]) < 1e-5);
	}
}

static void gradients_are_those_of_the_formula(void **state) {
	(void)state;
	static const double angles[] = {0, 1e-6, 0.5, 3, 20};
	uint64_t random = random_seed();
	for (int round = 0; round < ROUNDS; round++) {
		for (uint32_t joint_count = 0; joint_count <= MOST_JOINTS; joint_count++) {
			for (size_t a = 0; a < sizeof angles / sizeof *angles; a++) {
				must_agree(FEATURES_MATRICES, joint_count, angles[a], &random);
				must_agree(FEATURES_VECTORS, joint_count, angles[a], &random);
			}
		}
	}
}

/* A root with more children than there are candidates: two points follow it, and two of its last children less. */
static void joints_that_move_points_are_candidates_before_those_beside_them(void **state) {
	(void)state;
	enum { BONES = 60 };
	regressed_joint joints[BONES];
	uint32_t slot_joints[BONES];
	for (uint32_t j = 0; j < BONES; j++) {
		joints[j] = (regressed_joint){.parent = j > 0 ? 0 : SNW_NONE, .bends = 1};
		slot_joints[j] = j;
	}
	const uint32_t offsets[] = {0, 2, 4}, slots[] = {0, 58, 59, 0};
	const double influence[] = {0.9, 0.1, 0.4, 0.6};
	const snw_model model = {.joint_count = BONES, .joints = joints};
	const snw_character_view character = {.slot_count = BONES, .slot_joints = slot_joints};
	const snw_fit_input input = {.character = &character};
	regressed_mesh mesh = {.skin = {.point_count = 2, .offsets = offsets, .slots = slots, .weights = influence}};
	const mesh_fit fit = {.input = &input, .model = &model, .dest = &mesh};
	double weights[BONES] = {0};
	joint_candidates found;
	add_weights(&fit, 0, weights);
	add_weights(&fit, 1, weights);
	choose_candidates(&fit, weights, &found);
	assert_int_equal(found.count, MOST_CANDIDATES);
	assert_int_equal(found.joints[0], 0);
	assert_int_equal(found.joints[1], 59);
	assert_int_equal(found.joints[2], 58);
	assert_int_equal(found.joints[3], 1);
	for (uint32_t j = 0; j < BONES; j++) {
		assert_true(weights[j] == 0);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(gradients_are_those_of_the_formula),
									   cmocka_unit_test(joints_that_move_points_are_candidates_before_those_beside_them)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
