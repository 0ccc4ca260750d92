/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Poses at random.
 */
#ifndef SINEW_TESTS_PROGRAM_RANDOM_POSE_H
#define SINEW_TESTS_PROGRAM_RANDOM_POSE_H

#include "base/numbers.h"
#include "fixture.h"
#include "pose/pose.h"

/* The rest with every joint rotated by up to `most` radians. */
static inline snw_pose *random_pose(uint64_t *random, const snw_scene *scene, double most, snw_arena *arena) {
	snw_pose *pose = snw_pose_copy(scene, snw_pose_rest(scene, arena), arena);
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		double axis[3], q[4];
		random_direction(random, axis);
		const double angle = random_between(random, 0, most);
		for (size_t c = 0; c < 3; c++) {
			axis[c] *= angle;
			pose->rotation_vectors[3 * (size_t)j + c] = axis[c];
		}
		snw_quat_from_rotation_vector(axis, q);
		snw_quat_multiply(scene->skeleton.rest_local[j].rotation, q, pose->local[j].rotation);
	}
	return pose;
}

/* Each joint as it is at some moment of some clip. */
static inline snw_pose *shuffled_pose(uint64_t *random, const snw_scene *scene, snw_arena *arena) {
	snw_pose *pose = snw_pose_copy(scene, snw_pose_rest(scene, arena), arena);
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		const uint32_t clip = (uint32_t)(snw_random_next(random) % scene->clip_count);
		const double seconds = random_between(random, 0, scene->clips[clip].duration_seconds);
		const snw_pose *moment = snw_pose_sample(scene, clip, seconds, arena);
		pose->local[j] = moment->local[j];
		memcpy(pose->rotation_vectors + 3 * (size_t)j, moment->rotation_vectors + 3 * (size_t)j,
			   3 * sizeof *pose->rotation_vectors);
	}
	return pose;
}

#endif
