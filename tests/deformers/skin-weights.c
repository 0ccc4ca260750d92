/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights for a skeleton: they are a skin, follow the nearest bones, and are better where motion is known.
 */
#include "measure/measure.h"
#include "must_fit.h"
#include "sample/sample.h"

typedef struct fixture {
	snw_arena *arena;
} fixture;

static int open_fixture(void **state) {
	fixture *f = calloc(1, sizeof *f);
	registry = snw_registry_open();
	f->arena = snw_arena_create();
	*state = f;
	return 0;
}

static int close_fixture(void **state) {
	fixture *f = *state;
	snw_arena_destroy(f->arena);
	snw_registry_close(registry);
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
	check_ok(snw_fit_run(scene, registry, &request, NULL, &outcome, &error), error);
	check_ok(snw_fit_apply(scene, &outcome, &bound, &error), error);
	return bound;
}

static const snw_setting from_heat = {"source", SNW_VALUE(1)};

static double erms(const snw_scene *scene, uint32_t target) {
	const snw_measure_request request = {.mesh = scene->targets[target].mesh, .target = target, .method = "linear-blend"};
	snw_measure measure;
	snw_error error = {0};
	check_ok(snw_measure_run(scene, registry, &request, NULL, &measure, &error), error);
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
		const double artist = erms(scene, t), heat = erms(bound, t);
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
	const snw_setting settings[] = {from_heat, {"influences", SNW_VALUE(2)}};
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

/* The weight of a joint at a point. */
static double weight_at(const snw_scene *scene, const snw_mesh *mesh, uint32_t point, uint32_t joint) {
	double weight = 0;
	for (uint32_t k = mesh->influence_offsets[point]; k < mesh->influence_offsets[point + 1]; k++) {
		weight += scene->slot_joints[mesh->influence_slots[k]] == joint ? mesh->influence_weights[k] : 0;
	}
	return weight;
}

/* The largest difference between weights of one joint at the ends of an edge. */
static double largest_step(const snw_scene *scene, const snw_mesh *mesh) {
	double largest = 0;
	for (uint32_t face = 0; face < mesh->face_count; face++) {
		for (uint32_t k = mesh->face_offsets[face] + 1; k < mesh->face_offsets[face + 1]; k++) {
			for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
				const double a = weight_at(scene, mesh, mesh->face_points[k - 1], j);
				largest = fmax(largest, fabs(a - weight_at(scene, mesh, mesh->face_points[k], j)));
			}
		}
	}
	return largest;
}

/* The weight of a bone's joint at the point that is nearest to the bone's middle. */
static double weight_at_middle(const snw_scene *scene, const snw_mesh *mesh, uint32_t child) {
	const uint32_t joint = scene->skeleton.parents[child];
	double middle[3], least = INFINITY;
	uint32_t nearest = 0;
	for (size_t c = 0; c < 3; c++) {
		middle[c] = (scene->skeleton.rest_global[12 * (size_t)joint + 4 * c + 3] +
					 scene->skeleton.rest_global[12 * (size_t)child + 4 * c + 3]) /
					2;
	}
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const double squares = snw_squared_distance3(mesh->points_rest + 3 * (size_t)i, middle);
		nearest = squares < least ? i : nearest;
		least = fmin(least, squares);
	}
	return weight_at(scene, mesh, nearest, joint);
}

/* Heat is smooth: neighbours differ little, and the middle of each bone follows that bone. */
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
		if (bound->skeleton.parents[j] != SNW_NONE) {
			print_message("weight at the middle of the bone to %s: %.3f\n", bound->skeleton.names[j],
						  weight_at_middle(bound, mesh, j));
			assert_true(weight_at_middle(bound, mesh, j) > 0.95);
		}
	}
	print_message("neighbours differ by %.3f at most\n", largest_step(bound, mesh));
	assert_true(largest_step(bound, mesh) < 0.6); /* nearest bones alone would differ by 1 */
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
		assert_true(erms(motion, t) < erms(heat, t));
	}
	snw_scene_destroy(motion);
	snw_scene_destroy(heat);
	snw_scene_destroy(scene);
}

/* ---- how a mesh is made -------------------------------------------------------------------------------------------------- */

