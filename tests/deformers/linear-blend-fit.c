/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * linear-blend-fit: planted weights are recovered, the support is as small as requested, the bits are the same on any number
 * of threads, and the whole fit is one step of the project.
 */
#include "arms/planted_arm.h"
#include "learned.h"

#include "fit/fit.h"
#include "fit/stale.h"
#include "project/project.h"
#include "scene/scene.h"
#include "stack/stack.h"

static const char method[] = "linear-blend-fit";

/* Of a setting that takes a number. */
static snw_scene *fit_with(const char *key, double value) {
	char text[60];
	snprintf(text, sizeof text, "%s=%.17g ridge=0", key, value);
	return must_fit(arm, method, text);
}

static void planted_weights_are_found_again(void **state) {
	(void)state;
	snw_scene *fitted = must_fit(arm, method, "ridge=0");
	const double diagonal = snw_scene_diagonal(arm, 0);
	assert_true(distances_to(&arm->targets[0], fitted, "linear-blend").most > 0.05 * diagonal);
	assert_true(distances_to(&arm->targets[0], fitted, NULL).most < 2e-6 * diagonal);
	assert_true(fitting_logged("weights fitted to"));
	assert_int_equal(fitted->field_count, arm->field_count + 1);
	assert_string_equal(fitted->fields[arm->field_count].name, "linear-blend-fit.residual");
	snw_scene_destroy(fitted);
}

static void support_is_limited_to_the_setting(void **state) {
	(void)state;
	double last = INFINITY;
	for (uint32_t influences = 1; influences <= 3; influences++) {
		snw_scene *fitted = fit_with("influences", influences);
		fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
		const snw_program *program = snw_stack_segment(stack.stack, 0, 0).program;
		for (uint32_t i = 0; i < program->point_count; i++) {
			assert_in_range(program->influence_offsets[i + 1] - program->influence_offsets[i], 1, influences);
		}
		fitting_stack_drop(&stack);
		const double distance = distances_to(&arm->targets[0], fitted, NULL).most;
		assert_true(distance < last);
		last = distance;
		snw_scene_destroy(fitted);
	}
}

/* The largest difference of a point's weights from the original ones. */
static double distance_from_base(const char *ridge) {
	snw_scene *fitted = must_fit(arm, method, ridge);
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	const snw_program *program = snw_stack_segment(stack.stack, 0, 0).program;
	const snw_mesh *mesh = &arm->meshes[0];
	double most = 0;
	for (uint32_t i = 0; i < program->point_count; i++) {
		double difference[3] = {0};
		for (uint32_t k = program->influence_offsets[i]; k < program->influence_offsets[i + 1]; k++) {
			difference[program->influence_slots[k]] += program->influence_weights[k];
		}
		for (uint32_t k = mesh->influence_offsets[i]; k < mesh->influence_offsets[i + 1]; k++) {
			difference[mesh->influence_slots[k]] -= mesh->influence_weights[k];
		}
		most = fmax(most, snw_length3(difference));
	}
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
	return most;
}

static void strong_ridge_holds_on_to_the_base_weights(void **state) {
	(void)state;
	const double free_of_it = distance_from_base("ridge=0"), held = distance_from_base("ridge=1");
	print_message("from the base weights: %.3f, with the strongest ridge %.3f\n", free_of_it, held);
	assert_true(held < 0.5 * free_of_it);
}

/* The sum over edges of the squared differences between the weights at their ends. */
static double roughness_with(double smoothness) {
	snw_scene *fitted = fit_with("smoothness", smoothness);
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	const snw_program *program = snw_stack_segment(stack.stack, 0, 0).program;
	const snw_mesh *mesh = &arm->meshes[0];
	double sum = 0;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		for (uint32_t c = mesh->face_offsets[f]; c + 1 < mesh->face_offsets[f + 1]; c++) {
			double difference[3] = {0};
			for (int end = 0; end < 2; end++) {
				const uint32_t point = mesh->face_points[c + (uint32_t)end];
				for (uint32_t k = program->influence_offsets[point]; k < program->influence_offsets[point + 1]; k++) {
					difference[program->influence_slots[k]] += (end ? -1 : 1) * program->influence_weights[k];
				}
			}
			sum += snw_dot3(difference, difference);
		}
	}
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
	return sum;
}

