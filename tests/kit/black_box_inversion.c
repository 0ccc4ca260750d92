/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inversion of black boxes in lockstep, for maps with known inverses, with the calls counted.
 */
#include "check.h"

#include "random.h"
#include "services/services.h"
#include "sinew/algebra.h"
#include "sinew/kit/inversion/inversion.h"
#include "task/task.h"

enum { MOST = 4000 };

static snw_services *services;
static double targets[3 * MOST], truth[3 * MOST], points[3 * MOST], posed[3 * MOST], jacobians[9 * MOST];
static double maps[12 * MOST];
static unsigned char fates[MOST];
static uint64_t random_state;

static int open_services(void **state) {
	(void)state;
	services = snw_services_create(NULL, NULL, NULL, NULL);
	return 0;
}

static int close_services(void **state) {
	(void)state;
	snw_services_destroy(services);
	return 0;
}

/* ---- boxes --------------------------------------------------------------------------------------------------------------- */

typedef struct black_box {
	void (*map)(uint32_t point, const double rest[3], double posed[3]);
	uint32_t count, calls, stop_after;
	uint64_t asked; /* points of all calls together */
} black_box;

static snw_status deform(void *context, uint32_t count, const uint32_t *which, const double *rest, double *answers) {
	black_box *bounds = context;
	bounds->calls++;
	bounds->asked += count;
	for (uint32_t n = 0; n < count; n++) {
		assert_true(which[n] < bounds->count && (n == 0 || which[n] > which[n - 1]));
		bounds->map(which[n], rest + 3 * (size_t)n, answers + 3 * (size_t)n);
	}
	return SNW_OK;
}

static int go_on(void *context, uint32_t calls) {
	const black_box *bounds = context;
	return bounds->stop_after == 0 || calls < bounds->stop_after;
}

/* An affine map for each point. */
static void affine(uint32_t point, const double rest[3], double answer[3]) {
	snw_mat34_point(maps + 12 * (size_t)point, rest, answer);
}

/* A bend of the x axis about z, by 1.5 radians a unit of length. */
static void bend(uint32_t point, const double rest[3], double answer[3]) {
	(void)point;
	const double radius = 1 / 1.5, angle = rest[0] / radius;
	answer[0] = (radius - rest[1]) * sin(angle);
	answer[1] = radius - (radius - rest[1]) * cos(angle);
	answer[2] = rest[2] + 0.2 * rest[0] * rest[0];
}

/* The same about a line through the middle of the points, whose surroundings it maps onto itself. */
static void bend_about_middle(uint32_t point, const double rest[3], double answer[3]) {
	const double offset[3] = {rest[0], rest[1] + 1 / 1.5, rest[2] + 0.5};
	bend(point, offset, answer);
	answer[2] = rest[2] + 0.5 * rest[0] * rest[0];
}

/* Sheared more on one side of a plane than on the other, and stretched beyond another: piecewise affine, with an inverse. */
static void kinked(uint32_t point, const double rest[3], double answer[3]) {
	affine(point, rest, answer);
	const double past = fabs(answer[0] - 0.1), above = fmax(answer[1] - 0.05, 0);
	answer[2] += 0.8 * past;
	answer[1] += 0.6 * above;
	answer[0] += 0.3 * above;
}

/* The bend, computed in float. */
static void rounded(uint32_t point, const double rest[3], double answer[3]) {
	bend(point, rest, answer);
	for (int c = 0; c < 3; c++) {
		answer[c] = (double)(float)answer[c];
	}
}

/* Projects everything onto a plane. */
static void flat(uint32_t point, const double rest[3], double answer[3]) {
	(void)point;
	answer[0] = rest[0];
	answer[1] = rest[1];
	answer[2] = 0.25;
}

/* Returns NaN beyond a plane. */
static void broken(uint32_t point, const double rest[3], double answer[3]) {
	affine(point, rest, answer);
	answer[1] = rest[0] > 0.2 ? (double)NAN : answer[1];
}

