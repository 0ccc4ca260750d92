/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Delta mush alone: the rest is a fixed point, rigid motion is preserved, noise is removed, the mask mixes, and malformed
 * meshes give finite points. Under inverse-psd every sculpt is reproduced.
 */
#include "fitting.h"

#include "random.h"
#include "scene/scene.h"

static snw_registry *registry;
static snw_services *services;

static int open_all(void **state) {
	(void)state;
	registry = snw_registry_open();
	services = snw_services_create(NULL, NULL, NULL, NULL);
	return 0;
}

static int close_all(void **state) {
	(void)state;
	snw_services_destroy(services);
	snw_registry_close(registry);
	return 0;
}

/* The result of the deformer for points of a mesh: [point_count][3], to be freed. */
static double *mush(const snw_mesh_view *mesh, double iterations, double strength, const double *points) {
	const snw_deformer *deformer = snw_registry_find(registry, "delta-mush");
	const snw_value values[] = {SNW_VALUE(iterations), SNW_VALUE(strength)};
	const snw_mesh_view *const meshes[] = {mesh};
	const snw_character_view character = {.size = sizeof character, .mesh_count = 1, .meshes = meshes};
	const snw_fit_input input = {.size = sizeof input, .character = &character, .value_count = 2, .values = values};
	const size_t bytes = 3 * (size_t)mesh->point_count * sizeof *points;
	double *in = malloc(bytes + 1), *out = malloc(bytes + 1);
	snw_instance *instance;
	snw_model *model;
	assert_int_equal(snw_deformer_create(deformer, snw_services_host(services), &instance), SNW_OK);
	assert_int_equal(deformer->fit(instance, &input, &model), SNW_OK);
	deformer->destroy(instance);
	memcpy(out, points, bytes);
	for (uint32_t pass = 0; pass < deformer->passes(model, values); pass++) {
		memcpy(in, out, bytes);
		const snw_deform_call call = {.size = sizeof call,
									  .model = model,
									  .values = values,
									  .pass = pass,
									  .end = mesh->point_count,
									  .points_rest = mesh->points_rest,
									  .points_below = points,
									  .points_in = in,
									  .points_out = out};
		assert_int_equal(deformer->deform(&call), SNW_OK);
	}
	deformer->release(model);
	free(in);
	return out;
}

static snw_scene *arm(const snw_mesh_view **mesh) {
	snw_scene *scene = NULL;
	snw_error error;
	check_ok(snw_sample_make("arm", &scene, &error), error);
	*mesh = snw_character_view_make(scene, scene->arena)->meshes[0];
	return scene;
}

/* Points moved at random by at most `size` along each axis. */
static double *shaken(uint32_t count, const double *points, double size) {
	double *result = malloc(3 * (size_t)count * sizeof *result);
	uint64_t random = 5;
	for (size_t i = 0; i < 3 * (size_t)count; i++) {
		result[i] = points[i] + size * ((double)random_below(&random, 2001) / 1000 - 1);
	}
	return result;
}

static void rest_is_a_fixed_point(void **state) {
	(void)state;
	const snw_mesh_view *mesh;
	snw_scene *scene = arm(&mesh);
	static const double settings[][2] = {{10, 0.5}, {1, 1}, {200, 0.5}, {0, 0.5}, {10, 0}};
	for (size_t n = 0; n < sizeof settings / sizeof *settings; n++) {
		double *out = mush(mesh, settings[n][0], settings[n][1], mesh->points_rest);
		assert_true(fitting_distance(mesh->point_count, out, mesh->points_rest) < 1e-12);
		free(out);
	}
	snw_scene_destroy(scene);
}

