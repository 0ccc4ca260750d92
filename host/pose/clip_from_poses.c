/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pose/clip_from_poses.h"

#include <string.h>

typedef struct pose_series {
	uint32_t frame_count;
	const double *seconds;
	const snw_pose *poses;
	snw_arena *arena;
} pose_series;

/* The values of one property of a pose, and how many. */
static const double *pose_values(const snw_pose *pose, int32_t path, uint32_t target, uint32_t *width) {
	switch (path) {
	case SNW_PATH_TRANSLATION:
		*width = 3;
		return pose->local[target].translation;
	case SNW_PATH_ROTATION:
		*width = 4;
		return pose->local[target].rotation;
	case SNW_PATH_SCALE:
		*width = 3;
		return pose->local[target].scale;
	default:
		*width = 1;
		return pose->channels + target;
	}
}

static bool property_changes(const snw_scene *scene, const pose_series *series, int32_t path, uint32_t target) {
	const snw_pose rest = {.local = scene->skeleton.rest_local};
	for (uint32_t f = 0; f < series->frame_count; f++) {
		uint32_t width;
		const double *values = pose_values(&series->poses[f], path, target, &width);
		const double *rest_values =
			path == SNW_PATH_CHANNEL ? &scene->channels[target].initial : pose_values(&rest, path, target, &width);
		if (memcmp(values, rest_values, width * sizeof *values) != 0) {
			return true;
		}
	}
	return false;
}

/* Makes a track with a key for each frame and returns 1. Returns 0 without a track if the property is always at rest. */
static uint32_t make_track(const snw_scene *scene, const pose_series *series, int32_t path, uint32_t target, snw_track *track) {
	if (!property_changes(scene, series, path, target)) {
		return 0;
	}
	uint32_t width;
	double *values = SNW_NEW_ARRAY(series->arena, double, (size_t)4 * series->frame_count);
	for (uint32_t f = 0; f < series->frame_count; f++) {
		const double *from = pose_values(&series->poses[f], path, target, &width);
		memcpy(values + (size_t)width * f, from, width * sizeof *from);
	}
	*track = (snw_track){
		.target = target,
		.path = path,
		.interpolation = SNW_LINEAR,
		.key_count = series->frame_count,
		.seconds = snw_arena_copy(series->arena, series->seconds, series->frame_count * sizeof(double)),
		.values = values,
	};
	return 1;
}

snw_clip snw_clip_from_poses(const snw_scene *scene, const char *name, uint32_t frame_count, const double *seconds,
							 const snw_pose *poses, snw_arena *arena) {
	const pose_series series = {frame_count, seconds, poses, arena};
	const uint32_t joints = scene->skeleton.joint_count;
	snw_track *tracks = SNW_NEW_ARRAY(arena, snw_track, (size_t)3 * joints + scene->channel_count);
	snw_clip clip = {
		.name = snw_arena_text(arena, name),
		.duration_seconds = seconds[frame_count - 1],
		.tracks = tracks,
	};
	for (uint32_t joint = 0; joint < joints; joint++) {
		for (int32_t path = SNW_PATH_TRANSLATION; path <= SNW_PATH_SCALE; path++) {
			clip.track_count += make_track(scene, &series, path, joint, &tracks[clip.track_count]);
		}
	}
	for (uint32_t channel = 0; channel < scene->channel_count; channel++) {
		clip.track_count += make_track(scene, &series, SNW_PATH_CHANNEL, channel, &tracks[clip.track_count]);
	}
	return clip;
}
