/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kit's numerics: known answers and properties.
 */
#include "check.h"

#include "random.h"
#include "services/services.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/eigen.h"
#include "sinew/kit/numerics/systems.h"
#include "sinew/kit/pose-space/pose_space.h"

static void check_svd(const double m[9]) {
	snk_svd3 svd;
	snk_svd3_compute(m, &svd);
	double size = 0;
	for (int i = 0; i < 9; i++) {
		size = fmax(size, fabs(m[i]));
	}
	assert_true(svd.s[0] >= svd.s[1] && svd.s[1] >= svd.s[2] && svd.s[2] >= 0);
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			double product = 0, u = 0, v = 0;
			for (int k = 0; k < 3; k++) {
				product += svd.u[3 * r + k] * svd.s[k] * svd.v[3 * c + k];
				u += svd.u[3 * k + r] * svd.u[3 * k + c];
				v += svd.v[3 * k + r] * svd.v[3 * k + c];
			}
			check_near(product, m[3 * r + c], 1e-13 * size);
			check_near(u, r == c, 1e-12);
			check_near(v, r == c, 1e-12);
		}
	}
}

static void quick_inverse_agrees_with_the_singular_values_and_refuses_the_rest(void **state) {
	(void)state;
	uint64_t random = random_seed();
	uint32_t taken = 0, refused = 0;
	for (int n = 0; n < 2000; n++) {
		double m[9], b[3], inverse[9], x[3], condition = 0;
		for (int i = 0; i < 9; i++) {
			m[i] = random_between(&random, -1, 1) * (n % 3 == 2 && i < 3 ? 1e-3 : 1);
		}
		for (int c = 0; c < 3; c++) {
			b[c] = random_between(&random, -1, 1);
		}
		snk_svd3 svd;
		snk_svd3_compute(m, &svd);
		condition = snk_svd3_condition(&svd);
		if (!snk_svd3_inverse(m, 1e-4, 20, inverse)) {
			assert_true(condition > 20 / 3.0);
			refused++;
			continue;
		}
		taken++;
		assert_true(condition <= 20);
		check_near(snk_svd3_condition_of(m), condition, 1e-10 * condition);
		snk_svd3_solve(&svd, 1e-4, 20, b, x);
		for (size_t r = 0; r < 3; r++) {
			check_near(snw_dot3(inverse + 3 * r, b), x[r], 1e-9 * (1 + fabs(x[r])));
		}
	}
	assert_true(taken > 500 && refused > 500);
	/* Properties of every rotation, of any size, and of the zero matrix. */
	const double rotation[9] = {0, -2, 0, 2, 0, 0, 0, 0, 2}, none[9] = {0};
	double inverse[9];
	assert_int_equal(snk_svd3_inverse(rotation, 1e-4, 20, inverse), 1);
	check_near(snk_svd3_condition_of(rotation), 1, 1e-15);
	check_near(inverse[1], 0.5, 1e-15);
	assert_int_equal(snk_svd3_inverse(none, 1e-4, 20, inverse), 0);
	/* Matrices for which the filter or the limit applies are refused. */
	assert_int_equal(snk_svd3_inverse(rotation, 0.1, 20, inverse), 0);
	assert_int_equal(snk_svd3_inverse(rotation, 1e-4, 1, inverse), 0);
}

static void singular_values_rebuild_the_matrix(void **state) {
	(void)state;
	uint64_t random = random_seed();
	static const double known[][9] = {{0},
									  {1, 0, 0, 0, 1, 0, 0, 0, 1},
									  {0, 0, 5, 0, 0, 0, 0, 0, 0},
									  {1, 2, 3, 2, 4, 6, 3, 6, 9},
									  {1e-200, 0, 0, 0, 2e-200, 0, 0, 0, 0},
									  {1e150, 1e150, 0, 0, 1e150, 0, 0, 0, -1e150}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		check_svd(known[i]);
	}
	for (int n = 0; n < 2000; n++) {
		double m[9];
		for (int i = 0; i < 9; i++) {
			m[i] = random_between(&random, -1, 1) * (n % 3 == 0 && i < 3 ? 1e-9 : 1);
		}
		check_svd(m);
	}
}

