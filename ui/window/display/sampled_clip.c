/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sampling a clip ahead.
 */
#include "window/display/sampled_clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pose/clip_times.h"

#define SMOOTH_STEP (1.0 / 60) /* seconds between poses */
#define SAME_TIME 1e-6
enum { MOST_BETWEEN = 6000 }; /* poses that are added for smoothness: some megabytes */
enum { POSES_AT_ONCE = 64 };

static int compare_times(const void *a, const void *b) {
	const double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

/* Sorts, and leaves out what comes twice. */
static uint32_t settle(double *times, uint32_t count) {
	uint32_t kept = 0;
	qsort(times, count, sizeof *times, compare_times);
	for (uint32_t i = 0; i < count; i++) {
		if (kept == 0 || times[i] - times[kept - 1] > SAME_TIME) {
			times[kept++] = times[i];
		}
	}
	return kept;
}

static void find_truth(snw_clip_reel *reel, const snw_scene *scene) {
	uint32_t total = 0;
	for (uint32_t i = 0; i < scene->target_count; i++) {
		total += snw_target_clip(scene, &scene->targets[i]) == reel->clip ? scene->targets[i].frame_count : 0;
	}
	reel->truth_seconds = SNW_NEW_ARRAY(reel->arena, double, total);
	for (uint32_t i = 0; i < scene->target_count; i++) {
		const snw_target *target = &scene->targets[i];
		for (uint32_t f = 0; snw_target_clip(scene, target) == reel->clip && f < target->frame_count; f++) {
			reel->truth_seconds[reel->truth_count++] = target->seconds[f];
		}
	}
	reel->truth_count = settle(reel->truth_seconds, reel->truth_count);
}

static void find_keys(snw_clip_reel *reel, const snw_scene *scene) {
	snw_clip_times(scene, reel->clip, reel->arena, &reel->key_seconds, &reel->key_count);
	if (reel->key_count == 0) {
		reel->key_seconds = SNW_NEW_ARRAY(reel->arena, double, 1);
		reel->key_count = 1;
	}
}

void snw_clip_reel_load(snw_clip_reel *reel, const snw_scene *scene, uint32_t clip) {
	snw_clip_reel_free(reel);
	*reel = (snw_clip_reel){.arena = snw_arena_create(), .scene = scene, .clip = clip};
	reel->duration_seconds = fmax(scene->clips[clip].duration_seconds, 0);
	find_keys(reel, scene);
	find_truth(reel, scene);
	const double wished = fmin(ceil(reel->duration_seconds / SMOOTH_STEP), MOST_BETWEEN);
	const uint32_t between = (uint32_t)wished;
	const uint32_t total = reel->key_count + reel->truth_count + between + 1;
	reel->seconds = SNW_NEW_ARRAY(reel->arena, double, total);
	for (uint32_t i = 0; i <= between; i++) {
		reel->seconds[i] = between ? reel->duration_seconds * i / between : 0;
	}
	memcpy(reel->seconds + between + 1, reel->key_seconds, reel->key_count * sizeof(double));
	if (reel->truth_count > 0) {
		memcpy(reel->seconds + between + 1 + reel->key_count, reel->truth_seconds, reel->truth_count * sizeof(double));
	}
	reel->count = settle(reel->seconds, total);
	reel->poses = SNW_NEW_ARRAY(reel->arena, snw_pose *, reel->count);
}

void snw_clip_reel_free(snw_clip_reel *reel) {
	snw_arena_destroy(reel->arena);
	*reel = (snw_clip_reel){0};
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

const snw_pose *snw_clip_reel_pose_at(const snw_clip_reel *reel, uint32_t index) {
	if (!reel->poses[index]) {
		const uint32_t begin = index - index % POSES_AT_ONCE;
		const uint32_t count = reel->count - begin < POSES_AT_ONCE ? reel->count - begin : POSES_AT_ONCE;
		snw_pose_sample_series(reel->scene, reel->clip, count, reel->seconds + begin, reel->arena, reel->poses + begin);
	}
	return reel->poses[index];
}

const snw_pose *snw_clip_reel_pose(const snw_clip_reel *reel, double seconds) {
	return snw_clip_reel_pose_at(reel, snw_latest_time(reel->seconds, reel->count, seconds));
}

double snw_clip_reel_step(const snw_clip_reel *reel, double seconds, int steps) {
	const int64_t now = snw_latest_time(reel->key_seconds, reel->key_count, seconds);
	const int64_t count = reel->key_count;
	return reel->key_seconds[((now + steps) % count + count) % count];
}