/* Blends of two rotations, their smallest stretch brought to 1 / condition where that is not 0. */
static void make_maps(uint32_t count, double condition) {
	for (uint32_t i = 0; i < count; i++) {
		double quaternions[2][4], rotations[2][12], *map = maps + 12 * (size_t)i;
		const double weight = 0.5 + 0.5 * random_between(&random_state, -1, 1);
		for (int k = 0; k < 2; k++) {
			for (int c = 0; c < 4; c++) {
				quaternions[k][c] = random_between(&random_state, -1, 1) + (c == 3 ? 1.5 : 0);
			}
			snw_quat_normalize(quaternions[k]);
			snw_quat_to_mat34(quaternions[k], rotations[k]);
		}
		for (int c = 0; c < 12; c++) {
			map[c] = weight * rotations[0][c] + (1 - weight) * rotations[1][c] +
					 (c % 4 == 3 ? 0.2 * random_between(&random_state, -1, 1) : 0);
		}
		if (condition > 0) {
			double squeezed[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 / condition, 0};
			snw_mat34_multiply(rotations[0], squeezed, squeezed);
			snw_mat34_multiply(squeezed, rotations[1], map);
		}
	}
}

/* Rest points in a cube of edge 1, and their ground truth: displaced by up to 0.05. */
static snk_lockstep problem_of(black_box *bounds, uint32_t count, double tolerance) {
	bounds->count = count;
	for (uint32_t i = 0; i < count; i++) {
		for (size_t c = 3 * (size_t)i; c < 3 * (size_t)i + 3; c++) {
			points[c] = 0.5 * random_between(&random_state, -1, 1);
			truth[c] = points[c] + 0.05 * random_between(&random_state, -1, 1);
		}
		bounds->map(i, truth + 3 * (size_t)i, targets + 3 * (size_t)i);
	}
	return (snk_lockstep){.host = snw_services_host(services),
						  .count = count,
						  .targets = targets,
						  .size = 1.7,
						  .tolerance = tolerance,
						  .ratio = 1e-4,
						  .longest = 20,
						  .call_limit = 400,
						  .context = bounds,
						  .deform = deform,
						  .go_on = go_on};
}

typedef enum solver { NEWTON, POWELL } solver;
static const char *const solver_names[] = {"newton", "powell"};

/* Cold: only the start is known. */
static snk_lockstep_result solve(const snk_lockstep *problem, solver by, const char *base) {
	snk_lockstep_result result = {0};
	uint32_t before = 0;
	black_box *bounds = problem->context;
	bounds->calls = 0;
	uint32_t all[MOST];
	for (uint32_t i = 0; i < problem->count; i++) {
		all[i] = i;
	}
	assert_int_equal(deform(bounds, problem->count, all, points, posed), SNW_OK);
	if (by == NEWTON) {
		assert_int_equal(snk_lockstep_differences(problem, points, posed, jacobians, &before), SNW_OK);
		assert_int_equal(before, 3);
		assert_int_equal(snk_lockstep_newton(problem, points, posed, jacobians, fates, &result), SNW_OK);
	} else {
		assert_int_equal(snk_lockstep_powell(problem, points, posed, fates, &result), SNW_OK);
	}
	result.calls += 1 + before;
	assert_int_equal(result.calls, bounds->calls);
	print_message("%s over %s: %u calls, %u of %u points left, the worst by %.2g\n", solver_names[by], base, result.calls,
				  result.unsolved, problem->count, result.worst);
	/* The reported fates are correct. */
	for (uint32_t i = 0; i < problem->count; i++) {
		double answer[3], gap = 0;
		bounds->map(i, points + 3 * (size_t)i, answer);
		for (size_t c = 0; c < 3; c++) {
			assert_true(answer[c] == posed[3 * (size_t)i + c] || (isnan(answer[c]) && isnan(posed[3 * (size_t)i + c])));
			gap = fmax(gap, fabs(answer[c] - targets[3 * (size_t)i + c]));
		}
		assert_in_range(fates[i], SNK_LOCKSTEP_UNSOLVED, SNK_LOCKSTEP_SINGULAR);
		assert_true(fates[i] != SNK_LOCKSTEP_SOLVED || gap <= problem->tolerance * problem->size);
	}
	return result;
}

