/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pose/clip.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

/* ---- clip times ---------------------------------------------------------------------------------------------------------- */

static const double SAME_TIME = 1e-6; /* seconds */

#define OF " of "

uint32_t snw_target_clip(const snw_scene *scene, const snw_target *target) {
	const uint32_t clip = target->clip != SNW_NONE ? target->clip : snw_scene_find_clip(scene, target->name);
	for (const char *of = target->name; clip == SNW_NONE && (of = strstr(of, OF)); of++) {
		for (uint32_t c = 0; c < scene->clip_count; c++) {
			const char *name = scene->clips[c].name;
			if (strlen(name) == (size_t)(of - target->name) && strncmp(name, target->name, strlen(name)) == 0) {
				return c;
			}
		}
	}
	return clip;
}

const char *snw_sequence_name(const char *clip, const char *mesh, snw_arena *arena) {
	return snw_arena_format(arena, "%s" OF "%s", clip, mesh);
}

void snw_clip_times(const snw_scene *scene, uint32_t clip, snw_arena *arena, double **seconds, uint32_t *count) {
	if (scene->clips[clip].track_count > 0) {
		snw_clip_key_seconds(&scene->clips[clip], arena, seconds, count);
		return;
	}
	uint32_t total = 0, used = 0;
	for (int fill = 0; fill < 2; fill++) {
		if (fill) {
			*seconds = SNW_NEW_ARRAY(arena, double, total);
			total = 0;
		}
		for (uint32_t t = 0; t < scene->target_count; t++) {
			const snw_target *target = &scene->targets[t];
			if (snw_target_clip(scene, target) != clip) {
				continue;
			}
			if (fill && target->frame_count > 0) {
				memcpy(*seconds + total, target->seconds, target->frame_count * sizeof **seconds);
			}
			total += target->frame_count;
		}
	}
	snw_sort_numbers(*seconds, total);
	for (uint32_t i = 0; i < total; i++) {
		if (used == 0 || (*seconds)[i] > (*seconds)[used - 1]) {
			(*seconds)[used++] = (*seconds)[i];
		}
	}
	*count = used;
}