/* The scene with one mesh's faces the other way around. */
static snw_scene *turn_inside_out(const snw_scene *scene, uint32_t mesh) {
	snw_scene *inverted = snw_scene_copy(scene);
	snw_mesh *meshes = snw_arena_copy(inverted->arena, inverted->meshes, inverted->mesh_count * sizeof *meshes),
			 *m = &meshes[mesh];
	uint32_t *corners = snw_arena_copy(inverted->arena, m->face_points, m->face_offsets[m->face_count] * sizeof *corners);
	for (uint32_t face = 0; face < m->face_count; face++) {
		const uint32_t begin = m->face_offsets[face], end = m->face_offsets[face + 1];
		for (uint32_t k = begin + 1; k < end; k++) {
			corners[k] = m->face_points[end - (k - begin)];
		}
	}
	m->face_points = corners;
	m->corner_normals = NULL;
	inverted->meshes = meshes;
	return inverted;
}

static void mesh_inside_out_gets_the_same_weights(void **state) {
	const fixture *f = *state;
	snw_scene *scene = snw_trial_character(), *usual = bind(f, scene, 1, &from_heat);
	for (uint32_t inverted = 0; inverted < scene->mesh_count; inverted++) {
		snw_scene *other = turn_inside_out(scene, inverted), *bound = bind(f, other, 1, &from_heat);
		for (uint32_t m = 0; m < scene->mesh_count; m++) {
			for (uint32_t i = 0; i < scene->meshes[m].point_count; i++) {
				for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
					check_near(weight_at(bound, &bound->meshes[m], i, j), weight_at(usual, &usual->meshes[m], i, j), 1e-9);
				}
			}
		}
		snw_scene_destroy(bound);
		snw_scene_destroy(other);
	}
	snw_scene_destroy(usual);
	snw_scene_destroy(scene);
}

static void mesh_whose_points_coincide_is_refused_by_name(void **state) {
	(void)state;
	snw_scene *scene = snw_trial_character();
	snw_mesh *meshes = snw_arena_copy(scene->arena, scene->meshes, scene->mesh_count * sizeof *meshes);
	meshes[1].points_rest = SNW_NEW_ARRAY(scene->arena, double, 3 * (size_t)meshes[1].point_count);
	scene->meshes = meshes;
	snw_error error;
	assert_null(fitting_try(scene, registry, "skin-weights", 1, &from_heat, &error));
	if (!strstr(error.text, "'bead' has all its points at one place")) {
		fail_msg("%s", error.text);
	}
	snw_scene_destroy(scene);
}

/* The faces of a mesh on one side of a place along the axis that is longest, as a mesh of their own. */
static snw_mesh part_of(snw_arena *arena, const snw_mesh *whole, int axis, double place, bool is_upper, const char *name) {
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, whole->point_count), *offsets, *corners;
	double *rest = SNW_NEW_ARRAY(arena, double, 3 * (size_t)whole->point_count);
	snw_mesh part = {.name = name, .points_rest = rest};
	memset(points, 0xff, whole->point_count * sizeof *points);
	offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)whole->face_count + 1);
	corners = SNW_NEW_ARRAY(arena, uint32_t, whole->face_offsets[whole->face_count]);
	for (uint32_t face = 0; face < whole->face_count; face++) {
		const uint32_t begin = whole->face_offsets[face], end = whole->face_offsets[face + 1];
		double sum = 0;
		for (uint32_t k = begin; k < end; k++) {
			sum += whole->points_rest[3 * (size_t)whole->face_points[k] + (size_t)axis] / (end - begin);
		}
		for (uint32_t k = begin; (sum > place) == is_upper && k < end; k++) {
			const uint32_t point = whole->face_points[k];
			if (points[point] == SNW_NONE) {
				memcpy(rest + 3 * (size_t)part.point_count, whole->points_rest + 3 * (size_t)point, 3 * sizeof *rest);
				points[point] = part.point_count++;
			}
			corners[offsets[part.face_count] + (k - begin)] = points[point];
		}
		if ((sum > place) == is_upper) {
			offsets[part.face_count + 1] = offsets[part.face_count] + (end - begin);
			part.face_count++;
		}
	}
	part.face_offsets = offsets;
	part.face_points = corners;
	return part;
}

/* Cut beside the elbow, where weights change. The two parts end at the same points there, and must not part when the arm
 * bends. */
