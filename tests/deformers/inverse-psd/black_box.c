/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inverse pose space deformation through black boxes: every example is reproduced, whatever the layers below and with every
 * solver.
 */
#include "benchmark/benchmark.h"
#include "black_box_registry.h"
#include "task/task.h"

enum { AUTO, POWELL, NEWTON, CLOSED, SOLVERS };
static const char *const solver_names[SOLVERS] = {"auto", "powell", "newton", "closed"};
static const char *const blends[] = {"org.sinew.linear-blend", "org.sinew.dual-quaternion"};
static const snw_setting bend = {"shape", SNW_VALUE(0)}, kink = {"shape", SNW_VALUE(1)}, ripple = {"shape", SNW_VALUE(2)},
						 fold = {"shape", SNW_VALUE(3)}, coil = {"shape", SNW_VALUE(4)};

#define DENT 0.01

/* The arm over a blend, and over that a layer (NULL: none). */
typedef struct layered_arm {
	arm_fixture arm;
	snw_layer layers[2];
} layered_arm;

static void layered_arm_open(layered_arm *context, const char *blend, const char *over, const snw_setting *setting) {
	arm_open(&context->arm);
	context->layers[0] = context->arm.scene->layers[0];
	context->layers[0].deformer = blend;
	context->layers[0].setting_count = 0;
	context->layers[1] = (snw_layer){.name = "over",
									 .deformer = over,
									 .deformer_version = "1.0",
									 .setting_count = setting ? 1 : 0,
									 .settings = setting,
									 .model = SNW_NONE};
	context->arm.scene->layers = context->layers;
	context->arm.scene->layer_count = over ? 2 : 1;
}

/* An example: the result of the stack at the pose, with a dent at x that is `width` metres wide. */
static uint32_t layered_arm_example(layered_arm *context, const char *name, double elbow, double twist, double x,
									double width) {
	snw_scene *scene = context->arm.scene;
	const snw_mesh *mesh = &scene->meshes[0];
	const uint32_t e = arm_example(&context->arm, name, elbow, twist, 0, 0);
	double *points = SNW_NEW_ARRAY(scene->arena, double, 3 * (size_t)mesh->point_count);
	fitting_stack stack = fitting_stack_of(scene, registry, NULL);
	fitting_truth(&stack, arm_view(&context->arm, &scene->poses[scene->examples[e].pose]), 0, points);
	fitting_stack_drop(&stack);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const double t = (mesh->points_rest[3 * (size_t)i] - x) / width;
		points[3 * (size_t)i + 2] += DENT * exp(-t * t);
		points[3 * (size_t)i + 1] -= DENT / 2 * exp(-t * t);
	}
	context->arm.examples[e].points_posed = points;
	return e;
}

static void layered_arm_examples(layered_arm *context) {
	const snw_member elbow = {layered_arm_example(context, "bent", 1.6, 0, 0.3, 0.05), SNW_NONE};
	const snw_member wrist = {layered_arm_example(context, "turned", 0, 1.4, 0.5, 0.05), SNW_NONE};
	arm_group(&context->arm, "elbow", 1, &elbow);
	arm_group(&context->arm, "wrist", 1, &wrist);
}

static snw_scene *layered_arm_fit(const layered_arm *context, int solver) {
	const snw_setting setting = {"solver", SNW_VALUE(solver)};
	snw_error error;
	fitting_clear_log();
	snw_scene *fitted = fitting_try(context->arm.scene, registry, "inverse-psd", 1, &setting, &error);
	if (!fitted) {
		fail_msg("%s", error.text);
	}
	return fitted;
}

static double longest_remaining(const snw_scene *fitted) {
	const uint32_t index = snw_scene_find_field(fitted, 0, "inverse-psd.residual");
	assert_int_not_equal(index, SNW_NONE);
	double most = 0;
	for (uint32_t i = 0; i < fitted->fields[index].count; i++) {
		most = fmax(most, fitted->fields[index].values[i]);
	}
	return most;
}

static void print_log(void) {
	for (uint32_t i = 0; i < 16; i++) {
		if (strstr(fitting_log[i], "calls") || strstr(fitting_log[i], "could not")) {
			print_message("    %s\n", fitting_log[i]);
		}
	}
}

