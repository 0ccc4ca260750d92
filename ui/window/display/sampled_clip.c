/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples a clip in advance.
 */
#include "window/display/sampled_clip.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "pose/clip_times.h"

#define SMOOTH_STEP (1.0 / 60) /* seconds between poses */
#define SAME_TIME 1e-6
enum { MOST_BETWEEN = 6000 }; /* poses added for smooth motion: a few megabytes */
enum { POSES_AT_ONCE = 64 };

/* Sorts, and removes duplicates. */
static uint32_t settle(double *times, uint32_t count) {
	uint32_t unique = 0;
	snw_sort_numbers(times, count);
	for (uint32_t i = 0; i < count; i++) {
		if (unique == 0 || times[i] - times[unique - 1] > SAME_TIME) {
			times[unique++] = times[i];
		}
	}
	return unique;
}

static void find_truth(snw_sampled_clip *sampled, const snw_scene *scene) {
	uint32_t total = 0;
	for (uint32_t i = 0; i < scene->target_count; i++) {
		total += snw_target_clip(scene, &scene->targets[i]) == sampled->clip ? scene->targets[i].frame_count : 0;
	}
	sampled->truth_seconds = SNW_NEW_ARRAY(sampled->arena, double, total);
	for (uint32_t i = 0; i < scene->target_count; i++) {
		const snw_target *target = &scene->targets[i];
		for (uint32_t f = 0; snw_target_clip(scene, target) == sampled->clip && f < target->frame_count; f++) {
			sampled->truth_seconds[sampled->truth_count++] = target->seconds[f];
		}
	}
	sampled->truth_count = settle(sampled->truth_seconds, sampled->truth_count);
}

static void find_keys(snw_sampled_clip *sampled, const snw_scene *scene) {
	snw_clip_times(scene, sampled->clip, sampled->arena, &sampled->key_seconds, &sampled->key_count);
	if (sampled->key_count == 0) {
		sampled->key_seconds = SNW_NEW_ARRAY(sampled->arena, double, 1);
		sampled->key_count = 1;
	}
}

void snw_sampled_clip_load(snw_sampled_clip *sampled, const snw_scene *scene, uint32_t clip) {
	snw_sampled_clip_free(sampled);
	*sampled = (snw_sampled_clip){.arena = snw_arena_create(), .scene = scene, .clip = clip};
	sampled->duration_seconds = fmax(scene->clips[clip].duration_seconds, 0);
	find_keys(sampled, scene);
	find_truth(sampled, scene);
	const double between_count = fmin(ceil(sampled->duration_seconds / SMOOTH_STEP), MOST_BETWEEN);
	const uint32_t between = (uint32_t)between_count;
	const uint32_t total = sampled->key_count + sampled->truth_count + between + 1;
	sampled->seconds = SNW_NEW_ARRAY(sampled->arena, double, total);
	for (uint32_t i = 0; i <= between; i++) {
		sampled->seconds[i] = between ? sampled->duration_seconds * i / between : 0;
	}
	memcpy(sampled->seconds + between + 1, sampled->key_seconds, sampled->key_count * sizeof(double));
	if (sampled->truth_count > 0) {
		memcpy(sampled->seconds + between + 1 + sampled->key_count, sampled->truth_seconds,
			   sampled->truth_count * sizeof(double));
	}
	sampled->count = settle(sampled->seconds, total);
	sampled->poses = SNW_NEW_ARRAY(sampled->arena, snw_pose *, sampled->count);
}

void snw_sampled_clip_free(snw_sampled_clip *sampled) {
	snw_arena_destroy(sampled->arena);
	*sampled = (snw_sampled_clip){0};
}

const snw_pose *snw_sampled_clip_pose_at(const snw_sampled_clip *sampled, uint32_t index) {
	if (!sampled->poses[index]) {
		const uint32_t begin = index - index % POSES_AT_ONCE;
		const uint32_t count = sampled->count - begin < POSES_AT_ONCE ? sampled->count - begin : POSES_AT_ONCE;
		snw_pose_sample_series(sampled->scene, sampled->clip, count, sampled->seconds + begin, sampled->arena,
							   sampled->poses + begin);
	}
	return sampled->poses[index];
}

const snw_pose *snw_sampled_clip_pose(const snw_sampled_clip *sampled, double seconds) {
	return snw_sampled_clip_pose_at(sampled, snw_latest_time(sampled->seconds, sampled->count, seconds));
}

double snw_sampled_clip_step(const snw_sampled_clip *sampled, double seconds, int steps) {
	const int64_t current = snw_latest_time(sampled->key_seconds, sampled->key_count, seconds);
	const int64_t count = sampled->key_count;
	return sampled->key_seconds[((current + steps) % count + count) % count];
}
