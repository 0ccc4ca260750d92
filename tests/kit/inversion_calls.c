/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many calls of a black box an inversion takes: 20,000 points, all edited, from a cold start, through three black
 * boxes.
 */
#include "check.h"

#include "program/program.h"
#include "services/services.h"
#include "sinew/algebra.h"
#include "sinew/kit/inversion/inversion.h"
#include "task/task.h"

enum { COUNT = 20000, SLOTS = 12, GRAIN = 2048 };

typedef struct black_box {
	snw_program program;
	snw_program_input input;
	int bends;
	/* of the current call */
	const uint32_t *which;
	const double *rest;
	double *posed;
} black_box;

static snw_services *services;
static double rest[3 * COUNT], targets[3 * COUNT], points[3 * COUNT], posed[3 * COUNT], jacobians[9 * COUNT];
static double matrices[12 * SLOTS], dual_quaternions[8 * SLOTS], weights[4 * COUNT];
static uint32_t offsets[COUNT + 1], slots[4 * COUNT];
static unsigned char fates[COUNT];

/* A tube of a metre, whose bones rotate more and more; four influences a point. */
static void make_tube(void) {
	for (uint32_t i = 0; i < COUNT; i++) {
		double *x = rest + 3 * (size_t)i;
		x[0] = (double)i / COUNT;
		x[1] = 0.1 * cos(0.1 * i);
		x[2] = 0.1 * sin(0.1 * i);
		const double along = x[0] * (SLOTS - 4), within = along - floor(along);
		offsets[i + 1] = 4 * (i + 1);
		for (uint32_t k = 0; k < 4; k++) {
			const double t = (k - 1.0 - within) / 2;
			slots[4 * (size_t)i + k] = (uint32_t)along + k;
			weights[4 * (size_t)i + k] = (1 - t * t) / 4;
		}
		double sum = 0;
		for (size_t k = 0; k < 4; k++) {
			sum += weights[4 * (size_t)i + k];
		}
		for (size_t k = 0; k < 4; k++) {
			weights[4 * (size_t)i + k] /= sum;
		}
	}
	for (uint32_t s = 0; s < SLOTS; s++) {
		const double rotation_vector[3] = {0.15 * s, 0.1 * sin(s), 0.2 * s}, place[3] = {0.02 * s, -0.01 * s, 0};
		double *q = dual_quaternions + 8 * (size_t)s, t[4] = {place[0], place[1], place[2], 0};
		snw_quat_from_rotation_vector(rotation_vector, q);
		snw_quat_to_mat34(q, matrices + 12 * (size_t)s);
		for (int r = 0; r < 3; r++) {
			matrices[12 * (size_t)s + 4 * (size_t)r + 3] = place[r];
		}
		snw_quat_multiply(t, q, q + 4);
		for (int c = 4; c < 8; c++) {
			q[c] *= 0.5;
		}
	}
}

static void deform_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const black_box *bounds = argument;
	snw_program_reference_at(&bounds->program, &bounds->input, end - begin, bounds->which + begin,
							 bounds->rest + 3 * (size_t)begin, bounds->posed + 3 * (size_t)begin);
	for (uint32_t n = begin; bounds->bends && n < end; n++) {
		double *x = bounds->posed + 3 * (size_t)n;
		const double angle = 1.5 * x[0], radius = 1 / 1.5 - x[1];
		x[0] = radius * sin(angle);
		x[1] = 1 / 1.5 - radius * cos(angle);
	}
}

static snw_status deform(void *context, uint32_t count, const uint32_t *which, const double *from, double *to) {
	black_box *bounds = context;
	bounds->which = which;
	bounds->rest = from;
	bounds->posed = to;
	snw_parallel_for(count, GRAIN, deform_chunk, bounds);
	return SNW_OK;
}

static black_box make_black_box(int32_t blend, int bends) {
	return (black_box){.program = {.point_count = COUNT,
								   .blend = blend,
								   .slot_count = SLOTS,
								   .points_rest = rest,
								   .influence_offsets = offsets,
								   .influence_slots = slots,
								   .influence_weights = weights},
					   .input = {.matrices = matrices, .dual_quaternions = dual_quaternions},
					   .bends = bends};
}

static snk_lockstep problem_of(black_box *bounds) {
	uint32_t *all = malloc(COUNT * sizeof *all);
	for (uint32_t i = 0; i < COUNT; i++) {
		all[i] = i;
		for (size_t c = 0; c < 3; c++) {
			points[3 * (size_t)i + c] = rest[3 * (size_t)i + c] + 0.02 * sin(0.01 * i + 2.0 * (double)c);
		}
	}
	deform(bounds, COUNT, all, points, targets);
	free(all);
	memcpy(points, rest, sizeof points);
	return (snk_lockstep){.host = snw_services_host(services),
						  .count = COUNT,
						  .targets = targets,
						  .size = 1,
						  .tolerance = 1e-7,
						  .ratio = 1e-4,
						  .longest = 20,
						  .call_limit = 400,
						  .context = bounds,
						  .deform = deform};
}

static void say(const char *black_box_name, const char *solver, const snk_lockstep_result *result) {
	print_message("%s over %s: %u calls, %u failures\n", solver, black_box_name, result->calls, result->unsolved);
}

/* Where the box takes the start: the call that every inversion begins with. */
static void pose_start(black_box *bounds) {
	uint32_t *all = malloc(COUNT * sizeof *all);
	for (uint32_t i = 0; i < COUNT; i++) {
		all[i] = i;
	}
	deform(bounds, COUNT, all, points, posed);
	free(all);
}

static void check_black_box(const char *black_box_name, int32_t blend, int bends, uint32_t newton_calls) {
	black_box bounds = make_black_box(blend, bends);
	snk_lockstep_result result;
	uint32_t calls;
	snk_lockstep problem = problem_of(&bounds);
	pose_start(&bounds);
	assert_int_equal(snk_lockstep_differences(&problem, points, posed, jacobians, &calls), SNW_OK);
	assert_int_equal(snk_lockstep_newton(&problem, points, posed, jacobians, fates, &result), SNW_OK);
	result.calls += 1 + calls;
	say(black_box_name, "newton", &result);
	assert_true(result.unsolved == 0 && result.calls <= newton_calls);

	problem = problem_of(&bounds);
	pose_start(&bounds);
	assert_int_equal(snk_lockstep_powell(&problem, points, posed, fates, &result), SNW_OK);
	result.calls++;
	say(black_box_name, "powell", &result);
	assert_true(result.unsolved == 0 && result.calls <= 205);
}

static void black_boxes_from_a_cold_start_are_inverted_in_few_calls(void **state) {
	(void)state;
	check_black_box("linear blend", SNW_BLEND_LINEAR, 0, 8);
	check_black_box("dual quaternions", SNW_BLEND_DUAL_QUATERNION, 0, 8);
	check_black_box("a bend", SNW_BLEND_LINEAR, 1, 25);
}

static int open_services(void **state) {
	(void)state;
	services = snw_services_create(NULL, NULL, NULL, NULL);
	make_tube();
	return 0;
}

static int close_services(void **state) {
	(void)state;
	snw_services_destroy(services);
	return 0;
}

TEST_GROUP(inversion_calls) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(black_boxes_from_a_cold_start_are_inverted_in_few_calls)};
	return cmocka_run_group_tests(tests, open_services, close_services);
}
