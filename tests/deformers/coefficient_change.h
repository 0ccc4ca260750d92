/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SINEW_TESTS_DEFORMERS_COEFFICIENT_CHANGE_H
#define SINEW_TESTS_DEFORMERS_COEFFICIENT_CHANGE_H

#include "fitting.h"
#include "one_registry.h"
#include "pose/pose.h"

/* The largest change of a coefficient from rest to a pose that rotates one joint by a rotation vector. */
static inline double largest_coefficient_change(const snw_scene *scene, const char *joint, const double vector[3]) {
	fitting_stack stack = fitting_stack_of(scene, registry, NULL);
	const uint32_t count = snw_stack_segment(stack.stack, 0, 0).program->d_count, at = snw_scene_find_joint(scene, joint);
	double *rest = malloc(count * sizeof *rest), most = 0;
	for (int rotated = 0; rotated < 2; rotated++) {
		snw_pose *pose = snw_pose_rest(scene, scene->arena);
		memcpy(pose->rotation_vectors + 3 * (size_t)at, rotated ? vector : (const double[3]){0}, 3 * sizeof *vector);
		snw_error error;
		check_ok(snw_stack_drive(stack.stack, snw_pose_view_make(scene, pose, scene->arena), stack.evaluation, &error), error);
		const double *d = snw_stack_program_input(stack.evaluation, 0, 0)->d;
		for (uint32_t k = 0; k < count; k++) {
			most = rotated ? fmax(most, fabs(d[k] - rest[k])) : most;
			rest[k] = d[k];
		}
	}
	free(rest);
	fitting_stack_drop(&stack);
	return most;
}

#endif
