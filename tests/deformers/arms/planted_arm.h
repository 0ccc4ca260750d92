/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared: the sample arm, whose one target is the motion of the same arm with other weights.
 */
#ifndef SINEW_TESTS_DEFORMERS_ARMS_PLANTED_ARM_H
#define SINEW_TESTS_DEFORMERS_ARMS_PLANTED_ARM_H

#include "shared_arm.h"

#include "random.h"
#include "scene/scene.h"

static snw_scene *planted; /* the arm with other weights; its motion is the target of `arm` */

/* Every point gets random weights on all three slots. */
static inline void plant_weights(snw_scene *scene) {
	snw_mesh *mesh = (snw_mesh *)(uintptr_t)&scene->meshes[0];
	uint64_t random = 11;
	uint32_t *offsets = SNW_NEW_ARRAY(scene->arena, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(scene->arena, uint32_t, (size_t)3 * mesh->point_count);
	double *weights = SNW_NEW_ARRAY(scene->arena, double, (size_t)3 * mesh->point_count);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		double sum = 0;
		for (uint32_t s = 0; s < 3; s++) {
			slots[3 * i + s] = s;
			weights[3 * i + s] = 0.1 + (double)random_below(&random, 1000) / 1000;
			sum += weights[3 * i + s];
		}
		for (uint32_t s = 0; s < 3; s++) {
			weights[3 * i + s] /= sum;
		}
		offsets[i + 1] = 3 * i + 3;
	}
	mesh->influence_offsets = offsets;
	mesh->influence_slots = slots;
	mesh->influence_weights = weights;
}

/* The last target's frames become the motion of the planted arm. */
static inline void target_planted(snw_scene *scene) {
	const snw_target *last = &scene->targets[scene->target_count - 1];
	const uint32_t points = scene->meshes[0].point_count;
	float *frames = SNW_NEW_ARRAY(scene->arena, float, (size_t)3 * points * last->frame_count);
	double *posed = SNW_NEW_ARRAY(scene->arena, double, (size_t)3 * points);
	fitting_stack stack = fitting_stack_of(planted, registry, "linear-blend");
	for (uint32_t f = 0; f < last->frame_count; f++) {
		const snw_pose *pose = snw_pose_sample(planted, last->clip, last->seconds[f], planted->arena);
		fitting_truth(&stack, snw_pose_view_make(planted, pose, planted->arena), 0, posed);
		for (size_t i = 0; i < (size_t)3 * points; i++) {
			frames[(size_t)3 * points * f + i] = (float)posed[i];
		}
	}
	fitting_stack_drop(&stack);
	snw_target *target = SNW_NEW(scene->arena, snw_target);
	*target = *last;
	target->points_posed = frames;
	scene->targets = target;
	scene->target_count = 1;
	scene->example_count = 0;
	scene->group_count = 0;
}

static inline int open_planted(void **state) {
	open_arm(state);
	planted = snw_scene_copy(arm);
	plant_weights(planted);
	target_planted(arm);
	return 0;
}

static inline int close_planted(void **state) {
	snw_scene_destroy(planted);
	return close_arm(state);
}

#endif
