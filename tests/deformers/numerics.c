/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * deformers/math: known answers and properties.
 */
#include "check.h"

#include "math/rbf.h"
#include "math/svd3.h"
#include "mutate.h"
#include "plugin/services.h"
#include "sinew/algebra.h"

static double uniform(uint64_t *random) {
	return (double)(mutate_random(random) >> 11) / 4503599627370496.0 - 1;
}

static void check_svd(const double m[9]) {
	snw_svd3 svd;
	snw_svd3_of(m, &svd);
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
	uint64_t random = mutate_seed("quick_inverse_agrees_with_the_singular_values_and_refuses_the_rest");
	uint32_t taken = 0, refused = 0;
	for (int n = 0; n < 2000; n++) {
		double m[9], b[3], inverse[9], x[3], condition = 0;
		for (int i = 0; i < 9; i++) {
			m[i] = uniform(&random) * (n % 3 == 2 && i < 3 ? 1e-3 : 1);
		}
		for (int c = 0; c < 3; c++) {
			b[c] = uniform(&random);
		}
		snw_svd3 svd;
		snw_svd3_of(m, &svd);
		condition = snw_svd3_condition(&svd);
		if (!snw_svd3_inverse(m, 1e-4, 20, inverse)) {
			assert_true(condition > 20 / 3.0);
			refused++;
			continue;
		}
		taken++;
		assert_true(condition <= 20);
		check_near(snw_svd3_condition_of(m), condition, 1e-10 * condition);
		snw_svd3_solve(&svd, 1e-4, 20, b, x);
		for (size_t r = 0; r < 3; r++) {
			check_near(snw_dot3(inverse + 3 * r, b), x[r], 1e-9 * (1 + fabs(x[r])));
		}
	}
	assert_true(taken > 500 && refused > 500);
	/* What is always so of a rotation, whatever its size, and of nothing at all. */
	const double turn[9] = {0, -2, 0, 2, 0, 0, 0, 0, 2}, none[9] = {0};
	double inverse[9];
	assert_int_equal(snw_svd3_inverse(turn, 1e-4, 20, inverse), 1);
	check_near(snw_svd3_condition_of(turn), 1, 1e-15);
	check_near(inverse[1], 0.5, 1e-15);
	assert_int_equal(snw_svd3_inverse(none, 1e-4, 20, inverse), 0);
	/* Where the filter is to act, or the limit, it is left to them. */
	assert_int_equal(snw_svd3_inverse(turn, 0.1, 20, inverse), 0);
	assert_int_equal(snw_svd3_inverse(turn, 1e-4, 1, inverse), 0);
}

static void singular_values_rebuild_the_matrix(void **state) {
	(void)state;
	uint64_t random = mutate_seed("singular_values_rebuild_the_matrix");
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
			m[i] = uniform(&random) * (n % 3 == 0 && i < 3 ? 1e-9 : 1);
		}
		check_svd(m);
	}
}

static void small_singular_values_are_accurate(void **state) {
	(void)state;
	const double turn[3] = {0.3, -0.7, 1.1};
	double q[4], r[12], m[9];
	snw_quat_from_turn(turn, q);
	snw_quat_to_mat34(q, r);
	for (int i = 0; i < 9; i++) {
		m[i] = r[4 * (i / 3) + i % 3] * (i % 3 == 0 ? 2 : i % 3 == 1 ? 1e-3 : 1e-10);
	}
	snw_svd3 svd;
	snw_svd3_of(m, &svd);
	check_near(svd.s[0], 2, 1e-14);
	check_near(svd.s[1], 1e-3, 1e-16);
	check_near(svd.s[2], 1e-10, 1e-23);
	check_near(snw_svd3_condition(&svd), 2e10, 1);
}

static void solve_is_exact_where_regular_and_short_where_not(void **state) {
	(void)state;
	const double regular[9] = {2, 0.3, 0, -0.1, 1, 0.2, 0, 0.4, 0.8}, b[3] = {1, -2, 0.5};
	double x[3];
	snw_svd3 svd;
	snw_svd3_of(regular, &svd);
	snw_svd3_solve(&svd, 1e-4, 20, b, x);
	for (int r = 0; r < 3; r++) {
		check_near(regular[3 * r] * x[0] + regular[3 * r + 1] * x[1] + regular[3 * r + 2] * x[2], b[r], 1e-12);
	}
	for (int n = 0; n < 42; n++) {
		const double s = pow(3, -n);
		const double flat[9] = {1, 0, 0, 0, 1, 0, 0, 0, s};
		snw_svd3_of(flat, &svd);
		snw_svd3_solve(&svd, 1e-4, 20, b, x);
		assert_true(snw_length3(x) <= 20 * snw_length3(b) * (1 + 1e-9));
		check_near(x[0], b[0], s > 0.05 ? 1e-9 : 0.6);
	}
}