/* Whatever was in the memory of the result before. */
static void zero_matrix_has_the_same_decomposition_each_time(void **state) {
	(void)state;
	static const double zero[9] = {0}, identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	snk_svd3 svd;
	for (int before = 0; before < 3; before++) {
		svd = (snk_svd3){.u = {before}};
		snk_svd3_compute(zero, &svd);
		assert_memory_equal(svd.u, identity, sizeof svd.u);
	}
}

static void small_singular_values_are_accurate(void **state) {
	(void)state;
	const double rotation_vector[3] = {0.3, -0.7, 1.1};
	double q[4], r[12], m[9];
	snw_quat_from_rotation_vector(rotation_vector, q);
	snw_quat_to_mat34(q, r);
	for (int i = 0; i < 9; i++) {
		m[i] = r[4 * (i / 3) + i % 3] * (i % 3 == 0 ? 2 : i % 3 == 1 ? 1e-3 : 1e-10);
	}
	snk_svd3 svd;
	snk_svd3_compute(m, &svd);
	check_near(svd.s[0], 2, 1e-14);
	check_near(svd.s[1], 1e-3, 1e-16);
	check_near(svd.s[2], 1e-10, 1e-23);
	check_near(snk_svd3_condition(&svd), 2e10, 1);
}

static void solve_is_exact_where_regular_and_short_where_not(void **state) {
	(void)state;
	const double regular[9] = {2, 0.3, 0, -0.1, 1, 0.2, 0, 0.4, 0.8}, b[3] = {1, -2, 0.5};
	double x[3];
	snk_svd3 svd;
	snk_svd3_compute(regular, &svd);
	snk_svd3_solve(&svd, 1e-4, 20, b, x);
	for (int r = 0; r < 3; r++) {
		check_near(regular[3 * r] * x[0] + regular[3 * r + 1] * x[1] + regular[3 * r + 2] * x[2], b[r], 1e-12);
	}
	for (int n = 0; n < 42; n++) {
		const double s = pow(3, -n);
		const double flat[9] = {1, 0, 0, 0, 1, 0, 0, 0, s};
		snk_svd3_compute(flat, &svd);
		snk_svd3_solve(&svd, 1e-4, 20, b, x);
		assert_true(snw_length3(x) <= 20 * snw_length3(b) * (1 + 1e-9));
		check_near(x[0], b[0], s > 0.05 ? 1e-9 : 0.6);
	}
}

static void nearest_rotation_of_a_stretched_one_is_it(void **state) {
	(void)state;
	const double rotation_vector[3] = {1.3, -0.7, 0.4};
	double q[4], r[12], m[9], rotation[9];
	snw_quat_from_rotation_vector(rotation_vector, q);
	snw_quat_to_mat34(q, r);
	const double stretch[9] = {1.5, 0.2, 0, 0.2, 0.9, 0.1, 0, 0.1, 1.1};
	for (int i = 0; i < 9; i++) {
		m[i] = 0;
		for (int k = 0; k < 3; k++) {
			m[i] += r[4 * (i / 3) + k] * stretch[3 * k + i % 3];
		}
	}
	snk_nearest_rotation(m, rotation);
	for (int i = 0; i < 9; i++) {
		check_near(rotation[i], r[4 * (i / 3) + i % 3], 1e-13);
	}
}

/* The distance of two rotations of one joint; also as the i-th of several poses. */
static double rotation_distance(const snk_joint_metric *joint, const double a[3], const double b[3]) {
	const snw_transform still = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	double here[SNK_POSE_FEATURES], there[SNK_POSE_FEATURES], poses[4 * SNK_POSE_FEATURES] = {0}, squares[4];
	snk_pose_features(joint, a, &still, here);
	snk_pose_features(joint, b, &still, there);
	for (int f = 0; f < SNK_POSE_FEATURES; f++) {
		poses[4 * f + 2] = there[f];
	}
	snk_pose_squared_distances(joint, snk_pose_stride(3), poses, here, squares);
	return sqrt(squares[2]);
}