static double furthest_from_truth(uint32_t count) {
	double most = 0;
	for (size_t c = 0; c < 3 * (size_t)count; c++) {
		most = fmax(most, fabs(points[c] - truth[c]));
	}
	return most;
}

/* Folds a metre back and forth along each axis: a target has many solutions, and between two folds the map is flat. */
static void fold(uint32_t point, const double rest[3], double answer[3]) {
	(void)point;
	for (int c = 0; c < 3; c++) {
		answer[c] = 0.3 * sin(rest[c] / 0.3);
	}
}

/* ---- guarantees ---------------------------------------------------------------------------------------------------------- */

/* Cold start, tolerance 1e-7, all points. */
static snk_lockstep_result solve_all(void (*map)(uint32_t, const double *, double *), double condition, solver by,
									 const char *base) {
	random_state = 11;
	make_maps(MOST, condition);
	black_box bounds = {.map = map};
	const snk_lockstep problem = problem_of(&bounds, MOST, 1e-7);
	const snk_lockstep_result result = solve(&problem, by, base);
	/* Solved points leave the batch. */
	assert_true(by == NEWTON || bounds.asked < (uint64_t)bounds.calls * MOST);
	return result;
}

static void blends_are_inverted(void **state) {
	(void)state;
	const snk_lockstep_result newton = solve_all(affine, 0, NEWTON, "blends");
	assert_true(newton.unsolved == 0 && newton.calls <= 8);
	const snk_lockstep_result powell = solve_all(affine, 0, POWELL, "blends");
	assert_true(powell.unsolved == 0 && powell.calls <= 150);
}

