/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pose/training_clip.h"

#include <math.h>
#include <string.h>

#include "pose/clip_times.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

enum { ENDS = 2, PARTS = 2 };                         /* of a range: both ends; half of the way and all of it */
static const double LEAST_RANGE = 0.02;               /* radians: what turns less is at rest */
static const double USUAL_RANGE = 0.7853981633974483; /* 45 degrees */
static const double FARTHEST_STEP =
	2.82743338823; /* radians, 0.9 π: what turns farther between two keys could go the other way */

/* ---- ranges -------------------------------------------------------------------------------------------------------------- */

static void widen(snw_training_range *range, const double vector[3]) {
	for (int c = 0; c < 3; c++) {
		range->least[c] = fmin(range->least[c], vector[c]);
		range->most[c] = fmax(range->most[c], vector[c]);
	}
}

static void widen_by_clip(const snw_scene *scene, uint32_t clip, snw_training_range *of_joint) {
	snw_arena *arena = snw_arena_create();
	double *seconds;
	uint32_t count;
	snw_clip_key_seconds(&scene->clips[clip], arena, &seconds, &count);
	snw_pose **poses = SNW_NEW_ARRAY(arena, snw_pose *, count);
	snw_pose_sample_series(scene, clip, count, seconds, arena, poses);
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t joint = 0; joint < scene->skeleton.joint_count; joint++) {
			widen(&of_joint[joint], poses[i]->rotation_vectors + 3 * (size_t)joint);
		}
	}
	snw_arena_destroy(arena);
}

static bool has_range(const snw_training_range *range, uint32_t axis) {
	return range->most[axis] - range->least[axis] > LEAST_RANGE;
}

static bool has_any_range(const snw_training_range *range) {
	return has_range(range, 0) || has_range(range, 1) || has_range(range, 2);
}

static void give_usual_ranges(const snw_scene *scene, snw_training_range *of_joint) {
	for (uint32_t slot = 0; slot < scene->slot_count; slot++) {
		snw_training_range *range = &of_joint[scene->slot_joints[slot]];
		const bool is_root = scene->skeleton.parents[scene->slot_joints[slot]] == SNW_NONE; /* a root changes no shape */
		for (int c = 0; c < 3 && !is_root; c++) {
			range->least[c] = -USUAL_RANGE;
			range->most[c] = USUAL_RANGE;
		}
	}
}