static void rotation_distance_is_the_angle_between(void **state) {
	(void)state;
	const double pi = 3.14159265358979323846;
	uint64_t random = random_seed();
	const snk_joint_metric plain = {.axis = {0, 1, 0}, .swing = 1, .twist = 1};
	snk_joint_metric unwound = plain;
	unwound.unwound = 1;
	for (int n = 0; n < 500; n++) {
		double axis[3] = {random_between(&random, -1, 1), random_between(&random, -1, 1), random_between(&random, -1, 1)};
		snw_normalize3(axis);
		/* Some are near each other. */
		const double first = pi * random_between(&random, -1, 1),
					 second = n % 3 ? pi * random_between(&random, -1, 1) : first + 1e-5 * random_between(&random, -1, 1);
		const double a[3] = {axis[0] * first, axis[1] * first, axis[2] * first};
		const double b[3] = {axis[0] * second, axis[1] * second, axis[2] * second};
		const double around[3] = {axis[0] * (second - 2 * pi), axis[1] * (second - 2 * pi), axis[2] * (second - 2 * pi)};
		const double gap = fabs(first - second);
		check_near(rotation_distance(&plain, a, b), fmin(gap, 2 * pi - gap), 1e-12);
		check_near(rotation_distance(&unwound, a, b), gap, 1e-12);
		check_near(rotation_distance(&plain, a, around), rotation_distance(&plain, a, b), 1e-12);
		assert_true(rotation_distance(&plain, a, a) == 0 && rotation_distance(&unwound, a, a) == 0);
	}
}

static void swing_and_twist_count_by_their_gains(void **state) {
	(void)state;
	uint64_t random = random_seed();
	for (int n = 0; n < 500; n++) {
		snk_joint_metric joint = {
			.axis = {random_between(&random, -1, 1), random_between(&random, -1, 1), random_between(&random, -1, 1)},
			.swing = 2,
			.twist = 0.5};
		double across[3], rotation_vector[3];
		snw_normalize3(joint.axis);
		snw_cross3(joint.axis, (const double[3]){random_between(&random, -1, 1), random_between(&random, -1, 1), 2}, across);
		snw_normalize3(across);
		/* A rotation from rest: its rotation vector across the bone and along it. */
		const double swing = random_between(&random, -1, 1), twist = random_between(&random, -1, 1);
		for (int c = 0; c < 3; c++) {
			rotation_vector[c] = swing * across[c] + twist * joint.axis[c];
		}
		const double expected = sqrt(4 * swing * swing + 0.25 * twist * twist);
		for (joint.unwound = 0; joint.unwound < 2; joint.unwound++) {
			check_near(rotation_distance(&joint, (const double[3]){0, 0, 0}, rotation_vector), expected, 1e-12);
			check_near(rotation_distance(&joint, rotation_vector, (const double[3]){0, 0, 0}), expected, 1e-12);
		}
	}
}

enum { POSES = 6 };

static void random_poses(uint64_t *random, double *coordinates, double *distances) {
	for (int i = 0; i < POSES * 3; i++) {
		coordinates[i] = random_between(random, -1, 1);
	}
	for (size_t a = 0; a < POSES; a++) {
		for (size_t b = 0; b < POSES; b++) {
			double gap[3];
			for (size_t c = 0; c < 3; c++) {
				gap[c] = coordinates[3 * a + c] - coordinates[3 * b + c];
			}
			distances[a * POSES + b] = snw_length3(gap);
		}
	}
}

/* Function k at a pose, from the distances and the coordinates there. */
/* The cone of pose `c` at a place; the first pose is at rest. */
static double cone_at(const snk_rbf *rbf, size_t c, const double *place) {
	double one[3], other[3];
	for (size_t x = 0; x < 3; x++) {
		one[x] = rbf->coordinates[3 * c + x] - rbf->coordinates[x];
		other[x] = place[x] - rbf->coordinates[x];
	}
	return snk_cone_value(rbf->width, snw_dot3(one, one), snw_dot3(other, other), snw_dot3(one, other));
}

