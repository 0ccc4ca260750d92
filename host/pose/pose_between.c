/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pose/pose_between.h"

#include <math.h>
#include <string.h>

#include "pose/pose.h"
#include "sinew/algebra.h"

/* Radians, metres, scale: a smaller difference from rest is rounding. */
static const double STILL = 1e-6;

static snw_pose *copy_unnamed(const snw_scene *scene, const snw_pose *pose, snw_arena *arena) {
	snw_pose *copy = snw_pose_copy(scene, pose, arena);
	copy->id = 0;
	copy->name = "";
	copy->clip = 0;
	copy->seconds = 0;
	return copy;
}

snw_pose *snw_pose_along(const snw_scene *scene, const snw_pose *pose, double share, snw_arena *arena) {
	snw_pose *between = copy_unnamed(scene, pose, arena);
	for (size_t j = 0; j < scene->skeleton.joint_count; j++) {
		const snw_transform *rest = &scene->skeleton.rest_local[j];
		double q[4];
		for (size_t c = 0; c < 3; c++) {
			between->rotation_vectors[3 * j + c] *= share;
			between->local[j].translation[c] =
				rest->translation[c] + share * (pose->local[j].translation[c] - rest->translation[c]);
			between->local[j].scale[c] = rest->scale[c] + share * (pose->local[j].scale[c] - rest->scale[c]);
		}
		snw_quat_from_rotation_vector(between->rotation_vectors + 3 * j, q);
		snw_quat_multiply(rest->rotation, q, between->local[j].rotation);
		snw_quat_normalize(between->local[j].rotation);
	}
	for (uint32_t c = 0; c < scene->channel_count; c++) {
		const double initial = scene->channels[c].initial;
		between->channels[c] = initial + share * (pose->channels[c] - initial);
	}
	return between;
}

static bool is_moved(const snw_scene *scene, const snw_pose *pose, uint32_t joint) {
	const snw_transform *rest = &scene->skeleton.rest_local[joint], *local = &pose->local[joint];
	bool is_moved = snw_length3(pose->rotation_vectors + 3 * (size_t)joint) > STILL;
	for (int c = 0; c < 3; c++) {
		is_moved = is_moved || fabs(local->translation[c] - rest->translation[c]) > STILL ||
				   fabs(local->scale[c] - rest->scale[c]) > STILL;
	}
	return is_moved;
}

static void take_joint(snw_pose *pose, const snw_pose *from, uint32_t joint) {
	pose->local[joint] = from->local[joint];
	memcpy(pose->rotation_vectors + 3 * (size_t)joint, from->rotation_vectors + 3 * (size_t)joint, 3 * sizeof(double));
}

snw_pose *snw_pose_combine(const snw_scene *scene, const snw_pose *first, const snw_pose *second, uint32_t count,
						   const uint32_t *theirs, snw_arena *arena) {
	snw_pose *both = copy_unnamed(scene, first, arena);
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		if (!is_moved(scene, first, j)) {
			take_joint(both, second, j);
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		take_joint(both, second, theirs[i]);
	}
	for (uint32_t c = 0; c < scene->channel_count; c++) {
		if (fabs(first->channels[c] - scene->channels[c].initial) <= STILL) {
			both->channels[c] = second->channels[c];
		}
	}
	return both;
}