static void nearest_rotation_of_a_stretched_one_is_it(void **state) {
	(void)state;
	const double turn[3] = {1.3, -0.7, 0.4};
	double q[4], r[12], m[9], rotation[9];
	snw_quat_from_turn(turn, q);
	snw_quat_to_mat34(q, r);
	const double stretch[9] = {1.5, 0.2, 0, 0.2, 0.9, 0.1, 0, 0.1, 1.1};
	for (int i = 0; i < 9; i++) {
		m[i] = 0;
		for (int k = 0; k < 3; k++) {
			m[i] += r[4 * (i / 3) + k] * stretch[3 * k + i % 3];
		}
	}
	snw_svd3 svd;
	snw_svd3_of(m, &svd);
	snw_svd3_rotation(&svd, rotation);
	for (int i = 0; i < 9; i++) {
		check_near(rotation[i], r[4 * (i / 3) + i % 3], 1e-13);
	}
}

static void turn_distance_is_the_angle_between(void **state) {
	(void)state;
	const double pi = 3.14159265358979323846;
	uint64_t random = mutate_seed("turn_distance_is_the_angle_between");
	for (int n = 0; n < 500; n++) {
		double axis[3] = {uniform(&random), uniform(&random), uniform(&random)}, a[4], b[4], turned[4];
		snw_normalize3(axis);
		const double first = pi * uniform(&random), second = pi * uniform(&random), gap = fabs(first - second);
		snw_quat_from_turn((const double[3]){axis[0] * first, axis[1] * first, axis[2] * first}, a);
		snw_quat_from_turn((const double[3]){axis[0] * second, axis[1] * second, axis[2] * second}, b);
		check_near(snw_turn_distance(a, b, 0), fmin(gap, 2 * pi - gap), 1e-12);
		check_near(snw_turn_distance(a, b, 1), gap, 1e-12);
		for (int c = 0; c < 4; c++) {
			turned[c] = -b[c];
		}
		check_near(snw_turn_distance(a, turned, 0), snw_turn_distance(a, b, 0), 1e-12);
		check_near(snw_turn_distance(a, a, 0), 0, 1e-15);
	}
}

static void basis_functions_are_one_at_their_own_pose(void **state) {
	(void)state;
	enum { COUNT = 6 };
	uint64_t random = mutate_seed("basis_functions_are_one_at_their_own_pose");
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	for (int n = 0; n < 40; n++) {
		double poses[COUNT][3], distances[COUNT * COUNT], weights[COUNT * (COUNT + 1)], reciprocal;
		for (int i = 0; i < COUNT * 3; i++) {
			poses[i / 3][i % 3] = uniform(&random);
		}
		for (int a = 0; a < COUNT; a++) {
			for (int b = 0; b < COUNT; b++) {
				const double gap[3] = {poses[a][0] - poses[b][0], poses[a][1] - poses[b][1], poses[a][2] - poses[b][2]};
				distances[a * COUNT + b] = snw_length3(gap);
			}
		}
		const snw_kernel kernel = n % 2 ? SNW_KERNEL_LINEAR : SNW_KERNEL_GAUSSIAN;
		const double width = snw_rbf_width(COUNT, distances);
		assert_int_equal(snw_rbf_solve(snw_services_host(services), kernel, width, COUNT, distances, weights, &reciprocal),
						 SNW_OK);
		for (int k = 0; k < COUNT; k++) {
			for (int at = 0; at < COUNT; at++) {
				double sum = weights[k * (COUNT + 1) + COUNT];
				for (int c = 0; c < COUNT; c++) {
					sum += weights[k * (COUNT + 1) + c] * snw_kernel_value(kernel, width, distances[at * COUNT + c]);
				}
				check_near(sum, k == at, 1e-12);
			}
		}
	}
	snw_services_destroy(services);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quick_inverse_agrees_with_the_singular_values_and_refuses_the_rest),
		cmocka_unit_test(singular_values_rebuild_the_matrix),
		cmocka_unit_test(small_singular_values_are_accurate),
		cmocka_unit_test(solve_is_exact_where_regular_and_short_where_not),
		cmocka_unit_test(nearest_rotation_of_a_stretched_one_is_it),
		cmocka_unit_test(turn_distance_is_the_angle_between),
		cmocka_unit_test(basis_functions_are_one_at_their_own_pose),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
