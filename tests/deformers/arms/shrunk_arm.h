/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared: an arm whose samples are its own linear blend of a thinner mesh, as a stack that smooths makes them.
 */
#ifndef SINEW_TESTS_DEFORMERS_ARMS_SHRUNK_ARM_H
#define SINEW_TESTS_DEFORMERS_ARMS_SHRUNK_ARM_H

#include "deformers/fitting.h"

#include "scene/scene.h"

/* Where a point is in the thinner mesh. */
static inline void shrunk_point(const double rest[3], double dest[3]) {
	dest[0] = rest[0];
	dest[1] = (0.9 + 0.02 * cos(40 * rest[0])) * rest[1];
	dest[2] = 0.93 * rest[2];
}

/* A copy whose last target, its only sample, has the linear blend of the thinner mesh, or of the mesh itself. */
static inline snw_scene *shrunk_arm(const snw_scene *whole_arm, const snw_registry *loaded, bool is_shrunk) {
	snw_scene *scene = snw_scene_copy(whole_arm), *thin = snw_scene_copy(whole_arm);
	const uint32_t points = whole_arm->meshes[0].point_count;
	double *rest = SNW_NEW_ARRAY(thin->arena, double, 3 * (size_t)points);
	double *posed = SNW_NEW_ARRAY(thin->arena, double, 3 * (size_t)points);
	memcpy(rest, whole_arm->meshes[0].points_rest, 3 * (size_t)points * sizeof *rest);
	for (uint32_t i = 0; i < points && is_shrunk; i++) {
		shrunk_point(whole_arm->meshes[0].points_rest + 3 * (size_t)i, rest + 3 * (size_t)i);
	}
	((snw_mesh *)(uintptr_t)thin->meshes)[0].points_rest = rest;
	snw_target *target = SNW_NEW(scene->arena, snw_target);
	*target = scene->targets[scene->target_count - 1];
	float *frames = SNW_NEW_ARRAY(scene->arena, float, 3 * (size_t)points * target->frame_count);
	fitting_stack stack = fitting_stack_of(thin, loaded, "linear-blend");
	for (uint32_t f = 0; f < target->frame_count; f++) {
		const snw_pose *pose = snw_pose_sample(thin, target->clip, target->seconds[f], thin->arena);
		fitting_truth(&stack, snw_pose_view_make(thin, pose, thin->arena), 0, posed);
		for (size_t i = 0; i < 3 * (size_t)points; i++) {
			frames[3 * (size_t)points * f + i] = (float)posed[i];
		}
	}
	fitting_stack_drop(&stack);
	snw_scene_destroy(thin);
	target->points_posed = frames;
	scene->targets = target;
	scene->target_count = 1;
	scene->example_count = scene->group_count = 0;
	return scene;
}

#endif