static void smoothness_brings_the_weights_of_neighbours_together(void **state) {
	(void)state;
	const double rough = roughness_with(0), smooth = roughness_with(1e-3), smoother = roughness_with(1e-1);
	print_message("roughness %.3f, %.3f with 1e-3, %.3f with 1e-1\n", rough, smooth, smoother);
	assert_true(smooth < rough);
	assert_true(smoother < 0.5 * rough);
}

static void morphs_in_samples_are_reported(void **state) {
	(void)state;
	must_report_morphs(arm, method);
}

static void threads_do_not_change_a_bit(void **state) {
	(void)state;
	check_threads(arm, method, "smoothness=1e-5");
}

/* The arm's sculpts, each edited at every third point below the middle of its points. */
static snw_scene *make_sparse(void) {
	snw_scene *scene = make_arm();
	scene->target_count = 0;
	const uint32_t half = scene->meshes[0].point_count / 2;
	snw_example *examples = snw_arena_copy(scene->arena, scene->examples, scene->example_count * sizeof *examples);
	for (uint32_t e = 0; e < scene->example_count; e++) {
		uint32_t *edited = SNW_NEW_ARRAY(scene->arena, uint32_t, half);
		examples[e].edited_count = 0;
		for (uint32_t i = 0; i < half; i += 3) {
			edited[examples[e].edited_count++] = i;
		}
		examples[e].edited = edited;
	}
	scene->examples = examples;
	return scene;
}

/* The points of a scene's stack, or of a method of it, at the scene's first example. */
static double *points_at_example(const snw_scene *scene, const char *layer) {
	double *points = malloc(3 * (size_t)scene->meshes[0].point_count * sizeof *points);
	fitting_stack stack = fitting_stack_of(scene, registry, layer);
	const snw_pose *pose = &scene->poses[scene->examples[0].pose];
	fitting_truth(&stack, snw_pose_view_make(scene, pose, scene->arena), 0, points);
	fitting_stack_drop(&stack);
	return points;
}

static void points_that_no_example_edits_keep_their_weights(void **state) {
	(void)state;
	snw_scene *scene = make_sparse(), *fitted = must_fit(scene, method, "");
	const uint32_t count = scene->meshes[0].point_count;
	double *before = points_at_example(scene, "linear-blend"), *after = points_at_example(fitted, NULL);
	double edited = 0, unedited = 0;
	for (uint32_t i = 0; i < count; i++) {
		double *most = i < count / 2 && i % 3 == 0 ? &edited : &unedited;
		*most = fmax(*most, fitting_distance(1, before + 3 * (size_t)i, after + 3 * (size_t)i));
	}
	assert_true(edited > 1e-3);
	assert_true(unedited < 1e-12);
	free(before);
	free(after);
	snw_scene_destroy(fitted);
	snw_scene_destroy(scene);
}

static void second_fit_is_the_first(void **state) {
	(void)state;
	snw_scene *scene = make_sparse(), *once = must_fit(scene, method, "");
	assert_true(once->layers[0].muted);
	assert_int_equal(snw_layer_stale(once, registry, 1), 0);
	snw_scene *twice = must_fit(once, method, "");
	assert_int_equal(once->models[0].byte_count, twice->models[0].byte_count);
	assert_memory_equal(once->models[0].bytes, twice->models[0].bytes, once->models[0].byte_count);
	assert_int_equal(snw_layer_stale(twice, registry, 1), 0);
	snw_scene_destroy(twice);
	snw_scene_destroy(once);
	snw_scene_destroy(scene);
}