uint32_t snw_latest_time(const double *times, uint32_t count, double seconds) {
	uint32_t low = 0, high = count;
	while (high - low > 1) {
		const uint32_t middle = low + (high - low) / 2;
		if (times[middle] <= seconds + SAME_TIME) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

void snw_scene_clip_sequences(snw_scene *scene) {
	snw_clip *clips = SNW_NEW_ARRAY(scene->arena, snw_clip, (size_t)scene->clip_count + scene->target_count);
	if (scene->clip_count > 0) {
		memcpy(clips, scene->clips, scene->clip_count * sizeof *clips);
	}
	scene->clips = clips;
	for (uint32_t t = 0; t < scene->target_count; t++) {
		const snw_target *target = &scene->targets[t];
		if (snw_target_clip(scene, target) == SNW_NONE && target->frame_count > 0) {
			const double end = target->seconds[target->frame_count - 1];
			clips[scene->clip_count++] = (snw_clip){.name = target->name, .duration_seconds = end > 0 ? end : 0};
		}
	}
}

/* ---- choosing frames ----------------------------------------------------------------------------------------------------- */

static const double SAME_PLACE = 1e-6; /* a distance that is rounding */

/* ---- text ---------------------------------------------------------------------------------------------------------------- */

static const char *const choice_words[] = {
	[SNW_FRAMES_ALL] = "all", [SNW_FRAMES_EVERY] = "every", [SNW_FRAMES_COVER] = "cover"};

snw_status snw_frame_choice_parse(const char *text, snw_frame_choice *choice, snw_error *error) {
	for (int rule = SNW_FRAMES_EVERY; rule <= SNW_FRAMES_COVER; rule++) {
		const size_t length = strlen(choice_words[rule]);
		char *end = NULL;
		if (strncmp(text, choice_words[rule], length) == 0 && text[length] == ':') {
			const unsigned long number = strtoul(text + length + 1, &end, 10);
			if (end != text + length + 1 && *end == 0 && text[length + 1] != '-' && number > 0 && number < SNW_NONE) {
				*choice = (snw_frame_choice){(snw_frame_rule)rule, (uint32_t)number};
				return SNW_OK;
			}
		}
	}
	if (strcmp(text, choice_words[SNW_FRAMES_ALL]) == 0) {
		*choice = (snw_frame_choice){SNW_FRAMES_ALL, 0};
		return SNW_OK;
	}
	return snw_fail(
		error, SNW_ERROR_ARGUMENT,
		"'%s': expected all, every:N (every N-th frame) or cover:N (the N frames of each clip that cover its poses best)",
		text);
}

const char *snw_frame_choice_text(snw_frame_choice choice, snw_arena *arena) {
	return choice.rule == SNW_FRAMES_ALL ? choice_words[SNW_FRAMES_ALL]
										 : snw_arena_format(arena, "%s:%u", choice_words[choice.rule], choice.number);
}

/* ---- covering ------------------------------------------------------------------------------------------------------------ */

/* How much each joint counts, [joint_count]. */
static double *weigh_joints(const snw_scene *scene, snw_arena *arena) {
	const snw_skeleton *skeleton = &scene->skeleton;
	double *weights = SNW_NEW_ARRAY(arena, double, skeleton->joint_count), all = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		const uint32_t influences = mesh->influence_offsets ? mesh->influence_offsets[mesh->point_count] : 0;
		for (uint32_t i = 0; i < influences; i++) {
			weights[scene->slot_joints[mesh->influence_slots[i]]] += mesh->influence_weights[i];
			all += mesh->influence_weights[i];
		}
	}
	for (uint32_t i = skeleton->joint_count; i-- > 0;) { /* children first */
		const uint32_t joint = skeleton->order[i], parent = skeleton->parents[joint];
		if (parent != SNW_NONE) {
			weights[parent] += weights[joint];
		}
	}
	for (uint32_t joint = 0; joint < skeleton->joint_count; joint++) {
		const double share = all > 0 ? fmin(fmax(weights[joint] / all, 0), 1) : 0;
		weights[joint] = all > 0 ? share * (1 - share) : 1; /* without a skin, all alike */
	}
	return weights;
}

/* Of the unwound rotation vectors; NULL for the rest. */
static double distance_squared(uint32_t joint_count, const double *weights, const snw_pose *a, const snw_pose *b) {
	double sum = 0;
	for (size_t joint = 0; joint < joint_count; joint++) {
		for (size_t c = 0; c < 3; c++) {
			const double gap = a->rotation_vectors[3 * joint + c] - (b ? b->rotation_vectors[3 * joint + c] : 0);
			sum += weights[joint] * gap * gap;
		}
	}
	return sum;
}

snw_status snw_poses_cover(const snw_scene *scene, uint32_t count, const snw_pose *const *poses, uint32_t most,
						   const snw_task *task, uint32_t *taken, uint32_t *taken_count, snw_error *error) {
	const uint32_t joint_count = scene->skeleton.joint_count;
	snw_arena *arena = snw_arena_create();
	const double *weights = weigh_joints(scene, arena);
	double *nearest = SNW_NEW_ARRAY(arena, double, count);
	const uint32_t wanted = most < count ? most : count;
	snw_status status = SNW_OK;
	*taken_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		nearest[i] = distance_squared(joint_count, weights, poses[i], NULL);
	}
	while (*taken_count < wanted) {
		uint32_t farthest = SNW_NONE;
		for (uint32_t i = 0; i < count; i++) {
			farthest = farthest == SNW_NONE || nearest[i] > nearest[farthest] ? i : farthest;
		}
		if (farthest == SNW_NONE || !(nearest[farthest] > SAME_PLACE * SAME_PLACE)) {
			break;
		}
		if (!snw_task_progress(task, (double)*taken_count / wanted, "choosing poses")) {
			status = snw_fail(error, SNW_CANCELLED, "the choice of poses was cancelled");
			break;
		}
		taken[(*taken_count)++] = farthest;
		for (uint32_t i = 0; i < count; i++) {
			nearest[i] = fmin(nearest[i], distance_squared(joint_count, weights, poses[i], poses[farthest]));
		}
	}
	snw_arena_destroy(arena);
	return status;
}

/* ---- frames -------------------------------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b) {
	const uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
	return (first > second) - (first < second);
}

static snw_status cover(const snw_scene *scene, const snw_target *target, uint32_t most, const snw_task *task, uint32_t *frames,
						uint32_t *count, snw_error *error) {
	if (scene->skeleton.joint_count == 0 || snw_target_clip(scene, target) == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "'%s' has no poses for cover:%u to choose from; use every:N", target->name,
						most);
	}
	snw_arena *arena = snw_arena_create();
	snw_pose **poses = SNW_NEW_ARRAY(arena, snw_pose *, target->frame_count);
	snw_pose_sample_series(scene, snw_target_clip(scene, target), target->frame_count, target->seconds, arena, poses);
	const snw_status status =
		snw_poses_cover(scene, target->frame_count, (const snw_pose *const *)poses, most, task, frames, count, error);
	snw_arena_destroy(arena);
	if (!snw_failed(status) && *count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"no joint of '%s' changes the shape by rotating, so cover:%u has no poses to choose; use every:N",
						target->name, most);
	}
	if (!snw_failed(status)) {
		qsort(frames, *count, sizeof *frames, by_number);
	}
	return status;
}

snw_status snw_frames_choose(const snw_scene *scene, const snw_target *target, snw_frame_choice choice, const snw_task *task,
							 snw_arena *arena, uint32_t **frames, uint32_t *count, snw_error *error) {
	*frames = SNW_NEW_ARRAY(arena, uint32_t, target->frame_count);
	*count = 0;
	if (choice.rule == SNW_FRAMES_COVER && choice.number < target->frame_count) {
		return cover(scene, target, choice.number, task, *frames, count, error);
	}
	const uint32_t step = choice.rule == SNW_FRAMES_EVERY ? choice.number : 1;
	for (uint64_t frame = 0; frame < target->frame_count; frame += step) {
		(*frames)[(*count)++] = (uint32_t)frame;
	}
	return SNW_OK;
}

/* ---- trimming a clip ----------------------------------------------------------------------------------------------------- */

