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
