/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples tracks and unwinds their rotations.
 */
#include "pose/clip.h"

#include <assert.h>
#include <string.h>

#include "sinew/algebra.h"

static const double pi = 3.14159265358979323846;

/* radians; below this angle the axis of a rotation is rounding noise of its float keys */
static const double identity_angle = 1e-5;

/* The largest rotation of a step: small enough that the right branch is the nearest one, unless the rotation passes within a
 * step of a multiple of 2π about another axis. */
static const double step_angle = 0.19634954084936207740; /* π / 16 */

enum { MOST_STEPS = 64, LEAST_CUBIC_STEPS = 16 };

uint32_t snw_track_width(const snw_track *track) {
	switch (track->path) {
	case SNW_PATH_ROTATION:
		return 4;
	case SNW_PATH_CHANNEL:
		return 1;
	default:
		return 3;
	}
}

/* The value of a key, without its tangents. */
static const double *key_value(const snw_track *track, uint32_t key) {
	const size_t width = snw_track_width(track);
	return track->interpolation == SNW_CUBIC ? track->values + (3 * (size_t)key + 1) * width : track->values + key * width;
}

uint32_t snw_track_key(const snw_track *track, double seconds) {
	uint32_t low = 0, high = track->key_count;
	while (high - low > 1) {
		const uint32_t middle = low + (high - low) / 2;
		if (track->seconds[middle] <= seconds) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

/* Half the angle of the rotation between two unit quaternions, along the shortest arc. */
static double half_angle_between(const double a[4], const double b[4]) {
	double difference = 0, sum = 0;
	for (int i = 0; i < 4; i++) {
		difference += (a[i] - b[i]) * (a[i] - b[i]);
		sum += (a[i] + b[i]) * (a[i] + b[i]);
	}
	return 2 * atan2(sqrt(fmin(difference, sum)), sqrt(fmax(difference, sum)));
}

void snw_quat_slerp(const double from[4], const double to[4], double s, double dest[4]) {
	double a[4], b[4];
	memcpy(a, from, sizeof a);
	memcpy(b, to, sizeof b);
	snw_quat_normalize(a);
	snw_quat_normalize(b);
	const double sign = snw_quat_dot(a, b) < 0 ? -1 : 1;
	const double angle = half_angle_between(a, b), sine = sin(angle);
	const double weight_a = sine > 1e-9 ? sin((1 - s) * angle) / sine : 1 - s;
	const double weight_b = sine > 1e-9 ? sin(s * angle) / sine : s;
	for (int i = 0; i < 4; i++) {
		dest[i] = weight_a * a[i] + sign * weight_b * b[i];
	}
}

static void hermite(const snw_track *track, uint32_t key, double s, double span, double *dest) {
	const uint32_t width = snw_track_width(track);
	const double *v0 = key_value(track, key), *out0 = v0 + width;
	const double *v1 = key_value(track, key + 1), *in1 = v1 - width;
	const double s2 = s * s, s3 = s2 * s;
	for (uint32_t i = 0; i < width; i++) {
		dest[i] = (2 * s3 - 3 * s2 + 1) * v0[i] + span * (s3 - 2 * s2 + s) * out0[i] + (3 * s2 - 2 * s3) * v1[i] +
				  span * (s3 - s2) * in1[i];
	}
}

/* The value at the fraction `s` of the segment after a key. */
static void sample_segment(const snw_track *track, uint32_t key, double s, double value[4]) {
	const uint32_t width = snw_track_width(track);
	const bool is_rotation = track->path == SNW_PATH_ROTATION;
	const double *v0 = key_value(track, key);
	if (s <= 0 || track->interpolation == SNW_STEP) {
		memcpy(value, v0, width * sizeof *value);
	} else if (track->interpolation == SNW_CUBIC) {
		hermite(track, key, s, track->seconds[key + 1] - track->seconds[key], value);
	} else if (is_rotation) {
		snw_quat_slerp(v0, key_value(track, key + 1), s, value);
	} else {
		const double *v1 = key_value(track, key + 1);
		for (uint32_t i = 0; i < width; i++) {
			value[i] = (1 - s) * v0[i] + s * v1[i];
		}
	}
	if (is_rotation) {
		snw_quat_normalize(value);
	}
}

/* The position of `seconds` in the segment after a key, 0 to 1; 0 after the last key and before the first. */
static double fraction_of(const snw_track *track, uint32_t key, double seconds) {
	if (key + 1 >= track->key_count || seconds <= track->seconds[key]) {
		return 0;
	}
	const double span = track->seconds[key + 1] - track->seconds[key];
	return span > 0 ? (seconds - track->seconds[key]) / span : 0;
}

void snw_track_sample(const snw_track *track, double seconds, double value[4]) {
	assert(track->key_count > 0);
	const uint32_t key = snw_track_key(track, seconds);
	sample_segment(track, key, fraction_of(track, key, seconds), value);
}

void snw_rotation_vector_nearest(const double delta[4], const double near[3], double vector[3]) {
	double shortest[3];
	snw_quat_to_rotation_vector(delta, shortest);
	const double angle = snw_length3(shortest);
	double axis[3];
	memcpy(axis, angle > identity_angle ? shortest : near, sizeof axis);
	snw_normalize3(axis);
	/* A rotation by π keeps its sign: floor(x + 1/2) rounds ties up, here to zero. */
	const double branch = floor((snw_dot3(axis, near) - snw_dot3(axis, shortest)) / (2 * pi) + 0.5);
	for (int i = 0; i < 3; i++) {
		vector[i] = shortest[i] + 2 * pi * branch * axis[i];
	}
}

static void nearest_at(const snw_rotation_walk *walk, uint32_t key, double s, double vector[3]) {
	double inverse[4], rotation[4], delta[4];
	sample_segment(walk->track, key, s, rotation);
	snw_quat_conjugate(walk->rest, inverse);
	snw_quat_multiply(inverse, rotation, delta);
	snw_rotation_vector_nearest(delta, walk->vector, vector);
}

/* The number of steps of the segment after a key. With step interpolation it is one, the shortest rotation. */
static uint32_t segment_steps(const snw_track *track, uint32_t key) {
	if (key + 1 >= track->key_count || track->interpolation == SNW_STEP) {
		return 1;
	}
	double a[4], b[4];
	sample_segment(track, key, 0, a);
	sample_segment(track, key + 1, 0, b);
	const double steps = ceil(2 * half_angle_between(a, b) / step_angle);
	const double least = track->interpolation == SNW_CUBIC ? LEAST_CUBIC_STEPS : 1;
	return (uint32_t)fmin(fmax(steps, least), MOST_STEPS);
}

void snw_rotation_walk_begin(const snw_track *track, const double rest_rotation[4], bool is_set, snw_rotation_walk *walk) {
	assert(track->path == SNW_PATH_ROTATION && track->key_count > 0);
	*walk = (snw_rotation_walk){.track = track, .is_set = is_set};
	memcpy(walk->rest, rest_rotation, sizeof walk->rest);
	nearest_at(walk, 0, 0, walk->vector);
}

/* Walks the rest of the segment. */
static void walk_to_next_key(snw_rotation_walk *walk) {
	const uint32_t steps = segment_steps(walk->track, walk->key);
	while (++walk->step < steps) {
		nearest_at(walk, walk->key, (double)walk->step / steps, walk->vector);
	}
	walk->key++;
	walk->step = 0;
	if (walk->is_set) {
		memset(walk->vector, 0, sizeof walk->vector);
	}
	nearest_at(walk, walk->key, 0, walk->vector);
}

void snw_rotation_walk_to(snw_rotation_walk *walk, double seconds, double vector[3]) {
	const uint32_t key = snw_track_key(walk->track, seconds);
	while (walk->key < key) {
		walk_to_next_key(walk);
	}
	const double s = fraction_of(walk->track, key, seconds);
	const uint32_t steps = segment_steps(walk->track, key);
	while (walk->step + 1 < steps && (double)(walk->step + 1) / steps <= s) {
		walk->step++;
		nearest_at(walk, key, (double)walk->step / steps, walk->vector);
	}
	nearest_at(walk, key, s, vector);
}

void snw_rotation_walk_keys(const snw_track *track, const double rest_rotation[4], bool is_set, double *vectors) {
	snw_rotation_walk walk;
	snw_rotation_walk_begin(track, rest_rotation, is_set, &walk);
	for (uint32_t k = 0; k < track->key_count; k++) {
		if (walk.key < k) {
			walk_to_next_key(&walk);
		}
		memcpy(vectors + 3 * (size_t)k, walk.vector, sizeof walk.vector);
	}
}

void snw_rotation_walk_from_keys(const snw_track *track, const double rest_rotation[4], const double *vectors, double seconds,
								 double vector[3]) {
	snw_rotation_walk walk = {.track = track, .key = snw_track_key(track, seconds)};
	memcpy(walk.rest, rest_rotation, sizeof walk.rest);
	memcpy(walk.vector, vectors + 3 * (size_t)walk.key, sizeof walk.vector);
	snw_rotation_walk_to(&walk, seconds, vector);
}

/* ---- clips made of poses ------------------------------------------------------------------------------------------------- */

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