/* A track under construction. */
typedef struct track_builder {
	const snw_track *from;
	size_t width, row; /* numbers of a value, and of a key with its tangents */
	double begin;
	double *seconds, *values;
	uint32_t count;
} track_builder;

static void add_row(track_builder *b, double seconds, const double *row) {
	b->seconds[b->count] = seconds - b->begin;
	memcpy(b->values + b->row * b->count++, row, b->row * sizeof *row);
}

/* The value and the slope of a cubic curve between two keys: a part of it is the cubic curve with these at its end. */
static void cut_cubic(const track_builder *b, uint32_t key, double seconds, double *row) {
	const double span = b->from->seconds[key + 1] - b->from->seconds[key], s = (seconds - b->from->seconds[key]) / span;
	const double *v0 = b->from->values + b->row * key + b->width, *out0 = v0 + b->width;
	const double *v1 = v0 + b->row, *in1 = v1 - b->width;
	double squares = 0;
	for (size_t i = 0; i < b->width; i++) {
		const double rise = v1[i] - v0[i];
		row[b->width + i] = v0[i] + s * s * (3 - 2 * s) * rise + span * s * (1 - s) * ((1 - s) * out0[i] - s * in1[i]);
		row[i] = 6 * s * (1 - s) / span * rise + (1 - s) * (1 - 3 * s) * out0[i] + s * (3 * s - 2) * in1[i];
		squares += row[b->width + i] * row[b->width + i];
	}
	const double length = b->from->path == SNW_PATH_ROTATION && squares > 0 ? sqrt(squares) : 1;
	for (size_t i = 0; i < 2 * b->width; i++) {
		row[i] /= length;
	}
	memcpy(row + 2 * b->width, row, b->width * sizeof *row);
}

/* A key between others; none before the first and after the last, where the track stands still. */
static void cut(track_builder *b, double seconds) {
	double row[12];
	const uint32_t key = snw_track_key(b->from, seconds), last = b->from->key_count - 1;
	if (seconds < b->from->seconds[0] || (seconds > b->from->seconds[last] && b->count > 0)) {
		return;
	}
	if (b->from->interpolation == SNW_CUBIC && key < last && seconds > b->from->seconds[key]) {
		cut_cubic(b, key, seconds, row);
	} else if (b->from->interpolation == SNW_CUBIC) {
		memcpy(row, b->from->values + b->row * key, b->row * sizeof *row);
	} else {
		snw_track_sample(b->from, seconds, row);
	}
	add_row(b, seconds, row);
}

static void trim_track(const snw_track *from, double begin, double end, snw_arena *arena, snw_track *track) {
	const size_t width = snw_track_width(from), row = width * (from->interpolation == SNW_CUBIC ? 3 : 1);
	track_builder b = {.from = from,
					   .width = width,
					   .row = row,
					   .begin = begin,
					   .seconds = SNW_NEW_ARRAY(arena, double, (size_t)from->key_count + 2),
					   .values = SNW_NEW_ARRAY(arena, double, row *((size_t)from->key_count + 2))};
	cut(&b, begin);
	for (uint32_t k = 0; k < from->key_count; k++) {
		if (from->seconds[k] > begin && from->seconds[k] < end) {
			add_row(&b, from->seconds[k], from->values + row * k);
		}
	}
	if (end > begin) {
		cut(&b, end);
	}
	if (b.count == 0) { /* all keys are later */
		add_row(&b, begin, from->values);
	}
	*track = *from;
	track->key_count = b.count;
	track->seconds = b.seconds;
	track->values = b.values;
}

snw_clip snw_clip_trim(const snw_clip *clip, double from_seconds, double to_seconds, snw_arena *arena) {
	snw_track *tracks = SNW_NEW_ARRAY(arena, snw_track, clip->track_count);
	for (uint32_t t = 0; t < clip->track_count; t++) {
		trim_track(&clip->tracks[t], from_seconds, to_seconds, arena, &tracks[t]);
	}
	return (snw_clip){.name = snw_arena_text(arena, clip->name),
					  .duration_seconds = to_seconds - from_seconds,
					  .track_count = clip->track_count,
					  .tracks = tracks};
}

/* ---- training clips ------------------------------------------------------------------------------------------------------ */

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
	made->chosen_count = taken_count;
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