/* Every second point starts where the map is nearly flat along all axes: a step by the Jacobian alone could go anywhere. */
static void points_stay_near_where_the_deformation_folds(void **state) {
	(void)state;
	random_state = 11;
	black_box bounds = {.map = fold};
	const snk_lockstep problem = problem_of(&bounds, MOST, 1e-7);
	static double starts[3 * MOST];
	for (uint32_t i = 0; i < MOST; i++) {
		const double at = i % 2 ? 0.3 * acos(0) - 1e-8 * i : 0, gap = 1e-3 * (1 + i % 7);
		for (size_t c = 3 * (size_t)i; c < 3 * (size_t)i + 3; c++) {
			starts[c] = points[c] = at;
			targets[c] = 0.3 * sin(at / 0.3) - gap;
		}
	}
	solve(&problem, NEWTON, "a fold");
	double furthest = 0;
	for (uint32_t i = 0; i < MOST; i++) {
		const double *a = starts + 3 * (size_t)i, *b = points + 3 * (size_t)i;
		const double offset[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
		furthest = fmax(furthest, snw_length3(offset));
	}
	print_message("at most %.3g m from the start\n", furthest);
	/* The longest gap is 12 mm, and half of the points are stretched by 1, the others by 0. */
	assert_true(furthest <= problem.longest * 0.0122 / 0.49);
}

static void smooth_bend_is_inverted(void **state) {
	(void)state;
	const snk_lockstep_result newton = solve_all(bend, 0, NEWTON, "a bend");
	assert_true(newton.unsolved == 0 && newton.calls <= 17);
	assert_true(furthest_from_truth(MOST) < 1e-6);
	const snk_lockstep_result powell = solve_all(bend, 0, POWELL, "a bend");
	assert_true(powell.unsolved == 0 && powell.calls <= 205);
	assert_true(furthest_from_truth(MOST) < 1e-6);
}

static void bend_is_inverted_where_it_nearly_flattens(void **state) {
	(void)state;
	const snk_lockstep_result newton = solve_all(bend_about_middle, 0, NEWTON, "a bend about the middle");
	assert_true(newton.unsolved == 0 && newton.calls <= 24);
}

static void kinked_box_is_inverted(void **state) {
	(void)state;
	assert_true(solve_all(kinked, 0, NEWTON, "kinks").unsolved <= MOST / 100);
	const snk_lockstep_result powell = solve_all(kinked, 0, POWELL, "kinks");
	assert_true(powell.unsolved <= MOST / 1000 && powell.calls <= 250);
}

static void narrow_valley_is_followed(void **state) {
	(void)state;
	const snk_lockstep_result newton = solve_all(affine, 1e3, NEWTON, "condition 1e3");
	assert_true(newton.unsolved == 0 && newton.calls <= 20);
	const snk_lockstep_result powell = solve_all(affine, 1e3, POWELL, "condition 1e3");
	assert_true(powell.unsolved <= MOST / 20 && powell.calls <= 401);
}

/* What cannot be reached within the limit is distinguished from what the solver failed to reach. */
static void nearly_flat_map_is_singular_and_stays_near(void **state) {
	(void)state;
	const snk_lockstep_result result = solve_all(affine, 5e4, NEWTON, "condition 5e4");
	assert_true(result.unsolved == 0 && result.calls <= 12);
	assert_true(result.worst < 1e-5);
	/* The truth is at most √3 · 0.05 away, and the targets hardly more. */
	assert_true(furthest_from_truth(MOST) < 21 * 0.1);
}

static void unreachable_target_is_approached(void **state) {
	(void)state;
	for (int by = NEWTON; by <= POWELL; by++) {
		random_state = 15;
		black_box bounds = {.map = flat};
		const snk_lockstep problem = problem_of(&bounds, 200, 1e-7);
		for (size_t i = 0; i < 200; i++) {
			targets[3 * i + 2] += 0.1;
		}
		const snk_lockstep_result result = solve(&problem, (solver)by, "a plane");
		assert_true(result.calls < 100);
		check_near(result.worst, 0.1, 1e-6);
		for (size_t i = 0; i < 200; i++) {
			assert_int_equal(fates[i], by == NEWTON ? SNK_LOCKSTEP_SINGULAR : SNK_LOCKSTEP_UNSOLVED);
			check_near(posed[3 * i], targets[3 * i], 1e-4);
			check_near(posed[3 * i + 1], targets[3 * i + 1], 1e-4);
		}
	}
}

static void box_in_float_is_solved_to_its_precision_and_no_further(void **state) {
	(void)state;
	for (int by = NEWTON; by <= POWELL; by++) {
		random_state = 16;
		black_box bounds = {.map = rounded};
		snk_lockstep problem = problem_of(&bounds, 200, 1e-6);
		assert_int_equal(solve(&problem, (solver)by, "floats").unsolved, 0);
		problem = problem_of(&bounds, 200, 1e-12);
		const snk_lockstep_result result = solve(&problem, (solver)by, "floats, asked too much");
		assert_true(result.calls <= 401 && result.worst < 1e-5);
	}
}

/* Numbers that are not finite affect only their own point. */
static void points_without_an_answer_are_left(void **state) {
	(void)state;
	for (int by = NEWTON; by <= POWELL; by++) {
		random_state = 17;
		make_maps(200, 0);
		black_box bounds = {.map = broken};
		const snk_lockstep problem = problem_of(&bounds, 200, 1e-7);
		const snk_lockstep_result result = solve(&problem, (solver)by, "holes");
		uint32_t whole = 0, unsolved_points = 0;
		for (size_t i = 0; i < 200; i++) {
			const int is_whole = isfinite(targets[3 * i + 1]) && truth[3 * i] < 0.1 && points[3 * i] < 0.1;
			whole += is_whole;
			unsolved_points += is_whole && fates[i] == SNK_LOCKSTEP_UNSOLVED;
			assert_true(isfinite(points[3 * i]));
		}
		assert_true(whole > 50 && unsolved_points == 0 && result.unsolved > 0);
	}
}

static void call_limit_and_cancellation_are_obeyed(void **state) {
	(void)state;
	for (int by = NEWTON; by <= POWELL; by++) {
		random_state = 18;
		black_box bounds = {.map = bend};
		snk_lockstep problem = problem_of(&bounds, 50, 1e-9);
		problem.call_limit = 2;
		assert_int_equal(solve(&problem, (solver)by, "a bend in two calls").calls, by == NEWTON ? 6 : 3);
		problem = problem_of(&bounds, 50, 1e-9);
		bounds.stop_after = 3;
		uint32_t calls;
		snk_lockstep_result result;
		memcpy(posed, points, sizeof posed);
		assert_int_equal(snk_lockstep_differences(&problem, points, posed, jacobians, &calls), SNW_CANCELLED);
		assert_int_equal(snk_lockstep_powell(&problem, points, posed, fates, &result), SNW_CANCELLED);
	}
}

static void no_point_and_one_point(void **state) {
	(void)state;
	for (int by = NEWTON; by <= POWELL; by++) {
		for (uint32_t count = 0; count < 2; count++) {
			random_state = 19;
			black_box bounds = {.map = bend};
			const snk_lockstep problem = problem_of(&bounds, count, 1e-9);
			assert_int_equal(solve(&problem, (solver)by, count ? "one point" : "none").unsolved, 0);
		}
	}
}

static void same_bits_for_any_number_of_threads(void **state) {
	(void)state;
	static double first[3 * MOST];
	for (int by = NEWTON; by <= POWELL; by++) {
		for (int n = 0; n < 2; n++) {
			snw_parallel_threads(n == 0 ? 1 : 4);
			solve_all(kinked, 0, (solver)by, "kinks");
			if (n == 0) {
				memcpy(first, points, sizeof first);
			}
		}
		snw_parallel_threads(0);
		assert_memory_equal(first, points, sizeof first);
	}
}

/* ---- coupled boxes ------------------------------------------------------------------------------------------------------- */

/* Points on a ring: each is rotated by its own map, then `passes` times moved to the mean with its neighbours. */
typedef struct ring {
	uint32_t count, passes, calls;
} ring;

static snw_status smooth_ring(void *context, uint32_t count, const uint32_t *which, const double *rest, double *answers) {
	ring *fixture = context;
	static double buffer[3 * MOST];
	fixture->calls++;
	assert_int_equal(count, fixture->count);
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(which[i], i);
		affine(0, rest + 3 * (size_t)i, answers + 3 * (size_t)i);
	}
	for (uint32_t pass = 0; pass < fixture->passes; pass++) {
		memcpy(buffer, answers, 3 * (size_t)count * sizeof *buffer);
		for (size_t i = 0; i < count; i++) {
			const size_t before = (i + count - 1) % count, after = (i + 1) % count;
			for (size_t c = 0; c < 3; c++) {
				answers[3 * i + c] = 0.5 * buffer[3 * i + c] + 0.25 * (buffer[3 * before + c] + buffer[3 * after + c]);
			}
		}
	}
	return SNW_OK;
}