static void body_in_two_meshes_does_not_open_between_them(void **state) {
	const fixture *f = *state;
	snw_scene *scene = sample("small-arm");
	strip_skin(scene);
	scene->target_count = scene->clip_count = 0;
	const uint32_t elbow = snw_scene_find_joint(scene, "elbow");
	const double *here = scene->skeleton.rest_global + 12 * (size_t)elbow;
	const double *before = scene->skeleton.rest_global + 12 * (size_t)scene->skeleton.parents[elbow];
	int axis = 0;
	for (int c = 1; c < 3; c++) {
		axis = fabs(here[4 * c + 3] - before[4 * c + 3]) > fabs(here[4 * axis + 3] - before[4 * axis + 3]) ? c : axis;
	}
	snw_mesh *parts = SNW_NEW_ARRAY(scene->arena, snw_mesh, 2);
	const double cut = here[4 * axis + 3] + 0.02;
	parts[0] = part_of(scene->arena, &scene->meshes[0], axis, cut, false, "lower");
	parts[1] = part_of(scene->arena, &scene->meshes[0], axis, cut, true, "upper");
	scene->meshes = parts;
	scene->mesh_count = 2;
	snw_scene *bound = bind(f, scene, 1, &from_heat);
	uint32_t shared = 0, blended = 0;
	for (uint32_t i = 0; i < parts[0].point_count; i++) {
		for (uint32_t k = 0; k < parts[1].point_count; k++) {
			if (memcmp(parts[0].points_rest + 3 * (size_t)i, parts[1].points_rest + 3 * (size_t)k, 3 * sizeof(double)) == 0) {
				shared++;
				const double weight = weight_at(bound, &bound->meshes[0], i, elbow);
				blended += weight > 0.05 && weight < 0.95;
				check_near(weight, weight_at(bound, &bound->meshes[1], k, elbow), 1e-12);
			}
		}
	}
	assert_true(shared > 10 && blended > 0);
	snw_scene_destroy(bound);
	snw_scene_destroy(scene);
}

/* ---- while it runs ------------------------------------------------------------------------------------------------------- */

static bool expect_rising(void *context, double fraction, const char *activity) {
	(void)activity;
	double *last = context;
	assert_true(fraction >= *last && fraction <= 1);
	*last = fraction;
	return true;
}

static void progress_rises_over_all_meshes(void **state) {
	(void)state;
	snw_scene *scene = snw_trial_character();
	snw_fit_outcome outcome;
	double last = 0;
	assert_int_equal(fit_watched(scene, "skin-weights", "", expect_rising, &last, &outcome), SNW_OK);
	snw_arena_destroy(outcome.arena);
	snw_scene_destroy(scene);
}

static void binding_stops_while_bones_are_sought(void **state) {
	(void)state;
	snw_scene *scene = snw_trial_character();
	static const char *const activities[] = {"finding bones", "finding bones inside", "finding bones in sight", "heat"};
	for (int k = 0; k < 4; k++) {
		must_stop_at(scene, "skin-weights", "source=heat", activities[k]);
	}
	snw_scene_destroy(scene);
}

static void samples_with_morphs_are_reported(void **state) {
	(void)state;
	snw_scene *scene = sample("small-arm");
	must_report_morphs(scene, "skin-weights");
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
	assert_true(!snw_failed(snw_fit_run(scene, registry, &request, NULL, &outcome, &error)));
	check_ok(snw_fit_apply(scene, &outcome, &fitted, &error), error);
	request.method = "skin-weights";
	assert_int_equal(snw_fit_run(fitted, registry, &request, NULL, &outcome, &error), SNW_ERROR_CONFLICT);
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

TEST_GROUP(skin_weights) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(mesh_inside_out_gets_the_same_weights, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(mesh_whose_points_coincide_is_refused_by_name, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(body_in_two_meshes_does_not_open_between_them, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(progress_rises_over_all_meshes, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(binding_stops_while_bones_are_sought, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(samples_with_morphs_are_reported, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(mesh_without_a_skin_gets_one, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(weights_are_few_and_the_same_on_any_number_of_threads, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(bones_keep_what_is_theirs, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(motion_makes_weights_better, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(layers_whose_models_would_not_load_are_named, open_fixture, close_fixture),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
