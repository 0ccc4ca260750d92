/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The gradients that rotational regression predicts in lanes and floats are those of its formula, also for joints that have
 * rotated several times, and so are the joints of a pose. The joints that a gradient may depend on begin with those that move
 * its points.
 */
#include "check.h"
#include "random.h"
#include "rotational-regression/fit.h"
#include "rotational-regression/lanes.h"
#include "services/services.h"
#include "sinew/algebra.h"

enum { CHAIN = 6, ROUNDS = 60 };

/* A chain; joint 0 is its root. */
static void make_joints(uint64_t *random, double angle, regressed_joint *joints, posed_joint *posed) {
	for (uint32_t j = 0; j < CHAIN; j++) {
		double vector[3], quaternion[4], matrix[12];
		joints[j] = (regressed_joint){.parent = j > 0 ? j - 1 : SNW_NONE, .bends = 1};
		for (int c = 0; c < 3; c++) {
			vector[c] = random_between(random, -1, 1);
			posed[j].vector[c] = angle * random_between(random, -1, 1);
			posed[j].features[9 + c] = (float)posed[j].vector[c];
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

static void must_be_near(uint32_t kind, double angle, const regressed_joint *joints, const posed_joint *posed, uint32_t count,
						 const predictor *predictors, const double (*found)[9]) {
	for (uint32_t p = 0; p < count; p++) {
		double expected[9];
		expected_gradient(kind, joints, posed, &predictors[p], expected);
		for (int i = 0; i < 9; i++) {
			assert_true(fabs(found[p][3 * (i % 3) + i / 3] - expected[i]) < 1e-6 * fmax(1, angle));
		}
	}
}

/* Predictors, of which the last do not fill their group, with each instruction set. */
static void must_agree(uint32_t kind, double angle, uint64_t *random) {
	enum { COUNT = 2 * LANES - 3 };
	regressed_joint joints[CHAIN];
	posed_joint posed[CHAIN];
	predictor predictors[COUNT];
	double found[COUNT][9];
	make_joints(random, angle, joints, posed);
	for (uint32_t p = 0; p < COUNT; p++) {
		predictors[p] = make_predictor(random, (p + 1) % (MOST_JOINTS + 1));
	}
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	snw_pool pool = snw_pool_open(snw_services_host(services));
	const snw_model model = {.features = kind, .joint_count = CHAIN, .joints = joints};
	const regressed_mesh mesh = {.predictor_count = COUNT, .groups = group_predictors(&model, COUNT, predictors, &pool)};
	assert_non_null(mesh.groups);
	write_key_gradients(&mesh, posed, found[0]);
	must_be_near(kind, angle, joints, posed, COUNT, predictors, (const double(*)[9])found);
	uint32_t kernel_count;
	const lane_kernels *const *kernels = lane_kernels_available(&kernel_count);
	for (uint32_t n = 0; n < kernel_count; n++) {
		kernels[n]->predict(posed, &mesh.groups[0], LANES, found);
		kernels[n]->predict(posed, &mesh.groups[1], COUNT - LANES, found + LANES);
		must_be_near(kind, angle, joints, posed, COUNT, predictors, (const double(*)[9])found);
	}
	snw_pool_release(&pool);
	snw_services_destroy(services);
}

static void gradients_are_those_of_the_formula(void **state) {
	(void)state;
	static const double angles[] = {0, 1e-6, 0.5, 3, 20};
	uint64_t random = random_seed();
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t a = 0; a < sizeof angles / sizeof *angles; a++) {
			must_agree(FEATURES_MATRICES, angles[a], &random);
			must_agree(FEATURES_VECTORS, angles[a], &random);
		}
	}
}

/* What a predictor does not read is not kept. */
static void a_group_gives_its_predictors_back(void **state) {
	(void)state;
	uint64_t random = random_seed();
	regressed_joint joints[CHAIN];
	posed_joint posed[CHAIN];
	predictor predictors[LANES], found;
	make_joints(&random, 1, joints, posed);
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	snw_pool pool = snw_pool_open(snw_services_host(services));
	const snw_model model = {.joint_count = CHAIN, .joints = joints};
	for (uint32_t p = 0; p < LANES; p++) {
		predictors[p] = make_predictor(&random, p % (MOST_JOINTS + 1));
		const uint32_t parent = predictors[p].joint_count > 0 ? joints[predictors[p].joints[0]].parent : SNW_NONE;
		for (uint32_t k = 0; k <= MOST_JOINTS; k++) {
			const int is_read =
				k == MOST_JOINTS ? parent != SNW_NONE : k < predictors[p].joint_count && predictors[p].joints[k] != parent;
			memset(predictors[p].shear[9 * k], 0, is_read ? 0 : 9 * sizeof *predictors[p].shear);
		}
	}
	const predictor_group *group = group_predictors(&model, LANES, predictors, &pool);
	assert_non_null(group);
	for (uint32_t p = 0; p < LANES; p++) {
		read_predictor(group, p, &found);
		assert_memory_equal(&found, &predictors[p], sizeof found);
	}
	snw_pool_release(&pool);
	snw_services_destroy(services);
}

/* ---- joints -------------------------------------------------------------------------------------------------------------- */

enum { BONES = 2 * LANES + 3 };

/* Joints that are scaled, that mirror, and that have no rotation, among others. */
static void make_pose(uint64_t *random, double angle, regressed_joint *joints, double *globals, double *vectors) {
	for (uint32_t j = 0; j < BONES; j++) {
		double vector[3], quaternion[4], axes[12];
		for (int c = 0; c < 3; c++) {
			vector[c] = random_between(random, -2, 2);
			vectors[3 * j + (uint32_t)c] = angle * random_between(random, -1, 1);
		}
		snw_quat_from_rotation_vector(vector, quaternion);
		snw_quat_to_mat34(quaternion, axes);
		joints[j] = (regressed_joint){.parent = j > 0 ? j - 1 : SNW_NONE, .bends = j % 7 != 2};
		for (int i = 0; i < 12; i++) {
			const double sign = j % 9 == 4 && i % 4 == 1 ? -1 : 1, size = j % 11 == 5 && i % 4 < 3 ? 0 : 0.01 + j;
			joints[j].axes[i % 9] = axes[4 * (i % 9 / 3) + i % 3];
			globals[12 * j + (uint32_t)i] = i % 4 == 3 ? 1e3 : sign * size * axes[4 * (i / 4) + (i % 4 + 1) % 3];
		}
	}
}

static void must_be_posed(uint32_t kind, const regressed_joint *joint, const double global[12], const double vector[3],
						  const posed_joint *posed) {
	double rotation[9], rotated[3], quaternion[4], matrix[12];
	snw_mat34_rotation(global, rotation);
	for (size_t r = 0; r < 3; r++) {
		rotated[r] = snw_dot3(joint->axes + 3 * r, vector);
		assert_true(fabs(posed->vector[r] - rotated[r]) < 1e-13);
		assert_true(posed->features[9 + r] == (float)posed->vector[r]);
		for (size_t c = 0; c < 3; c++) {
			assert_true(fabs(posed->rotation[3 * r + c] - snw_dot3(rotation + 3 * r, joint->axes + 3 * c)) < 1e-13);
		}
	}
	snw_quat_from_rotation_vector(rotated, quaternion);
	snw_quat_to_mat34(quaternion, matrix);
	for (int i = 0; i < 9; i++) {
		const double of_vector = i < 3 ? rotated[i] : 0, of_matrix = matrix[4 * (i / 3) + i % 3] - (i % 4 == 0);
		const double expected = !joint->bends ? 0 : kind == FEATURES_VECTORS ? of_vector : of_matrix;
		assert_true(fabs((double)posed->features[i] - expected) < 2e-6);
	}
}

static void joints_are_posed_alike_side_by_side(void **state) {
	(void)state;
	static const double angles[] = {0, 1e-6, 0.5, 3};
	uint64_t random = random_seed();
	regressed_joint joints[BONES];
	double globals[12 * BONES], vectors[3 * BONES];
	posed_joint posed[BONES];
	uint32_t kernel_count;
	const lane_kernels *const *kernels = lane_kernels_available(&kernel_count);
	for (uint32_t count = 1; count <= BONES; count++) {
		for (size_t a = 0; a < sizeof angles / sizeof *angles; a++) {
			const uint32_t kind = count % 2 ? FEATURES_MATRICES : FEATURES_VECTORS;
			make_pose(&random, angles[a], joints, globals, vectors);
			const snw_pose_view pose = {.joint_count = count, .global = globals, .rotation_vectors = vectors};
			for (uint32_t n = 0; n < kernel_count; n++) {
				memset(posed, 0, sizeof posed);
				kernels[n]->pose(kind, count, joints, &pose, posed);
				for (uint32_t j = 0; j < count; j++) {
					must_be_posed(kind, &joints[j], globals + 12 * (size_t)j, vectors + 3 * (size_t)j, &posed[j]);
				}
			}
		}
	}
}

/* ---- candidates ---------------------------------------------------------------------------------------------------------- */

/* A root with more children than there are candidates: two points follow it, and two of its last children less. */
static void joints_that_move_points_are_candidates_before_those_beside_them(void **state) {
	(void)state;
	enum { CHILDREN = 60 };
	regressed_joint joints[CHILDREN];
	uint32_t slot_joints[CHILDREN];
	for (uint32_t j = 0; j < CHILDREN; j++) {
		joints[j] = (regressed_joint){.parent = j > 0 ? 0 : SNW_NONE, .bends = 1};
		slot_joints[j] = j;
	}
	const uint32_t offsets[] = {0, 2, 4}, slots[] = {0, 58, 59, 0};
	const double influence[] = {0.9, 0.1, 0.4, 0.6};
	const snw_model model = {.joint_count = CHILDREN, .joints = joints};
	const snw_character_view character = {.slot_count = CHILDREN, .slot_joints = slot_joints};
	const snw_fit_input input = {.character = &character};
	regressed_mesh mesh = {.skin = {.point_count = 2, .offsets = offsets, .slots = slots, .weights = influence}};
	unsigned char is_moved[CHILDREN];
	memset(is_moved, 1, sizeof is_moved);
	const mesh_fit fit = {.input = &input, .model = &model, .dest = &mesh, .is_moved = is_moved};
	double weights[CHILDREN] = {0};
	joint_candidates found;
	add_weights(&fit, 0, weights);
	add_weights(&fit, 1, weights);
	choose_candidates(&fit, 0, weights, &found);
	assert_int_equal(found.count, MOST_CANDIDATES);
	assert_int_equal(found.joints[0], 0);
	assert_int_equal(found.joints[1], 59);
	assert_int_equal(found.joints[2], 58);
	assert_int_equal(found.joints[3], 1);
	for (uint32_t j = 0; j < CHILDREN; j++) {
		assert_true(weights[j] == 0);
	}
}

TEST_GROUP(predicted_gradients) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(gradients_are_those_of_the_formula),
									   cmocka_unit_test(a_group_gives_its_predictors_back),
									   cmocka_unit_test(joints_are_posed_alike_side_by_side),
									   cmocka_unit_test(joints_that_move_points_are_candidates_before_those_beside_them)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