/* Unedited points must be where the base blend puts them, even though the first fit has muted it. */
static void points_left_alone_follow_the_muted_base_blend(void **state) {
	(void)state;
	snw_scene *scene = make_sparse(), *once = must_fit(scene, method, "");
	const snw_stack *below = NULL;
	snw_error error;
	check_ok(snw_fit_below_borrow(once, registry, snw_registry_find(registry, method), 1, NULL, &below, &error), error);
	assert_non_null(snw_stack_base_blend(below));
	assert_string_equal(snw_stack_base_blend(below), "linear-blend");
	snw_stack_give_back(below);
	/* A corrective there is above the rest: the layer that it corrects is muted. */
	check_ok(snw_fit_below_borrow(once, registry, snw_registry_find(registry, "inverse-psd"), 1, NULL, &below, &error), error);
	assert_null(snw_stack_base_blend(below));
	snw_stack_give_back(below);
	snw_scene_destroy(once);
	snw_scene_destroy(scene);
}

static void fit_without_samples_names_the_command_that_adds_them(void **state) {
	(void)state;
	must_name_the_command_for_samples(arm, method);
}

static void cancelled_fit_leaves_nothing(void **state) {
	(void)state;
	must_stop_at(arm, method, "", "fitting weights");
}

static void check_layers(snw_project *project, uint32_t count, bool base_is_muted) {
	snw_scene *scene = NULL;
	snw_error error = {0};
	check_ok(snw_project_scene(project, &scene, &error), error);
	assert_int_equal(scene->layer_count, count);
	assert_string_equal(scene->layers[0].name, "linear-blend");
	assert_int_equal(scene->layers[0].muted, base_is_muted);
	assert_true(count == 1 || strcmp(scene->layers[1].name, "linear-blend-fit") == 0);
	snw_scene_destroy(scene);
}

static void fit_is_one_step_that_mutes_the_base_blend(void **state) {
	(void)state;
	const char *path = check_scratch("fit.sinew"), *label;
	snw_error error = {0};
	snw_project *project = NULL;
	snw_scene *scene = NULL;
	check_ok(snw_project_write(path, arm, "sample arm", &error), error);
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(snw_project_scene(project, &scene, &error), error);
	check_layers(project, 1, false);
	const snw_fit_request request = {.method = method, .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	check_ok(snw_fit_run(scene, registry, &request, NULL, &outcome, &error), error);
	check_ok(snw_project_commit_fit(project, registry, &outcome, "fit", &error), error);
	check_layers(project, 2, true);
	check_ok(snw_project_undo(project, &label, &error), error);
	check_layers(project, 1, false);
	check_ok(snw_project_redo(project, &label, &error), error);
	check_layers(project, 2, true);
	snw_arena_destroy(outcome.arena);
	snw_scene_destroy(scene);
	snw_project_close(project);
	unlink(path);
}

TEST_GROUP(linear_blend_fit) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(planted_weights_are_found_again),
		cmocka_unit_test(support_is_limited_to_the_setting),
		cmocka_unit_test(strong_ridge_holds_on_to_the_base_weights),
		cmocka_unit_test(smoothness_brings_the_weights_of_neighbours_together),
		cmocka_unit_test(morphs_in_samples_are_reported),
		cmocka_unit_test(threads_do_not_change_a_bit),
		cmocka_unit_test(points_that_no_example_edits_keep_their_weights),
		cmocka_unit_test(second_fit_is_the_first),
		cmocka_unit_test(points_left_alone_follow_the_muted_base_blend),
		cmocka_unit_test(fit_without_samples_names_the_command_that_adds_them),
		cmocka_unit_test(cancelled_fit_leaves_nothing),
		cmocka_unit_test(fit_is_one_step_that_mutes_the_base_blend),
	};
	return cmocka_run_group_tests(tests, open_planted, close_planted);
}