/* The examples are reproduced; returns the size of w, in units of the sculpt. */
static double check_reproduced(const layered_arm *context, int solver, const char *base) {
	snw_scene *fitted = layered_arm_fit(context, solver);
	const double worst = arm_worst_example(fitted, registry), remaining = longest_remaining(fitted) / DENT;
	print_message("%s over %s: examples within %.2g of the box, w at most %.2g of the sculpt\n", solver_names[solver], base,
				  worst, remaining);
	print_log();
	assert_true(worst < 1e-6);
	assert_true(solver == CLOSED || solver == AUTO || fitting_logged("calls"));
	snw_scene_destroy(fitted);
	return remaining;
}

/* How far the corrective takes any point from where the layers below have it, over poses between its examples and beyond them,
 * in units of the sculpt. */
static double farthest_between(const layered_arm *context, const snw_scene *fitted) {
	enum { MOMENTS = 12 };
	const snw_scene *below = context->arm.scene;
	const uint32_t count = below->meshes[0].point_count;
	double *with = malloc(3 * (size_t)count * sizeof *with), *without = malloc(3 * (size_t)count * sizeof *without), most = 0;
	fitting_stack whole = fitting_stack_of(fitted, registry, NULL), base = fitting_stack_of(below, registry, NULL);
	for (int i = 0; i <= MOMENTS; i++) {
		const double part = 1.3 * i / MOMENTS;
		const snw_pose_view *view = arm_view(&context->arm, arm_pose(&context->arm, 0, 1.6 * part, 1.4 * (1.3 - part)));
		fitting_truth(&whole, view, 0, with);
		fitting_truth(&base, view, 0, without);
		most = fmax(most, fitting_distance(count, with, without));
	}
	fitting_stack_drop(&whole);
	fitting_stack_drop(&base);
	free(with);
	free(without);
	return most / DENT;
}

enum { SOLVERS_OF_FOLDS = NEWTON - AUTO + 1 };

/* Each sculpt has solutions on many branches of a fold. On a far one it is exact at its pose, and absurd between. */
static void sculpts_over_a_box_that_folds_stay_sane_between_their_poses(void **state) {
	(void)state;
	for (int run = 0; run < 2 * SOLVERS_OF_FOLDS; run++) {
		const int solver = AUTO + run % SOLVERS_OF_FOLDS;
		layered_arm context;
		layered_arm_open(&context, blends[0], "org.sinew.test.box", run < SOLVERS_OF_FOLDS ? &fold : &coil);
		layered_arm_examples(&context);
		check_reproduced(&context, solver, run < SOLVERS_OF_FOLDS ? "folds" : "a coil");
		snw_scene *fitted = layered_arm_fit(&context, solver);
		const double farthest = farthest_between(&context, fitted);
		print_message("%s: between the sculpts points go %.3g times the sculpt\n", solver_names[solver], farthest);
		assert_true(farthest < 15); /* 783 where nothing bounds how far a rest point goes */
		snw_scene_destroy(fitted);
		arm_close(&context.arm);
	}
}

/* ---- each point by itself ------------------------------------------------------------------------------------------------ */

static void solvers_agree_with_the_closed_form(void **state) {
	(void)state;
	for (int b = 0; b < 2; b++) {
		layered_arm context;
		layered_arm_open(&context, blends[b], NULL, NULL);
		layered_arm_examples(&context);
		const uint32_t count = context.arm.scene->meshes[0].point_count;
		double *points[SOLVERS];
		for (int solver = 0; solver < SOLVERS; solver++) {
			assert_true(check_reproduced(&context, solver, blends[b]) < 1e-3);
			snw_scene *fitted = layered_arm_fit(&context, solver);
			assert_int_equal(fitting_logged("calls"), solver == POWELL || solver == NEWTON);
			points[solver] = malloc(3 * (size_t)count * sizeof *points[solver]);
			fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
			fitting_truth(&stack, arm_view(&context.arm, arm_pose(&context.arm, 0.2, 0.9, 0.8)), 0, points[solver]);
			assert_true(fitting_distance(count, points[solver], points[0]) < 1e-7);
			fitting_stack_drop(&stack);
			snw_scene_destroy(fitted);
		}
		for (int solver = 0; solver < SOLVERS; solver++) {
			free(points[solver]);
		}
		arm_close(&context.arm);
	}
}