static void rigid_motion_is_preserved(void **state) {
	(void)state;
	const snw_mesh_view *mesh;
	snw_scene *scene = arm(&mesh);
	const uint32_t count = mesh->point_count;
	double quaternion[4], matrix[12];
	snw_quat_from_rotation_vector((const double[3]){1.2, -2.1, 0.7}, quaternion);
	snw_quat_to_mat34(quaternion, matrix);
	matrix[3] = 3, matrix[7] = -1, matrix[11] = 0.5;
	double *posed = shaken(count, mesh->points_rest, 0.01), *transformed = malloc(3 * (size_t)count * sizeof *transformed);
	for (size_t i = 0; i < count; i++) {
		snw_mat34_point(matrix, posed + 3 * i, transformed + 3 * i);
	}
	double *plain = mush(mesh, 10, 0.5, posed), *mushed_transformed = mush(mesh, 10, 0.5, transformed);
	for (size_t i = 0; i < count; i++) {
		snw_mat34_point(matrix, plain + 3 * i, plain + 3 * i);
	}
	assert_true(fitting_distance(count, plain, mushed_transformed) < 1e-12);
	free(posed);
	free(transformed);
	free(plain);
	free(mushed_transformed);
	snw_scene_destroy(scene);
}

static double roughness(uint32_t count, const double *a, const double *b) {
	double sum = 0;
	for (size_t i = 0; i < 3 * (size_t)count; i++) {
		sum += (a[i] - b[i]) * (a[i] - b[i]);
	}
	return sqrt(sum / count);
}

static void noise_is_smoothed_and_detail_of_the_rest_is_kept(void **state) {
	(void)state;
	const snw_mesh_view *plain;
	snw_scene *scene = arm(&plain);
	const uint32_t count = plain->point_count;
	double *detailed = shaken(count, plain->points_rest, 0.002);
	snw_mesh_view mesh = *plain;
	mesh.points_rest = detailed;
	double *out = mush(&mesh, 10, 0.5, detailed);
	assert_true(fitting_distance(count, out, detailed) < 1e-12);
	double *noisy = shaken(count, plain->points_rest, 0.002), *smooth = mush(plain, 10, 0.5, noisy);
	assert_true(roughness(count, smooth, plain->points_rest) < 0.6 * roughness(count, noisy, plain->points_rest));
	free(detailed);
	free(out);
	free(noisy);
	free(smooth);
	snw_scene_destroy(scene);
}

static void mask_mixes(void **state) {
	(void)state;
	const snw_mesh_view *plain;
	snw_scene *scene = arm(&plain);
	const uint32_t count = plain->point_count;
	double *mask = malloc(count * sizeof *mask), *posed = shaken(count, plain->points_rest, 0.01);
	for (uint32_t i = 0; i < count; i++) {
		mask[i] = 0.5 * (i % 3);
	}
	const snw_field_view field = {.size = sizeof field,
								  .name = "delta-mush-mask",
								  .domain = SNW_DOMAIN_POINTS,
								  .components = 1,
								  .count = count,
								  .values = mask};
	const snw_field_view *const fields[] = {&field};
	snw_mesh_view mesh = *plain;
	mesh.field_count = 1;
	mesh.fields = fields;
	double *whole = mush(plain, 10, 0.5, posed), *mixed = mush(&mesh, 10, 0.5, posed);
	for (size_t i = 0; i < 3 * (size_t)count; i++) {
		const uint32_t step = (uint32_t)(i / 3) % 3;
		if (step == 0) {
			assert_true(mixed[i] == posed[i]);
		} else {
			assert_true(fabs(mixed[i] - (step == 2 ? whole[i] : (whole[i] + posed[i]) / 2)) < 1e-12);
		}
	}
	free(mask);
	free(posed);
	free(whole);
	free(mixed);
	snw_scene_destroy(scene);
}

/* Points 0 to 8: a grid. 9: alone. 10 and 11: over an edge of the grid, so that three and four faces meet there. 12: where 13
 * is. 14 to 16: a face without area. 17: in a face that repeats it. */