static double function_at(const snk_rbf *rbf, const double *weights, size_t k, const double *distances, const double *place) {
	double sum = weights[POSES * POSES + k];
	for (size_t c = 0; c < POSES; c++) {
		sum +=
			weights[c * POSES + k] *
			(rbf->kernel == SNK_KERNEL_CONE ? cone_at(rbf, c, place) : snk_kernel_value(rbf->kernel, rbf->width, distances[c]));
	}
	for (size_t x = 0; rbf->polynomial == SNK_POLYNOMIAL_LINEAR && x < 3; x++) {
		sum += weights[(POSES + 1 + x) * POSES + k] * place[x];
	}
	return sum;
}

static void basis_functions_are_one_at_their_own_pose(void **state) {
	(void)state;
	uint64_t random = random_seed();
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	for (int n = 0; n < 20 * SNK_KERNELS * 3; n++) {
		double coordinates[POSES * 3], distances[POSES * POSES], weights[POSES * (POSES + 4)], reciprocal;
		random_poses(&random, coordinates, distances);
		snk_rbf rbf = {.kernel = (snk_kernel)(n % SNK_KERNELS),
					   .polynomial = (snk_polynomial)(n / SNK_KERNELS % 3),
					   .count = POSES,
					   .distances = distances,
					   .coordinate_count = 3,
					   .coordinates = coordinates};
		rbf.width = snk_rbf_width(&rbf);
		assert_int_equal(snk_rbf_terms(&rbf), POSES + 1 + (rbf.polynomial == SNK_POLYNOMIAL_LINEAR ? 3 : 0));
		assert_int_equal(snk_rbf_solve(snw_services_host(services), &rbf, weights, &reciprocal), SNW_OK);
		for (size_t k = 0; k < POSES; k++) {
			for (size_t at = 0; at < POSES; at++) {
				/* All cones are 0 at rest, so no sum of them is 1 there. */
				const bool is_possible = k > 0 || rbf.kernel != SNK_KERNEL_CONE || rbf.polynomial != SNK_POLYNOMIAL_NONE;
				check_near(function_at(&rbf, weights, k, distances + at * POSES, coordinates + 3 * at), k == at && is_possible,
						   1e-12);
			}
		}
		/* Smoothing does not reproduce the examples. */
		rbf.smoothing = 0.1;
		assert_int_equal(snk_rbf_solve(snw_services_host(services), &rbf, weights, &reciprocal), SNW_OK);
		double furthest = 0;
		for (size_t at = 0; at < POSES; at++) {
			furthest = fmax(furthest, fabs(function_at(&rbf, weights, 0, distances + at * POSES, coordinates + 3 * at) - !at));
		}
		assert_true(furthest > 1e-4);
	}
	snw_services_destroy(services);
}

/* With slopes beside the kernels, functions linear in the coordinates are reproduced everywhere. */
static void linear_data_are_reproduced_between_the_poses(void **state) {
	(void)state;
	uint64_t random = random_seed();
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	for (int n = 0; n < 40; n++) {
		double coordinates[POSES * 3], distances[POSES * POSES], weights[POSES * (POSES + 4)], from[POSES];
		random_poses(&random, coordinates, distances);
		const snk_rbf rbf = {.kernel = (snk_kernel)(n % SNK_KERNELS),
							 .polynomial = SNK_POLYNOMIAL_LINEAR,
							 .width = 3,
							 .count = POSES,
							 .distances = distances,
							 .coordinate_count = 3,
							 .coordinates = coordinates};
		assert_int_equal(snk_rbf_solve(snw_services_host(services), &rbf, weights, NULL), SNW_OK);
		const double slope[3] = {random_between(&random, -1, 1), random_between(&random, -1, 1),
								 random_between(&random, -1, 1)};
		const double place[3] = {random_between(&random, -1, 1), random_between(&random, -1, 1),
								 random_between(&random, -1, 1)};
		double sum = 0;
		for (size_t k = 0; k < POSES; k++) {
			const double *there = coordinates + 3 * k;
			from[k] = sqrt((place[0] - there[0]) * (place[0] - there[0]) + (place[1] - there[1]) * (place[1] - there[1]) +
						   (place[2] - there[2]) * (place[2] - there[2]));
		}
		for (size_t k = 0; k < POSES; k++) {
			sum += function_at(&rbf, weights, k, from, place) * (1 + snw_dot3(slope, coordinates + 3 * k));
		}
		check_near(sum, 1 + snw_dot3(slope, place), 1e-6);
	}
	snw_services_destroy(services);
}

