/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rare features of the ABI, with a method that uses them (gather.c): open and close, an extension, corners, the thread
 * index, prepare.
 */
#include "gather.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "plugin/registry.h"
#include "sinew/algebra.h"
#include "stack/setup.h"
#include "validate/validate.h"

static gather_calls *calls; /* the plug-in's, which stays loaded for as long as the test runs */

static int open_calls(void **state) {
	(void)state;
	void *module = dlopen(GATHER, RTLD_NOW | RTLD_LOCAL);
	calls = module ? dlsym(module, "gather_calls_made") : NULL;
	return calls ? 0 : 1;
}

static int clear_calls(void **state) {
	(void)state;
	*calls = (gather_calls){0};
	return 0;
}

static snw_registry *load(void) {
	snw_error error = {0};
	snw_registry *registry = snw_registry_open_empty();
	check_ok(snw_registry_load(registry, GATHER, &error), error);
	return registry;
}

/* ---- open, close, extension ---------------------------------------------------------------------------------------------- */

static void open_gets_the_path_and_each_open_has_a_close(void **state) {
	(void)state;
	char *path = realpath(GATHER, NULL);
	snw_error error = {0};
	snw_registry *one = load(), *other = load();
	check_ok(snw_registry_load(one, GATHER, &error), error); /* again: it is there */
	assert_int_equal(calls->opens, 2);
	assert_string_equal(calls->path, path);
	assert_int_equal(calls->closes, 0);
	snw_registry_close(one);
	assert_int_equal(calls->closes, 1);
	assert_non_null(snw_registry_find(other, "test-gather"));
	snw_registry_close(other);
	assert_int_equal(calls->closes, 2);
	free(path);
}

static void open_that_fails_refuses_the_file_and_is_not_closed(void **state) {
	(void)state;
	snw_error error = {0};
	snw_registry *registry = snw_registry_open_empty();
	calls->refuses = 1;
	assert_true(snw_failed(snw_registry_load(registry, GATHER, &error)));
	assert_non_null(strstr(error.text, "its function 'open' failed"));
	assert_null(snw_registry_find(registry, "test-gather"));
	snw_registry_close(registry);
	assert_int_equal(calls->closes, 0);
}

static void extension_is_found_by_its_id(void **state) {
	(void)state;
	snw_registry *registry = load();
	const snw_deformer *deformer = snw_registry_find(registry, "test-gather");
	const gather_strength *table = snw_deformer_extension(deformer, GATHER_EXTENSION);
	assert_non_null(table);
	assert_int_equal(table->size, sizeof *table);
	check_near(table->strength(), 0.25, 0);
	assert_null(snw_deformer_extension(deformer, "org.sinew.test.gather.strength/1"));
	snw_registry_close(registry);
}

/* ---- corners, threads and prepare ---------------------------------------------------------------------------------------- */

/* The trial character with UVs and normals that differ at the corners of one point, and a layer of the method. */
static snw_scene *make_scene(const snw_registry *registry, bool with_corners) {
	snw_scene *scene = snw_trial_character();
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		snw_mesh *mesh = (snw_mesh *)(uintptr_t)&scene->meshes[m];
		const uint32_t corners = mesh->face_offsets[mesh->face_count];
		float *uvs = SNW_NEW_ARRAY(scene->arena, float, 2 * (size_t)corners);
		float *normals = SNW_NEW_ARRAY(scene->arena, float, 3 * (size_t)corners);
		for (uint32_t c = 0; c < corners; c++) {
			uvs[2 * (size_t)c] = (float)(c % 11) / 10;
			uvs[2 * (size_t)c + 1] = 7; /* v is not to be read as u */
			normals[3 * (size_t)c + c % 3] = 1;
		}
		mesh->corner_uvs = with_corners ? uvs : NULL;
		mesh->corner_normals = with_corners ? normals : NULL;
	}
	scene->layer_count = 0;
	setup_add_layer(scene, registry, "test-gather", "gather", "");
	return scene;
}

/* Two passes as the comment on gather.c says, in place. */
static void gather_points(const snw_mesh *mesh, double *points) {
	double *sums = calloc(5 * (size_t)mesh->point_count, sizeof *sums);
	for (uint32_t c = 0; c < mesh->face_offsets[mesh->face_count]; c++) {
		double *sum = sums + 5 * (size_t)mesh->face_points[c];
		sum[0] += (double)mesh->corner_uvs[2 * (size_t)c];
		for (size_t k = 0; k < 3; k++) {
			sum[1 + k] += (double)mesh->corner_normals[3 * (size_t)c + k];
		}
		sum[4]++;
	}
	for (int pass = 0; pass < 2; pass++) {
		double centroid[3] = {0, 0, 0};
		for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
			centroid[i % 3] += points[i] / mesh->point_count;
		}
		for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
			const double *sum = sums + 5 * (i / 3), count = fmax(sum[4], 1);
			points[i] += 0.25 * sum[0] / count * (centroid[i % 3] - points[i]) + 0.01 * sum[1 + i % 3] / count;
		}
	}
	free(sums);
}

