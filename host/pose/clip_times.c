/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pose/clip_times.h"

#include <string.h>

#include "base/numbers.h"
#include "pose/pose.h"

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
