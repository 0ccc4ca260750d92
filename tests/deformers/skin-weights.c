/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights for a skeleton: they are a skin, follow the nearest bones, and are better where motion is known.
 */
#include "base/parallel.h"
#include "check.h"
#include "fit/fit.h"
#include "measure/measure.h"
#include "sample/sample.h"
#include "sample/trial_character.h"
#include "scene/copy.h"

typedef struct fixture {
	snw_registry *registry;
	snw_arena *arena;
} fixture;

static int open_fixture(void **state) {
	fixture *f = calloc(1, sizeof *f);
	f->registry = snw_registry_open();
	f->arena = snw_arena_create();
	*state = f;
	return 0;
}

static int close_fixture(void **state) {
	fixture *f = *state;
	snw_arena_destroy(f->arena);
	snw_registry_close(f->registry);
	free(f);
	return 0;
}

static snw_scene *sample(const char *name) {
	snw_scene *scene = NULL;
	snw_error error = {0};
	check_ok(snw_sample_make(name, &scene, &error), error);
	return scene;
}

/* The character as a modeller delivers it: no skin, no slots, no layers. */
static void strip_skin(snw_scene *scene) {
	snw_mesh *meshes = snw_arena_copy(scene->arena, scene->meshes, scene->mesh_count * sizeof *meshes);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		meshes[m].influence_offsets = meshes[m].influence_slots = NULL;
		meshes[m].influence_weights = NULL;
	}
	scene->meshes = meshes;
	scene->slot_count = scene->layer_count = scene->example_count = scene->group_count = 0;
}

/* The scene with the weights; settings as "key", number. */
static snw_scene *bind(const fixture *f, const snw_scene *scene, uint32_t count, const snw_setting *settings) {
	const snw_fit_request request = {
		.method = "skin-weights", .setting_count = count, .settings = settings, .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = f->arena};
	snw_error error = {0};
	snw_scene *bound = NULL;
	check_ok(snw_fit_run(scene, f->registry, &request, NULL, &outcome, &error), error);
	check_ok(snw_fit_apply(scene, &outcome, &bound, &error), error);
	return bound;
}

static const snw_setting from_heat = {"source", SNW_NUMBER(1)};

static double erms(const fixture *f, const snw_scene *scene, uint32_t target) {
	const snw_measure_request request = {.mesh = scene->targets[target].mesh, .target = target, .method = "linear-blend"};
	snw_measure measure;
	snw_error error = {0};
	check_ok(snw_measure_run(scene, f->registry, &request, NULL, &measure, &error), error);
	return measure.erms;
}

static void mesh_without_a_skin_gets_one(void **state) {
	const fixture *f = *state;
	snw_scene *scene = sample("small-arm"), *bare = snw_scene_copy(scene);
	strip_skin(bare);
	snw_scene *bound = bind(f, bare, 1, &from_heat);
	assert_int_equal(bound->slot_count, bound->skeleton.joint_count);
	assert_int_equal(bound->layer_count, 1);
	for (uint32_t t = 0; t < scene->target_count; t++) {
		const double artist = erms(f, scene, t), heat = erms(f, bound, t);
		print_message("%s: %.3f with the sample's weights, %.3f with heat\n", scene->targets[t].name, artist, heat);
		assert_true(heat < 2 * artist);
	}
	snw_scene_destroy(bound);
	snw_scene_destroy(bare);
	snw_scene_destroy(scene);
}

/* Every mesh is bound; points at most to as many joints as asked for; the same bits on any number of threads. */
static void weights_are_few_and_the_same_on_any_number_of_threads(void **state) {
	const fixture *f = *state;
	snw_scene *scene = snw_trial_character();
	const snw_setting settings[] = {from_heat, {"influences", SNW_NUMBER(2)}};
	snw_parallel_threads(1);
	snw_scene *alone = bind(f, scene, 2, settings);
	snw_parallel_threads(3);
	snw_scene *together = bind(f, scene, 2, settings);
	snw_parallel_threads(0);
	assert_true(scene->mesh_count > 1);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_mesh *one = &alone->meshes[m], *many = &together->meshes[m];
		const uint32_t count = one->influence_offsets[one->point_count];
		assert_int_equal(many->influence_offsets[one->point_count], count);
		assert_memory_equal(one->influence_slots, many->influence_slots, count * sizeof *one->influence_slots);
		assert_memory_equal(one->influence_weights, many->influence_weights, count * sizeof(double));
		for (uint32_t i = 0; i < one->point_count; i++) {
			assert_in_range(one->influence_offsets[i + 1] - one->influence_offsets[i], 1, 2);
		}
	}
	snw_scene_destroy(together);
	snw_scene_destroy(alone);
	snw_scene_destroy(scene);
}