/* Leave-one-out compared with its definition: each example removed, the rest solved, and evaluated at its pose. */
static void left_out_width_is_the_best_of_those_tried(void **state) {
	(void)state;
	enum { COUNT = 9 };
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	double places[COUNT], distances[COUNT * COUNT], gram[(COUNT - 1) * (COUNT - 1)], data[COUNT];
	for (int i = 0; i < COUNT; i++) {
		places[i] = 0.2 * (COUNT - 1 - i); /* the rest is last, and there the data are 0 */
		data[i] = sin(1.5 * places[i]);
	}
	for (int a = 0; a < COUNT; a++) {
		for (int b = 0; b < COUNT; b++) {
			distances[a * COUNT + b] = fabs(places[a] - places[b]);
		}
	}
	for (int i = 0; i < (COUNT - 1) * (COUNT - 1); i++) {
		gram[i] = data[i / (COUNT - 1)] * data[i % (COUNT - 1)];
	}
	const snk_rbf rbf = {.kernel = SNK_KERNEL_GAUSSIAN, .width = 0.1, .count = COUNT, .distances = distances};
	double chosen, errors[2] = {0, 0}, squares[COUNT - 1], sum = 0;
	assert_int_equal(snk_rbf_leave_one_out(snw_services_host(services), &rbf, COUNT - 1, gram, &chosen), SNW_OK);
	for (int which = 0; which < 2; which++) {
		for (int out = 0; out + 1 < COUNT; out++) {
			double remaining[(COUNT - 1) * (COUNT - 1)], weights[COUNT * (COUNT - 1)], predicted = 0;
			for (int i = 0; i < (COUNT - 1) * (COUNT - 1); i++) {
				const int a = i / (COUNT - 1), b = i % (COUNT - 1);
				remaining[i] = distances[(a + (a >= out)) * COUNT + b + (b >= out)];
			}
			const snk_rbf less = {
				.kernel = SNK_KERNEL_GAUSSIAN, .width = which ? chosen : rbf.width, .count = COUNT - 1, .distances = remaining};
			assert_int_equal(snk_rbf_solve(snw_services_host(services), &less, weights, NULL), SNW_OK);
			for (int c = 0; c + 1 < COUNT; c++) {
				const double value = snk_kernel_value(less.kernel, less.width, distances[out * COUNT + c + (c >= out)]);
				for (int k = 0; k + 1 < COUNT; k++) {
					predicted += weights[c * (COUNT - 1) + k] * value * data[k + (k >= out)];
				}
			}
			errors[which] += (predicted - data[out]) * (predicted - data[out]);
		}
	}
	print_message("leave-one-out: width %.3g in place of %.3g, error %.3g in place of %.3g\n", chosen, rbf.width, errors[1],
				  errors[0]);
	assert_true(chosen > rbf.width && errors[1] < 0.1 * errors[0]);
	assert_int_equal(snk_rbf_left_out(snw_services_host(services), &rbf, COUNT - 1, gram, squares), SNW_OK);
	for (int i = 0; i + 1 < COUNT; i++) {
		sum += squares[i];
	}
	check_near(sum, errors[0], 1e-9);
	/* One or two examples are too few. */
	const double two[4] = {1, 0.5, 0.5, 1};
	assert_int_equal(snk_rbf_leave_one_out(snw_services_host(services), &rbf, 2, two, &chosen), SNW_OK);
	assert_true(chosen == rbf.width);
	snw_services_destroy(services);
}