/* All meshes at a pose, behind each other. */
static double *run(const snw_scene *scene, const snw_registry *registry, uint32_t threads) {
	snw_error error = {0};
	snw_parallel_threads(threads);
	snw_stack *stack = setup_stack(scene, registry, NULL);
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	size_t numbers = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		numbers += 3 * (size_t)scene->meshes[m].point_count;
	}
	double *points = malloc(numbers * sizeof *points), *at = points;
	check_ok(snw_stack_drive(stack, snw_pose_view_make(scene, &scene->poses[1], scene->arena), evaluation, &error), error);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		check_ok(snw_stack_reference(stack, evaluation, m, NULL, at, &error), error);
		at += 3 * (size_t)scene->meshes[m].point_count;
	}
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
	snw_parallel_threads(0);
	return points;
}

static void corners_and_a_whole_mesh_sum_move_the_points(void **state) {
	(void)state;
	static _Atomic uint32_t prepares;
	calls->prepares = &prepares;
	snw_registry *registry = load();
	snw_scene *scene = make_scene(registry, true);
	double *got = run(scene, registry, 1), *at = got;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		const size_t numbers = 3 * (size_t)mesh->point_count;
		double *wanted = snw_arena_copy(scene->arena, mesh->points_rest, numbers * sizeof *wanted);
		gather_points(mesh, wanted);
		assert_true(setup_distance(wanted, mesh->points_rest, numbers) > 0.01);
		check_near(setup_distance(wanted, at, numbers), 0, 1e-12);
		at += numbers;
	}
	assert_int_equal(prepares, 2 * scene->mesh_count); /* once a pass */
	free(got);
	snw_scene_destroy(scene);
	snw_registry_close(registry);
}

static void mesh_without_uvs_and_normals_has_null_for_them(void **state) {
	(void)state;
	snw_registry *registry = load();
	snw_scene *scene = make_scene(registry, false);
	double *got = run(scene, registry, 1);
	assert_memory_equal(got, scene->meshes[0].points_rest, 3 * sizeof *got * scene->meshes[0].point_count);
	free(got);
	snw_scene_destroy(scene);
	snw_registry_close(registry);
}

static void threads_have_separate_scratch_and_give_the_same_bits(void **state) {
	(void)state;
	snw_registry *registry = load();
	snw_scene *scene = make_scene(registry, true);
	double *one = run(scene, registry, 1);
	for (uint32_t threads = 2; threads <= 8; threads++) {
		double *many = run(scene, registry, threads);
		assert_memory_equal(one, many, 3 * sizeof *one * scene->meshes[0].point_count);
		free(many);
	}
	assert_true(calls->chunks > 8 * 8);
	assert_int_equal(calls->collisions, 0);
	assert_int_equal(calls->past, 0);
	free(one);
	snw_scene_destroy(scene);
	snw_registry_close(registry);
}

static void fail_on_failure(void *context, const char *name, bool passed, const char *words) {
	(void)context;
	if (!passed) {
		print_error("%s: %s\n", name, words);
	}
}

static void method_passes_the_validator(void **state) {
	(void)state;
	const snw_validate_listener listener = {NULL, fail_on_failure};
	snw_error error = {0};
	check_ok(snw_validate(GATHER,
						  &(snw_validate_options){
							  .seed = 20261122, .limit_seconds = CHECK_PATIENCE_SECONDS, .level = SNW_VALIDATE_QUICK},
						  &listener, &error),
			 error);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(open_gets_the_path_and_each_open_has_a_close, clear_calls),
		cmocka_unit_test_setup(open_that_fails_refuses_the_file_and_is_not_closed, clear_calls),
		cmocka_unit_test_setup(extension_is_found_by_its_id, clear_calls),
		cmocka_unit_test_setup(corners_and_a_whole_mesh_sum_move_the_points, clear_calls),
		cmocka_unit_test_setup(mesh_without_uvs_and_normals_has_null_for_them, clear_calls),
		cmocka_unit_test_setup(threads_have_separate_scratch_and_give_the_same_bits, clear_calls),
		cmocka_unit_test_setup(method_passes_the_validator, clear_calls),
	};
	return cmocka_run_group_tests(tests, open_calls, NULL);
}