/* Heat is smooth: neighbours differ little, and the middle of each bone follows that bone alone. */
static void bones_keep_what_is_theirs(void **state) {
	const fixture *f = *state;
	snw_scene *scene = sample("small-arm");
	strip_skin(scene);
	snw_scene *bound = bind(f, scene, 1, &from_heat);
	const snw_mesh *mesh = &bound->meshes[0];
	for (uint32_t j = 0; j < bound->skeleton.joint_count; j++) {
		double most = 0;
		for (uint32_t k = 0; k < mesh->influence_offsets[mesh->point_count]; k++) {
			assert_true(mesh->influence_weights[k] > 0 && mesh->influence_weights[k] <= 1);
			most = bound->slot_joints[mesh->influence_slots[k]] == j ? fmax(most, mesh->influence_weights[k]) : most;
		}
		assert_true(most > 0.98);
	}
	snw_scene_destroy(bound);
	snw_scene_destroy(scene);
}

static void motion_makes_weights_better(void **state) {
	const fixture *f = *state;
	snw_scene *scene = sample("small-arm");
	scene->example_count = scene->group_count = 0;
	scene->layer_count = 1;
	snw_scene *heat = bind(f, scene, 1, &from_heat), *motion = bind(f, scene, 0, NULL);
	for (uint32_t t = 0; t < scene->target_count; t++) {
		assert_true(erms(f, motion, t) < erms(f, heat, t));
	}
	snw_scene_destroy(motion);
	snw_scene_destroy(heat);
	snw_scene_destroy(scene);
}

/* The last joint moves no points and has no slot, as in a file whose skin does not name it. */
static void free_last_joint(snw_scene *scene) {
	snw_mesh *mesh = snw_arena_copy(scene->arena, scene->meshes, sizeof *mesh);
	const uint32_t last = --scene->slot_count, most = mesh->influence_offsets[mesh->point_count];
	uint32_t *offsets = SNW_NEW_ARRAY(scene->arena, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(scene->arena, uint32_t, most);
	double *weights = SNW_NEW_ARRAY(scene->arena, double, most);
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		uint32_t end = offsets[p];
		double sum = 0;
		for (uint32_t k = mesh->influence_offsets[p]; k < mesh->influence_offsets[p + 1]; k++) {
			if (mesh->influence_slots[k] != last) {
				slots[end] = mesh->influence_slots[k];
				sum += weights[end++] = mesh->influence_weights[k];
			}
		}
		if (end == offsets[p]) {
			slots[end] = last - 1;
			sum = weights[end++] = 1;
		}
		for (uint32_t k = offsets[p]; k < end; k++) {
			weights[k] /= sum;
		}
		offsets[p + 1] = end;
	}
	mesh->influence_offsets = offsets;
	mesh->influence_slots = slots;
	mesh->influence_weights = weights;
	scene->meshes = mesh;
}

/* A slot for every joint is more than the model of a layer was fitted with. */
static void layers_whose_models_would_not_load_are_named(void **state) {
	const fixture *f = *state;
	snw_scene *scene = sample("small-arm"), *fitted = NULL;
	snw_error error = {0};
	assert_int_equal(scene->mesh_count, 1);
	scene->example_count = scene->group_count = 0;
	scene->layer_count = 1;
	free_last_joint(scene);
	snw_fit_request request = {.method = "linear-blend-fit", .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = f->arena};
	assert_true(!snw_failed(snw_fit_run(scene, f->registry, &request, NULL, &outcome, &error)));
	check_ok(snw_fit_apply(scene, &outcome, &fitted, &error), error);
	request.method = "skin-weights";
	assert_int_equal(snw_fit_run(fitted, f->registry, &request, NULL, &outcome, &error), SNW_ERROR_CONFLICT);
	assert_non_null(strstr(error.text, "'linear-blend-fit'"));
	snw_layer *layers = snw_arena_copy(f->arena, fitted->layers, fitted->layer_count * sizeof *layers);
	layers[0].muted = false;
	layers[1].muted = true;
	fitted->layers = layers;
	snw_scene *bound = bind(f, fitted, 1, &from_heat);
	assert_int_equal(bound->slot_count, bound->skeleton.joint_count);
	snw_scene_destroy(bound);
	snw_scene_destroy(fitted);
	snw_scene_destroy(scene);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(mesh_without_a_skin_gets_one, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(weights_are_few_and_the_same_on_any_number_of_threads, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(bones_keep_what_is_theirs, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(motion_makes_weights_better, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(layers_whose_models_would_not_load_are_named, open_fixture, close_fixture),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
