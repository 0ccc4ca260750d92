/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the tests of methods that learn from samples of another rig: how near a fit comes to them, what it says without
 * any, and sculpts above it.
 */
#ifndef SINEW_TESTS_DEFORMERS_LEARNED_H
#define SINEW_TESTS_DEFORMERS_LEARNED_H

#include "must_fit.h"

/* The root mean square distance of a scene to all of its targets. */
static inline double distance_to_targets(const snw_scene *scene) {
	double squares = 0;
	for (uint32_t t = 0; t < scene->target_count; t++) {
		const double rms = distances_to(&scene->targets[t], scene, NULL).rms;
		squares += rms * rms;
	}
	return sqrt(squares / scene->target_count);
}

/* The scene with the edited points of its first sculpt `up` metres higher. */
static inline snw_scene *with_moved_sculpt(const snw_scene *scene, double up) {
	snw_scene *changed = snw_scene_copy(scene);
	snw_example *examples = snw_arena_copy(changed->arena, changed->examples, changed->example_count * sizeof *examples);
	snw_example *example = &examples[0];
	const uint32_t points = changed->meshes[example->mesh].point_count,
				   count = example->edited ? example->edited_count : points;
	double *posed = snw_arena_copy(changed->arena, example->points_posed, 3 * (size_t)points * sizeof *posed);
	for (uint32_t i = 0; i < count; i++) {
		posed[3 * (size_t)(example->edited ? example->edited[i] : i) + 1] += up;
	}
	example->points_posed = posed;
	changed->examples = examples;
	return changed;
}

static inline void must_have_the_same_models(const snw_scene *a, const snw_scene *b) {
	assert_int_equal(a->models[0].byte_count, b->models[0].byte_count);
	assert_memory_equal(a->models[0].bytes, b->models[0].bytes, a->models[0].byte_count);
}

/* A refit keeps what the fit of a scene has chosen. With the same sculpts it is the fit, with others it does not depend on the
 * refits between. */
static inline void must_keep_choices(const snw_scene *scene, const char *method, const char *text) {
	snw_scene *fitted = must_fit(scene, method, text), *again = must_refit(fitted, method);
	must_have_the_same_models(fitted, again);
	snw_scene *other = with_moved_sculpt(again, 0.01), *between = must_refit(other, method);
	snw_scene *last_sculpts = with_moved_sculpt(between, 0.02), *last = must_refit(last_sculpts, method);
	snw_scene *first_sculpts = with_moved_sculpt(fitted, 0.01), *both = with_moved_sculpt(first_sculpts, 0.02),
			  *at_once = must_refit(both, method);
	must_have_the_same_models(last, at_once);
	assert_true(last->models[0].byte_count != between->models[0].byte_count ||
				memcmp(last->models[0].bytes, between->models[0].bytes, last->models[0].byte_count) != 0);
	snw_scene *const scenes[] = {fitted, again, other, between, last_sculpts, last, first_sculpts, both, at_once};
	for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
		snw_scene_destroy(scenes[i]);
	}
}

/* A refit of a fit that chose is a fit of these sculpts that is given what it chose. */
static inline void must_equal_the_fit_with(const snw_scene *fitted, const char *method, const char *choices) {
	snw_scene *other = with_moved_sculpt(fitted, 0.01), *refitted = must_refit(other, method),
			  *given = must_fit(other, method, choices);
	must_have_the_same_models(refitted, given);
	snw_scene_destroy(given);
	snw_scene_destroy(refitted);
	snw_scene_destroy(other);
}

/* How many displacements the skin of a scene's only segment has at rest. */
static inline uint32_t displacement_count(const snw_scene *scene) {
	fitting_stack stack = fitting_stack_of(scene, registry, NULL);
	const uint32_t count = snw_stack_segment(stack.stack, 0, 0).program->rest.count;
	fitting_stack_drop(&stack);
	return count;
}

/* Without samples, a fit names the command that adds them. */
static inline void must_name_the_command_for_samples(const snw_scene *scene, const char *method) {
	snw_scene *bare = snw_scene_copy(scene);
	bare->target_count = bare->example_count = bare->group_count = 0;
	snw_error error;
	assert_null(fitting_try(bare, registry, method, 0, NULL, &error));
	assert_non_null(strstr(error.text, "sinew target"));
	snw_scene_destroy(bare);
}

/* Correctives above the method reproduce the sculpts of a scene. */
static inline void must_reproduce_sculpts_above(const snw_scene *sculpted, const char *method, const char *text) {
	snw_scene *based = must_fit(sculpted, method, text), *fitted = must_fit(based, "inverse-psd", "");
	const uint32_t count = fitted->meshes[0].point_count;
	double *points = malloc(3 * (size_t)count * sizeof *points);
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	assert_true(fitted->example_count > 0);
	for (uint32_t e = 0; e < fitted->example_count; e++) {
		const snw_pose *pose = &fitted->poses[fitted->examples[e].pose];
		fitting_truth(&stack, snw_pose_view_make(fitted, pose, fitted->arena), 0, points);
		assert_true(fitting_distance(count, points, fitted->examples[e].points_posed) < 1e-6 * snw_scene_diagonal(fitted, 0));
	}
	fitting_stack_drop(&stack);
	free(points);
	snw_scene_destroy(fitted);
	snw_scene_destroy(based);
}

#endif