/* The remaining distance relative to the sculpt: a bump `width` points wide; the box's filter is 2 wide. */
static double invert_ring(double width, const unsigned char *fixed, snk_lockstep_result *result) {
	enum { COUNT = 400 };
	ring fixture = {.count = COUNT, .passes = 8};
	random_state = 20;
	make_maps(1, 0);
	uint32_t all[COUNT], calls;
	for (uint32_t i = 0; i < COUNT; i++) {
		const double angle = 2 * 3.14159265358979323846 * i / COUNT;
		points[3 * (size_t)i] = cos(angle);
		points[3 * (size_t)i + 1] = sin(angle);
		points[3 * (size_t)i + 2] = 0;
		all[i] = i;
	}
	assert_int_equal(smooth_ring(&fixture, COUNT, all, points, targets), SNW_OK);
	for (uint32_t i = 0; i < COUNT; i++) {
		const double t = (i - 250.0) / width;
		targets[3 * (size_t)i + 2] += 0.05 * exp(-t * t / 2);
	}
	const snk_lockstep problem = {.host = snw_services_host(services),
								  .count = COUNT,
								  .targets = targets,
								  .size = 2,
								  .tolerance = 1e-4 * 0.05 / 2,
								  .ratio = 1e-4,
								  .longest = 20,
								  .call_limit = 100,
								  .context = &fixture,
								  .deform = smooth_ring};
	assert_int_equal(smooth_ring(&fixture, COUNT, all, points, posed), SNW_OK);
	assert_int_equal(snk_lockstep_differences(&problem, points, posed, jacobians, &calls), SNW_OK);
	assert_int_equal(snk_lockstep_coupled(&problem, fixed, points, posed, jacobians, fates, result), SNW_OK);
	print_message("coupled over a bump %g points wide: %u calls, %u left, the worst by %.2g of the sculpt\n", width,
				  result->calls + calls, result->unsolved, result->worst / 0.05);
	static double answer[3 * COUNT];
	assert_int_equal(smooth_ring(&fixture, COUNT, all, points, answer), SNW_OK);
	assert_memory_equal(answer, posed, sizeof answer);
	return result->worst / 0.05;
}

