/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Linear blend, dual quaternion and smooth, each against its definition.
 */
#include "arms/bare_arm.h"
#include "scene/scene.h"
#include "task/task.h"

static snw_registry *registry;
static arm_fixture fixture;

static int open_all(void **state) {
	(void)state;
	registry = snw_registry_open();
	arm_open(&fixture);
	return 0;
}

static int close_all(void **state) {
	(void)state;
	arm_close(&fixture);
	snw_registry_close(registry);
	return 0;
}

static double *run(const char *method, const snw_pose *pose) {
	fitting_stack stack = fitting_stack_of(fixture.scene, registry, method);
	double *points = malloc(3 * (size_t)fixture.scene->meshes[0].point_count * sizeof *points);
	fitting_truth(&stack, arm_view(&fixture, pose), 0, points);
	fitting_stack_drop(&stack);
	return points;
}

static void linear_blend_is_the_weighted_mean_of_the_joints(void **state) {
	(void)state;
	const snw_mesh *mesh = &fixture.scene->meshes[0];
	const snw_pose *pose = arm_pose(&fixture, 0.4, 1.3, 2.1);
	const snw_pose_view *view = arm_view(&fixture, pose);
	double *points = run("linear-blend", pose);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		double expected[3] = {0, 0, 0};
		for (uint32_t k = mesh->influence_offsets[i]; k < mesh->influence_offsets[i + 1]; k++) {
			double posed[3];
			snw_mat34_point(view->palette + 12 * (size_t)mesh->influence_slots[k], mesh->points_rest + 3 * (size_t)i, posed);
			for (int c = 0; c < 3; c++) {
				expected[c] += mesh->influence_weights[k] * posed[c];
			}
		}
		for (int c = 0; c < 3; c++) {
			check_near(points[3 * (size_t)i + c], expected[c], 1e-12);
		}
	}
	free(points);
}

/* A twist is blended to a turn by the weighted angle's dual quaternion: distances from the axis stay. */
static void dual_quaternion_twist_keeps_the_distance_from_the_axis(void **state) {
	(void)state;
	const snw_mesh *mesh = &fixture.scene->meshes[0];
	const snw_pose *pose = arm_pose(&fixture, 0, 0, 2.6);
	double *by_quaternions = run("dual-quaternion", pose), *by_matrices = run("linear-blend", pose), least = 1;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const double *rest = mesh->points_rest + 3 * (size_t)i, *p = by_quaternions + 3 * (size_t)i,
					 *q = by_matrices + 3 * (size_t)i;
		check_near(hypot(p[1], p[2]), hypot(rest[1], rest[2]), 1e-12);
		check_near(p[0], rest[0], 1e-12);
		least = hypot(rest[1], rest[2]) > 0.01 ? fmin(least, hypot(q[1], q[2]) / hypot(rest[1], rest[2])) : least;
	}
	assert_true(least < 0.3); /* linear blend shows the candy-wrapper artifact there */
	free(by_quaternions);
	free(by_matrices);
}

static double roughness(const snw_mesh *mesh, const double *points) {
	double sum = 0;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t *face = mesh->face_points + mesh->face_offsets[f];
		for (int c = 0; c < 3; c++) {
			const double bend = points[3 * (size_t)face[0] + c] - points[3 * (size_t)face[1] + c] +
								points[3 * (size_t)face[2] + c] - points[3 * (size_t)face[3] + c];
			sum += bend * bend;
		}
	}
	return sum;
}

static void smooth_points(const snw_deformer *smooth, const snw_model *model, const snw_value *values, const double *in,
						  double *out, uint32_t begin, uint32_t end) {
	const snw_deform_call call = {
		.size = sizeof call, .model = model, .values = values, .begin = begin, .end = end, .points_in = in, .points_out = out};
	assert_int_equal(smooth->deform(&call), SNW_OK);
}