static void check_over_box(const snw_setting *shape, const char *base) {
	for (int b = 0; b < 2; b++) {
		layered_arm context;
		layered_arm_open(&context, blends[b], "org.sinew.test.box", shape);
		layered_arm_examples(&context);
		for (int solver = AUTO; solver <= NEWTON; solver++) {
			assert_true(check_reproduced(&context, solver, base) < 1e-3);
		}
		arm_close(&context.arm);
	}
}

static void examples_over_a_bend_are_reproduced(void **state) {
	(void)state;
	check_over_box(&bend, "a bend");
}

static void examples_over_kinks_are_reproduced(void **state) {
	(void)state;
	check_over_box(&kink, "kinks");
}

/* Newton steps fail; the points that they do not solve go to Powell's method, and little of them to w. */
static void points_that_newton_leaves_are_taken_by_powell(void **state) {
	(void)state;
	layered_arm context;
	layered_arm_open(&context, blends[0], "org.sinew.test.box", &ripple);
	layered_arm_examples(&context);
	assert_true(check_reproduced(&context, NEWTON, "ripples") > 0.1);
	assert_true(check_reproduced(&context, AUTO, "ripples") < 1e-3);
	arm_close(&context.arm);
}

static void closed_form_is_refused_over_a_black_box_with_the_reason(void **state) {
	(void)state;
	layered_arm context;
	layered_arm_open(&context, blends[0], "org.sinew.test.box", &bend);
	layered_arm_examples(&context);
	const snw_setting setting = {"solver", SNW_VALUE(CLOSED)};
	snw_error error;
	assert_null(fitting_try(context.arm.scene, registry, "inverse-psd", 1, &setting, &error));
	assert_non_null(strstr(error.text, "not affine"));
	assert_non_null(strstr(error.text, "newton"));
	arm_close(&context.arm);
}

/* All points are edited. Of a hundred thousand some are where the bend rotates space about a line, and nearly flattens it. None
 * of them may go to Powell's method, which would use all its calls. */
static void check_large_mesh(const char *solver, uint32_t points, uint32_t rows_expected, uint64_t calls,
							 uint64_t calls_over_bend) {
	const snw_bench_invert_options options = {
		.method = "inverse-psd", .over = "test-box", .solver = solver, .point_count = points, .rounds = 1};
	snw_arena *arena = snw_arena_create();
	snw_bench_invert_row *rows;
	uint32_t count;
	snw_error error = {0};
	assert_int_equal(snw_bench_invert(registry, &options, NULL, arena, &rows, &count, &error), SNW_OK);
	assert_int_equal(count, rows_expected);
	for (uint32_t i = 0; i < count; i++) {
		print_message("%s over %s: %u points, %u calls, %u failures, %.3f s, of these %.3f s for the inversion\n", solver,
					  rows[i].below, rows[i].points, (unsigned)rows[i].calls, rows[i].failures, rows[i].seconds,
					  rows[i].seconds_inverse);
		assert_true(rows[i].points > 0.98 * points && rows[i].failures == 0);
		assert_true(rows[i].calls <= (strcmp(rows[i].below, options.over) == 0 ? calls_over_bend : calls));
		assert_true(rows[i].seconds_inverse > 0 && rows[i].seconds_inverse <= rows[i].seconds);
		assert_true(rows[i].seconds_closed <= rows[i].seconds_inverse);
		assert_int_equal(rows[i].seconds_closed > 0, !rows[i].black_box);
	}
	snw_arena_destroy(arena);
}

static void calls_for_a_large_mesh_are_few(void **state) {
	(void)state;
	check_large_mesh("auto", 100000, 4, 8, 25);
	check_large_mesh("closed", 100000, 2, 2, 2);
}

/* Even if a few points never converge: every call of a fit counts towards the limit, whatever its purpose. */
static void powell_ends_at_its_cap_of_calls(void **state) {
	(void)state;
	check_large_mesh("powell", 25000, 3, 205, 400);
}