/* A matrix of rank 5: the products of the vectors rebuild it, and all but five are rounding. */
static void eigenvectors_of_a_matrix_of_low_rank_are_orthonormal(void **state) {
	(void)state;
	enum { SIZE = 120, RANK = 5 };
	static double vectors[RANK][SIZE], matrix[SIZE * SIZE], products[SIZE * SIZE], eigenvectors[SIZE * SIZE];
	uint64_t random = random_seed();
	for (int k = 0; k < RANK; k++) {
		for (int i = 0; i < SIZE; i++) {
			vectors[k][i] = random_between(&random, -1, 1);
		}
	}
	for (int i = 0; i < SIZE * SIZE; i++) {
		for (int k = 0; k < RANK; k++) {
			matrix[i] += vectors[k][i / SIZE] * vectors[k][i % SIZE];
		}
	}
	memcpy(products, matrix, sizeof products);
	snk_symmetric_eigen(SIZE, products, eigenvectors);
	int large = 0;
	for (int a = 0; a < SIZE; a++) {
		double squared = 0;
		for (int b = 0; b < SIZE; b++) {
			double rows = 0, rebuilt = 0;
			for (int k = 0; k < SIZE; k++) {
				rows += eigenvectors[a * SIZE + k] * eigenvectors[b * SIZE + k];
				rebuilt += eigenvectors[k * SIZE + a] * products[k * SIZE + b];
			}
			squared += products[a * SIZE + b] * products[a * SIZE + b];
			check_near(rows, a == b, 1e-13);
			check_near(rebuilt, matrix[a * SIZE + b], 1e-12);
		}
		large += sqrt(squared) > 1;
		assert_true(sqrt(squared) > 1 || sqrt(squared) < 1e-11);
	}
	assert_int_equal(large, RANK);
}

/* Observations from known directions, more of them than numbers and fewer. */
static void principal_components_are_the_directions_of_most_deviation(void **state) {
	(void)state;
	enum { MOST = 40, KNOWN = 3 };
	uint64_t random = random_seed();
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	for (int wide = 0; wide < 2; wide++) {
		const uint32_t count = wide ? 12 : MOST, width = wide ? MOST : 12;
		double directions[KNOWN][MOST] = {{0}}, observations[MOST * MOST];
		for (size_t k = 0; k < KNOWN; k++) {
			directions[k][2 * k] = 0.6;
			directions[k][2 * k + 1] = -0.8;
		}
		for (size_t i = 0; i < (size_t)count * width; i++) {
			observations[i] = 5 + (double)(i % width);
		}
		for (size_t r = 0; r < count; r++) {
			for (size_t k = 0; k < KNOWN; k++) {
				const double weight = random_between(&random, -1, 1) / (k == 0 ? 1 : k == 1 ? 10 : 100);
				for (size_t c = 0; c < width; c++) {
					observations[r * width + c] += weight * directions[k][c];
				}
			}
		}
		snw_pool pool = snw_pool_open(snw_services_host(services));
		snk_principal_components found;
		assert_int_equal(
			snk_principal_components_find(snw_services_host(services), count, width, observations, 5, &pool, &found), SNW_OK);
		assert_int_equal(found.count, KNOWN);
		for (size_t k = 0; k < KNOWN; k++) {
			assert_true(k == 0 || found.deviations[k] < found.deviations[k - 1]);
			for (size_t other = 0; other < KNOWN; other++) {
				double along = 0;
				for (size_t c = 0; c < width; c++) {
					along += found.directions[k * width + c] * found.directions[other * width + c];
				}
				check_near(along, k == other, 1e-9);
			}
		}
		for (size_t r = 0; r < count; r++) {
			double weights[KNOWN], rebuilt[MOST];
			snk_principal_weights(&found, observations + r * width, weights);
			for (size_t c = 0; c < width; c++) {
				rebuilt[c] = found.mean[c];
				for (size_t k = 0; k < KNOWN; k++) {
					rebuilt[c] += weights[k] * found.directions[k * width + c];
				}
				check_near(rebuilt[c], observations[r * width + c], 1e-9);
			}
		}
		snw_pool_release(&pool);
	}
	assert_int_equal(snw_services_bytes(services), 0);
	snw_services_destroy(services);
}