static void smooth_smooths_and_more_passes_smooth_more(void **state) {
	(void)state;
	const snw_mesh *mesh = &fixture.scene->meshes[0];
	const snw_deformer *smooth = snw_registry_find(registry, "smooth");
	snw_arena *arena = snw_arena_create();
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	const snw_character_view *character = snw_character_view_make(fixture.scene, arena);
	const snw_fit_input input = {.size = sizeof input, .character = character};
	snw_instance *instance;
	snw_model *model;
	assert_int_equal(snw_deformer_create(smooth, snw_services_host(services), &instance), SNW_OK);
	assert_int_equal(smooth->fit(instance, &input, &model), SNW_OK);
	double *points[3];
	for (int n = 0; n < 3; n++) {
		points[n] = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count);
	}
	for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
		points[0][i] = mesh->points_rest[i] + 0.001 * sin(12.9898 * (double)i);
	}
	const snw_value half[2] = {SNW_VALUE(3), SNW_VALUE(0.5)}, still[2] = {SNW_VALUE(1), SNW_VALUE(0)};
	assert_int_equal(smooth->passes(model, half), 3);
	smooth_points(smooth, model, half, points[0], points[1], 0, mesh->point_count);
	assert_true(roughness(mesh, points[1]) < roughness(mesh, points[0]));
	/* Any split into ranges gives the same bits. */
	for (uint32_t begin = 0; begin < mesh->point_count; begin += 777) {
		const uint32_t end = begin + 777 < mesh->point_count ? begin + 777 : mesh->point_count;
		smooth_points(smooth, model, half, points[0], points[2], begin, end);
	}
	assert_memory_equal(points[1], points[2], 3 * (size_t)mesh->point_count * sizeof(double));
	smooth_points(smooth, model, half, points[1], points[2], 0, mesh->point_count);
	assert_true(roughness(mesh, points[2]) < roughness(mesh, points[1]));
	smooth_points(smooth, model, still, points[0], points[2], 0, mesh->point_count);
	assert_memory_equal(points[0], points[2], 3 * (size_t)mesh->point_count * sizeof(double));
	const char *reason = NULL;
	snw_program_part part;
	assert_int_equal(snw_deformer_lower(smooth, snw_services_host(services), model, half, 0, &part, &reason),
					 SNW_ERROR_UNSUPPORTED);
	assert_non_null(reason);
	smooth->release(model);
	smooth->destroy(instance);
	assert_int_equal(snw_services_bytes(services), 0);
	snw_services_destroy(services);
	snw_arena_destroy(arena);
}

/* A square of quads: its border is smoothed along the border, so its sides stay straight and its plane stays flat. */
static void smooth_keeps_a_straight_border_straight(void **state) {
	(void)state;
	snw_scene *cloth;
	snw_error error;
	check_ok(snw_sample_make("cloth", &cloth, &error), error);
	const snw_layer layer = {.name = "smooth", .deformer = "org.sinew.smooth", .deformer_version = "1.0", .model = SNW_NONE};
	cloth->layers = &layer;
	cloth->layer_count = 1;
	const snw_mesh *mesh = &cloth->meshes[0];
	fitting_stack stack = fitting_stack_of(cloth, registry, NULL);
	double *points = malloc(3 * (size_t)mesh->point_count * sizeof *points);
	const snw_pose_view rest = {.size = sizeof rest};
	fitting_truth(&stack, &rest, 0, points);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		check_near(points[3 * (size_t)i + 2], 0, 1e-12);
		if (fabs(mesh->points_rest[3 * (size_t)i + 1]) < 1e-12) {
			check_near(points[3 * (size_t)i + 1], 0, 0.05); /* corners alone leave the line */
		}
	}
	/* The middle of the lower side, far from the corners, has not moved at all. */
	const size_t middle = 3 * (size_t)(mesh->point_count - 21);
	for (int c = 0; c < 3; c++) {
		check_near(points[middle + c], mesh->points_rest[middle + c], 1e-12);
	}
	free(points);
	fitting_stack_drop(&stack);
	snw_scene_destroy(cloth);
}

TEST_GROUP(blends) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(linear_blend_is_the_weighted_mean_of_the_joints),
		cmocka_unit_test(dual_quaternion_twist_keeps_the_distance_from_the_axis),
		cmocka_unit_test(smooth_smooths_and_more_passes_smooth_more),
		cmocka_unit_test(smooth_keeps_a_straight_border_straight),
	};
	return cmocka_run_group_tests(tests, open_all, close_all);
}