static void coefficients_of_a_pose_are_timed(void **state) {
	(void)state;
	snw_bench_coefficients_row row;
	snw_error error = {0};
	check_ok(snw_bench_coefficients(registry, "inverse-psd", &row, &error), error);
	print_message("%u examples, %u joints: %.2f us a pose\n", row.examples, row.joints, 1e6 * row.seconds);
	assert_true(row.examples == 64 && row.joints == 12 && row.seconds > 0);
}

/* ---- neighbours coupled -------------------------------------------------------------------------------------------------- */

static void examples_over_smooth_are_reproduced(void **state) {
	(void)state;
	for (int b = 0; b < 2; b++) {
		layered_arm context;
		layered_arm_open(&context, blends[b], "org.sinew.smooth", NULL);
		layered_arm_examples(&context);
		/* The dent is wider than the filter: w has what an inversion leaves when it ends, 1e-4 of the sculpt. */
		assert_true(check_reproduced(&context, AUTO, "smooth") < 1.1e-4);
		assert_true(fitting_logged("couple neighbouring points"));
		arm_close(&context.arm);
	}
}

/* Cases in which w has to do much of the work: detail that the smoothing removes, and masks that end in its middle. */
static void narrow_detail_and_masks_over_smooth_are_reproduced(void **state) {
	(void)state;
	layered_arm context;
	layered_arm_open(&context, blends[0], "org.sinew.smooth", NULL);
	const uint32_t inside = arm_mask(&context.arm, "inside", -0.02, 0.02, false);
	const uint32_t outside = arm_mask(&context.arm, "outside", -0.02, 0.02, true);
	const uint32_t bent = layered_arm_example(&context, "bent", 1.5, 0.4, 0.35, 0.004);
	const uint32_t more = layered_arm_example(&context, "more", 2.2, 0, 0.3, 0.03);
	arm_group(&context.arm, "inside", 1, &(snw_member){bent, inside});
	arm_group(&context.arm, "outside", 2, (const snw_member[]){{bent, outside}, {more, SNW_NONE}});
	check_reproduced(&context, AUTO, "smooth, with masks");
	arm_close(&context.arm);
}

static void model_is_the_same_bytes_for_any_number_of_threads(void **state) {
	(void)state;
	const char *const over[] = {"org.sinew.smooth", "org.sinew.test.box"};
	for (int k = 0; k < 2; k++) {
		layered_arm context;
		snw_scene *fitted[2];
		layered_arm_open(&context, blends[1], over[k], k == 1 ? &kink : NULL);
		layered_arm_examples(&context);
		for (int n = 0; n < 2; n++) {
			snw_parallel_threads(n == 0 ? 1 : 4);
			fitted[n] = layered_arm_fit(&context, AUTO);
		}
		snw_parallel_threads(0);
		const snw_saved_model *a = &fitted[0]->models[0], *b = &fitted[1]->models[0];
		assert_int_equal(a->byte_count, b->byte_count);
		assert_memory_equal(a->bytes, b->bytes, a->byte_count);
		snw_scene_destroy(fitted[0]);
		snw_scene_destroy(fitted[1]);
		arm_close(&context.arm);
	}
}

TEST_GROUP(black_box) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(solvers_agree_with_the_closed_form),
		cmocka_unit_test(examples_over_a_bend_are_reproduced),
		cmocka_unit_test(examples_over_kinks_are_reproduced),
		cmocka_unit_test(sculpts_over_a_box_that_folds_stay_sane_between_their_poses),
		cmocka_unit_test(points_that_newton_leaves_are_taken_by_powell),
		cmocka_unit_test(calls_for_a_large_mesh_are_few),
		cmocka_unit_test(powell_ends_at_its_cap_of_calls),
		cmocka_unit_test(coefficients_of_a_pose_are_timed),
		cmocka_unit_test(closed_form_is_refused_over_a_black_box_with_the_reason),
		cmocka_unit_test(examples_over_smooth_are_reproduced),
		cmocka_unit_test(narrow_detail_and_masks_over_smooth_are_reproduced),
		cmocka_unit_test(model_is_the_same_bytes_for_any_number_of_threads),
	};
	return cmocka_run_group_tests(tests, open_registry_with_boxes, close_registry);
}