static const double hostile_points[18][3] = {
	{0, 0, 0}, {1, 0, 0},   {2, 0, 0},  {0, 1, 0}, {1, 1, 0}, {2, 1, 0}, {0, 2, 0}, {1, 2, 0}, {2, 2, 0},
	{5, 5, 5}, {1, 0.5, 1}, {1, 1, -1}, {3, 0, 0}, {3, 0, 0}, {4, 0, 0}, {5, 0, 0}, {6, 0, 0}, {3, 2, 0},
};
static const uint32_t hostile_corners[] = {0, 1, 4,  3, 1, 2,  5, 4,  3,  4,  7,  6,  4,  5,  8, 7,
										   4, 1, 10, 1, 4, 11, 2, 12, 13, 14, 15, 16, 17, 17, 8};
static const uint32_t hostile_offsets[] = {0, 4, 8, 12, 16, 19, 22, 25, 28, 31};

static void hostile_meshes_stay_at_rest_and_finite(void **state) {
	(void)state;
	const snw_mesh_view mesh = {.size = sizeof mesh,
								.name = "hostile",
								.point_count = 18,
								.points_rest = hostile_points[0],
								.face_count = 9,
								.face_offsets = hostile_offsets,
								.face_points = hostile_corners};
	double *at_rest = mush(&mesh, 10, 0.5, mesh.points_rest);
	assert_true(fitting_distance(18, at_rest, mesh.points_rest) < 1e-12);
	double flat[18][3] = {{0}}, *posed = shaken(18, mesh.points_rest, 0.2);
	double *shaken_out = mush(&mesh, 10, 0.5, posed), *flat_out = mush(&mesh, 10, 0.5, flat[0]);
	for (size_t c = 0; c < sizeof flat / sizeof **flat; c++) {
		assert_true(isfinite(shaken_out[c]));
		assert_true(flat_out[c] == 0);
	}
	assert_memory_equal(shaken_out + 27, posed + 27, 3 * sizeof *posed); /* the isolated point */
	free(at_rest);
	free(posed);
	free(shaken_out);
	free(flat_out);
}

static void empty_meshes_are_bound(void **state) {
	(void)state;
	const double point[3] = {1, 2, 3};
	for (uint32_t count = 0; count < 2; count++) {
		const snw_mesh_view mesh = {.size = sizeof mesh, .name = "few", .point_count = count, .points_rest = point};
		double *out = mush(&mesh, 3, 1, point);
		assert_memory_equal(out, point, 3 * count * sizeof *out);
		free(out);
	}
}

static void sculpts_over_it_are_reproduced(void **state) {
	(void)state;
	const snw_mesh_view *mesh;
	snw_scene *scene = arm(&mesh);
	const snw_layer layers[] = {
		{.name = "dual-quaternion", .deformer = "org.sinew.dual-quaternion", .deformer_version = "1.0", .model = SNW_NONE},
		{.name = "delta-mush", .deformer = "org.sinew.delta-mush", .deformer_version = "1.0", .model = SNW_NONE}};
	scene->layers = layers;
	scene->layer_count = 2;
	snw_scene *fitted = fitting_run(scene, registry, "inverse-psd");
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	double *points = malloc(3 * (size_t)mesh->point_count * sizeof *points);
	assert_string_equal(snw_stack_segment(stack.stack, 0, 1).layers, "delta-mush");
	for (uint32_t e = 0; e < fitted->example_count; e++) {
		const snw_example *example = &fitted->examples[e];
		fitting_truth(&stack, snw_pose_view_make(fitted, &fitted->poses[example->pose], fitted->arena), 0, points);
		assert_true(fitting_distance(mesh->point_count, points, example->points_posed) < 1e-6 * snw_scene_diagonal(fitted, 0));
	}
	free(points);
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
	snw_scene_destroy(scene);
}

TEST_GROUP(delta_mush) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rest_is_a_fixed_point),
		cmocka_unit_test(rigid_motion_is_preserved),
		cmocka_unit_test(noise_is_smoothed_and_detail_of_the_rest_is_kept),
		cmocka_unit_test(mask_mixes),
		cmocka_unit_test(hostile_meshes_stay_at_rest_and_finite),
		cmocka_unit_test(empty_meshes_are_bound),
		cmocka_unit_test(sculpts_over_it_are_reproduced),
	};
	return cmocka_run_group_tests(tests, open_all, close_all);
}