void snw_training_ranges_find(const snw_scene *scene, snw_arena *arena, snw_training_range **ranges, uint32_t *count) {
	const uint32_t joints = scene->skeleton.joint_count;
	snw_training_range *of_joint = SNW_NEW_ARRAY(arena, snw_training_range, joints);
	bool any = false;
	*ranges = SNW_NEW_ARRAY(arena, snw_training_range, joints);
	*count = 0;
	for (uint32_t clip = 0; clip < scene->clip_count; clip++) {
		widen_by_clip(scene, clip, of_joint);
	}
	for (uint32_t joint = 0; joint < joints; joint++) {
		any = any || has_any_range(&of_joint[joint]);
	}
	if (!any) {
		give_usual_ranges(scene, of_joint);
	}
	for (uint32_t i = 0; i < joints; i++) {
		const uint32_t joint = scene->skeleton.order[i];
		of_joint[joint].joint = joint;
		if (has_any_range(&of_joint[joint])) {
			(*ranges)[(*count)++] = of_joint[joint];
		}
	}
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

typedef struct sampler {
	const snw_scene *scene;
	uint32_t range_count;
	const snw_training_range *ranges;
	snw_arena *arena;
	uint32_t count, capacity;
	snw_pose **poses;
} sampler;

static snw_pose *add_pose(sampler *s) {
	if (s->count == s->capacity) {
		snw_pose **poses = SNW_NEW_ARRAY(s->arena, snw_pose *, 2 * (size_t)s->capacity + 64);
		if (s->count > 0) {
			memcpy(poses, s->poses, s->count * sizeof *poses);
		}
		s->poses = poses;
		s->capacity = 2 * s->capacity + 64;
	}
	snw_pose *pose = snw_pose_rest(s->scene, s->arena);
	pose->name = "rest";
	s->poses[s->count++] = pose;
	return pose;
}

/* Turns one joint about one axis of its rest, and says so in the pose's name. */
static void turn_joint(const sampler *s, snw_pose *pose, uint32_t joint, uint32_t axis, double angle) {
	double *vector = pose->rotation_vectors + 3 * (size_t)joint, quaternion[4];
	vector[axis] = angle;
	snw_quat_from_rotation_vector(vector, quaternion);
	snw_quat_multiply(s->scene->skeleton.rest_local[joint].rotation, quaternion, pose->local[joint].rotation);
	pose->name = snw_arena_format(s->arena, "%s%s%s %c %+.0f", strcmp(pose->name, "rest") == 0 ? "" : pose->name,
								  strcmp(pose->name, "rest") == 0 ? "" : ", ", s->scene->skeleton.names[joint], "xyz"[axis],
								  angle * 180 / M_PI);
}

static double end_of(const snw_training_range *range, uint32_t axis, uint32_t end) {
	return end == 0 ? range->least[axis] : range->most[axis];
}

static void turn_alone(sampler *s, uint32_t joint, uint32_t axis, double angle) {
	if (fabs(angle) > LEAST_RANGE / 2) {
		turn_joint(s, add_pose(s), joint, axis, angle);
	}
}

/* From the lower end to the upper one, so that no step is long. */
static void sample_joint(sampler *s, const snw_training_range *range) {
	static const double shares[ENDS][PARTS] = {{1, 0.5}, {0.5, 1}};
	for (uint32_t axis = 0; axis < 3; axis++) {
		for (uint32_t end = 0; end < ENDS; end++) {
			for (uint32_t part = 0; part < PARTS; part++) {
				turn_alone(s, range->joint, axis, shares[end][part] * end_of(range, axis, end));
			}
		}
	}
}

/* From one pose to the next the axis changes: so a clip of them goes no longer way round than they do. */
static void sample_ends(sampler *s, const snw_training_range *range) {
	for (uint32_t end = 0; end < ENDS; end++) {
		for (uint32_t axis = 0; axis < 3; axis++) {
			turn_alone(s, range->joint, axis, end_of(range, axis, end));
		}
	}
}

static uint32_t widest_axis(const snw_training_range *range) {
	uint32_t widest = 0;
	for (uint32_t axis = 1; axis < 3; axis++) {
		widest = range->most[axis] - range->least[axis] > range->most[widest] - range->least[widest] ? axis : widest;
	}
	return widest;
}

/* The nearest joint above that has a range; NULL if there is none. */
static const snw_training_range *range_above(const sampler *s, uint32_t joint) {
	for (uint32_t above = s->scene->skeleton.parents[joint]; above != SNW_NONE; above = s->scene->skeleton.parents[above]) {
		for (uint32_t i = 0; i < s->range_count; i++) {
			if (s->ranges[i].joint == above) {
				return &s->ranges[i];
			}
		}
	}
	return NULL;
}

/* Both at the ends of their ranges. */
static void sample_pair(sampler *s, const snw_training_range *range) {
	const snw_training_range *above = range_above(s, range->joint);
	for (uint32_t pair = 0; above && pair < ENDS * ENDS; pair++) {
		const uint32_t axis = widest_axis(range), axis_above = widest_axis(above);
		const double angle = end_of(range, axis, pair % ENDS), angle_above = end_of(above, axis_above, pair / ENDS);
		if (fabs(angle) > LEAST_RANGE / 2 && fabs(angle_above) > LEAST_RANGE / 2) {
			snw_pose *pose = add_pose(s);
			turn_joint(s, pose, above->joint, axis_above, angle_above);
			turn_joint(s, pose, range->joint, axis, angle);
		}
	}
}

static bool is_far(const snw_scene *scene, const snw_pose *a, const snw_pose *b) {
	for (size_t joint = 0; joint < scene->skeleton.joint_count; joint++) {
		double gap[3];
		for (size_t c = 0; c < 3; c++) {
			gap[c] = a->rotation_vectors[3 * joint + c] - b->rotation_vectors[3 * joint + c];
		}
		if (snw_length3(gap) > FARTHEST_STEP) {
			return true;
		}
	}
	return false;
}

/* The rest first, then the chosen poses in their order. */
static snw_training_clip line_up(sampler *s, uint32_t count, const bool *chosen) {
	const snw_pose *const *found = (const snw_pose *const *)s->poses;
	sampler line = {.scene = s->scene, .arena = s->arena};
	add_pose(&line);
	for (uint32_t i = 0; i < count; i++) {
		if (chosen[i]) {
			if (is_far(s->scene, line.poses[line.count - 1], found[i])) {
				add_pose(&line);
			}
			*add_pose(&line) = *found[i];
		}
	}
	return (snw_training_clip){.pose_count = line.count, .poses = line.poses};
}

snw_status snw_training_clip_make(const snw_scene *scene, uint32_t range_count, const snw_training_range *ranges, uint32_t most,
								  const snw_task *task, snw_arena *arena, snw_training_clip *made, snw_error *error) {
	sampler s = {.scene = scene, .range_count = range_count, .ranges = ranges, .arena = arena};
	for (uint32_t i = 0; i < range_count; i++) {
		sample_joint(&s, &ranges[i]);
	}
	for (uint32_t i = 0; i < range_count; i++) {
		sample_pair(&s, &ranges[i]);
	}
	uint32_t *taken = SNW_NEW_ARRAY(arena, uint32_t, s.count), taken_count;
	bool *chosen = SNW_NEW_ARRAY(arena, bool, s.count);
	const snw_status status =
		snw_poses_cover(scene, s.count, (const snw_pose *const *)s.poses, most, task, taken, &taken_count, error);
	if (snw_failed(status)) {
		return status;
	}
	if (taken_count == 0) {
		return snw_fail(
			error, SNW_ERROR_MISSING,
			"no joint that has a range changes the shape when it rotates, so no pose is worth simulating; name joints with "
			"--range JOINT=AXIS:FROM:TO");
	}
	for (uint32_t i = 0; i < taken_count; i++) {
		chosen[taken[i]] = true;
	}
	*made = line_up(&s, s.count, chosen);
	return SNW_OK;
}

snw_training_clip snw_training_range_ends(const snw_scene *scene, uint32_t range_count, const snw_training_range *ranges,
										  snw_arena *arena) {
	sampler s = {.scene = scene, .range_count = range_count, .ranges = ranges, .arena = arena};
	for (uint32_t i = 0; i < range_count; i++) {
		sample_ends(&s, &ranges[i]);
	}
	return (snw_training_clip){.pose_count = s.count, .poses = s.poses};
}

/* ---- the clip ------------------------------------------------------------------------------------------------------------ */

static snw_track make_track(const snw_training_clip *made, uint32_t joint, int32_t path, uint32_t width, const double *seconds,
							snw_arena *arena) {
	double *values = SNW_NEW_ARRAY(arena, double, (size_t)width * made->pose_count);
	for (uint32_t f = 0; f < made->pose_count; f++) {
		const snw_transform *local = &made->poses[f]->local[joint];
		const double *from = path == SNW_PATH_ROTATION      ? local->rotation
							 : path == SNW_PATH_TRANSLATION ? local->translation
															: local->scale;
		memcpy(values + (size_t)width * f, from, width * sizeof *values);
	}
	return (snw_track){.target = joint,
					   .path = path,
					   .interpolation = SNW_LINEAR,
					   .key_count = made->pose_count,
					   .seconds = seconds,
					   .values = values};
}

snw_clip snw_training_clip_keys(const snw_scene *scene, const snw_training_clip *made, const char *name, double keys_per_second,
								snw_arena *arena) {
	static const struct {
		int32_t path;
		uint32_t width;
	} paths[] = {{SNW_PATH_ROTATION, 4}, {SNW_PATH_TRANSLATION, 3}, {SNW_PATH_SCALE, 3}};
	double *seconds = SNW_NEW_ARRAY(arena, double, made->pose_count);
	snw_track *tracks = SNW_NEW_ARRAY(arena, snw_track, 3 * (size_t)scene->skeleton.joint_count);
	snw_clip clip = {.name = name, .duration_seconds = (made->pose_count - 1) / keys_per_second, .tracks = tracks};
	for (uint32_t f = 0; f < made->pose_count; f++) {
		seconds[f] = f / keys_per_second;
	}
	for (uint32_t joint = 0; joint < scene->skeleton.joint_count; joint++) {
		for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) {
			tracks[clip.track_count++] = make_track(made, joint, paths[p].path, paths[p].width, seconds, arena);
		}
	}
	return clip;
}
