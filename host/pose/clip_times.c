/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pose/clip_times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "pose/clip.h"
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