static void coupled_points_converge_where_the_detail_is_wide(void **state) {
	(void)state;
	snk_lockstep_result result;
	for (int width = 4; width < 40; width *= 2) {
		assert_true(invert_ring(width, NULL, &result) <= 1.0001e-4);
		assert_true(result.unsolved == 0 && result.calls <= 14);
	}
}

static void coupled_points_stop_where_the_detail_is_gone(void **state) {
	(void)state;
	snk_lockstep_result result;
	assert_true(invert_ring(0.3, NULL, &result) < 1);
	assert_true(result.calls < 100);
}

static void fixed_points_stay(void **state) {
	(void)state;
	unsigned char fixed[400] = {0};
	for (int i = 0; i < 100; i++) {
		fixed[i] = 1;
	}
	snk_lockstep_result result;
	invert_ring(8, fixed, &result);
	for (int i = 0; i < 100; i++) {
		assert_true(points[3 * i + 2] == 0);
	}
	check_near(posed[3 * 250 + 2], targets[3 * 250 + 2], 1e-3 * 0.05);
}

TEST_GROUP(black_box_inversion) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blends_are_inverted),
		cmocka_unit_test(smooth_bend_is_inverted),
		cmocka_unit_test(points_stay_near_where_the_deformation_folds),
		cmocka_unit_test(bend_is_inverted_where_it_nearly_flattens),
		cmocka_unit_test(kinked_box_is_inverted),
		cmocka_unit_test(narrow_valley_is_followed),
		cmocka_unit_test(nearly_flat_map_is_singular_and_stays_near),
		cmocka_unit_test(unreachable_target_is_approached),
		cmocka_unit_test(box_in_float_is_solved_to_its_precision_and_no_further),
		cmocka_unit_test(points_without_an_answer_are_left),
		cmocka_unit_test(call_limit_and_cancellation_are_obeyed),
		cmocka_unit_test(no_point_and_one_point),
		cmocka_unit_test(same_bits_for_any_number_of_threads),
		cmocka_unit_test(coupled_points_converge_where_the_detail_is_wide),
		cmocka_unit_test(coupled_points_stop_where_the_detail_is_gone),
		cmocka_unit_test(fixed_points_stay),
	};
	return cmocka_run_group_tests(tests, open_services, close_services);
}