static void ridge_regression_finds_the_factors_and_shrinks_them(void **state) {
	(void)state;
	enum { FEATURES = 4, NUMBERS = 2, SAMPLES = 50 };
	static const double factors[FEATURES][NUMBERS] = {{1, -2}, {0.5, 0}, {0, 3}, {-1, 1}};
	static const uint32_t chosen[] = {0, 2};
	uint64_t random = random_seed();
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	snw_pool pool = snw_pool_open(snw_services_host(services));
	snk_ridge sums = snk_ridge_open(&pool, FEATURES, NUMBERS);
	assert_false(pool.failed);
	for (int s = 0; s < SAMPLES; s++) {
		double features[FEATURES], numbers[NUMBERS] = {0};
		for (size_t i = 0; i < FEATURES; i++) {
			features[i] = random_between(&random, -1, 1);
			for (size_t m = 0; m < NUMBERS; m++) {
				numbers[m] += factors[i][m] * features[i];
			}
		}
		snk_ridge_add(&sums, features, numbers);
	}
	double scratch[FEATURES * FEATURES], found[FEATURES * NUMBERS], shrunk[FEATURES * NUMBERS], some[2 * NUMBERS];
	check_near(snk_ridge_solve(&sums, 0, FEATURES, NULL, scratch, found), 0, 1e-10);
	for (size_t i = 0; i < (size_t)FEATURES * NUMBERS; i++) {
		check_near(found[i], factors[i / NUMBERS][i % NUMBERS], 1e-10);
	}
	assert_true(snk_ridge_solve(&sums, 100, FEATURES, NULL, scratch, shrunk) > 1);
	assert_true(fabs(shrunk[1]) < fabs(found[1]) && shrunk[1] < 0);
	assert_true(snk_ridge_solve(&sums, 0, 2, chosen, scratch, some) > 0.1);
	/* What is left is perpendicular to the chosen features. */
	for (size_t a = 0; a < 2; a++) {
		for (size_t m = 0; m < NUMBERS; m++) {
			double left = sums.right[NUMBERS * chosen[a] + m];
			for (size_t b = 0; b < 2; b++) {
				left -= sums.gram[(size_t)FEATURES * chosen[a] + chosen[b]] * some[NUMBERS * b + m];
			}
			check_near(left, 0, 1e-10);
		}
	}
	snw_pool_release(&pool);
	snw_services_destroy(services);
}

static void factor_takes_other_values_at_the_same_places(void **state) {
	(void)state;
	static const uint32_t offsets[] = {0, 2, 3}, rows[] = {0, 1, 1};
	static const double values[] = {4, 2, 3}, others[] = {2, 1, 5};
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	snk_factor factor;
	double sides[] = {7, 17}; /* of x = 2, y = 3 */
	assert_int_equal(snk_factor_sparse(snw_services_host(services), 2, offsets, rows, values, &factor), SNW_OK);
	assert_int_equal(snk_factor_refactor(&factor, others), SNW_OK);
	assert_int_equal(snk_factor_solve(&factor, 1, sides), SNW_OK);
	check_near(sides[0], 2, 1e-15);
	check_near(sides[1], 3, 1e-15);
	snk_factor_release(&factor);
	snw_services_destroy(services);
}

TEST_GROUP(numerics) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quick_inverse_agrees_with_the_singular_values_and_refuses_the_rest),
		cmocka_unit_test(singular_values_rebuild_the_matrix),
		cmocka_unit_test(zero_matrix_has_the_same_decomposition_each_time),
		cmocka_unit_test(small_singular_values_are_accurate),
		cmocka_unit_test(solve_is_exact_where_regular_and_short_where_not),
		cmocka_unit_test(nearest_rotation_of_a_stretched_one_is_it),
		cmocka_unit_test(rotation_distance_is_the_angle_between),
		cmocka_unit_test(swing_and_twist_count_by_their_gains),
		cmocka_unit_test(basis_functions_are_one_at_their_own_pose),
		cmocka_unit_test(linear_data_are_reproduced_between_the_poses),
		cmocka_unit_test(left_out_width_is_the_best_of_those_tried),
		cmocka_unit_test(eigenvectors_of_a_matrix_of_low_rank_are_orthonormal),
		cmocka_unit_test(principal_components_are_the_directions_of_most_deviation),
		cmocka_unit_test(factor_takes_other_values_at_the_same_places),
		cmocka_unit_test(ridge_regression_finds_the_factors_and_shrinks_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
