/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pose/choose_frames.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pose/clip_times.h"
#include "pose/pose.h"

static const double SAME_PLACE = 1e-6; /* a distance that is rounding */

/* ---- text ---------------------------------------------------------------------------------------------------------- */

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

/* ---- covering -------------------------------------------------------------------------------------------------------- */

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

/* ---- frames ---------------------------------------------------------------------------------------------------------- */

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
