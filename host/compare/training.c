/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/training.h"

#include <string.h>

#include "fit/samples/choose_frames.h"
#include "pose/clip_times.h"
#include "pose/pose.h"
#include "task/subtask.h"

snw_frame_part snw_frame_part_of(uint32_t frame_count, uint32_t part_count, uint32_t part, bool is_set) {
	return is_set ? (snw_frame_part){part, frame_count, part_count}
				  : (snw_frame_part){(uint32_t)((uint64_t)frame_count * part / part_count),
									 (uint32_t)((uint64_t)frame_count * (part + 1) / part_count), 1};
}

static bool has_frame(snw_frame_part part, uint32_t frame) {
	return frame >= part.begin && frame < part.end && (frame - part.begin) % part.step == 0;
}

snw_scene snw_scene_without_frames(const snw_scene *scene, uint32_t target, snw_frame_part left_out, snw_arena *arena) {
	const snw_target *whole = &scene->targets[target];
	const size_t numbers = 3 * (size_t)scene->meshes[whole->mesh].point_count;
	snw_target *targets = snw_arena_copy(arena, scene->targets, scene->target_count * sizeof *targets);
	double *seconds = SNW_NEW_ARRAY(arena, double, whole->frame_count);
	float *points = SNW_NEW_ARRAY(arena, float, whole->frame_count *numbers);
	uint32_t kept = 0;
	for (uint32_t frame = 0; frame < whole->frame_count; frame++) {
		if (!has_frame(left_out, frame)) {
			seconds[kept] = whole->seconds[frame];
			memcpy(points + kept * numbers, whole->points_posed + frame * numbers, numbers * sizeof *points);
			kept++;
		}
	}
	targets[target].frame_count = kept;
	targets[target].seconds = seconds;
	targets[target].points_posed = points;
	snw_scene without = *scene;
	without.targets = targets;
	return without;
}

snw_status snw_scene_with_sculpts(const snw_scene *scene, uint32_t target, uint32_t most, const snw_task *task,
								  snw_arena *arena, snw_scene *with, snw_error *error) {
	const snw_target *from = &scene->targets[target];
	const size_t numbers = 3 * (size_t)scene->meshes[from->mesh].point_count;
	snw_subtask part = {task, 0, 0};
	const snw_task choosing = snw_task_of_subtask(&part);
	uint32_t *frames, count;
	const snw_status status =
		snw_frames_choose(scene, from, (snw_frame_choice){SNW_FRAMES_COVER, most}, &choosing, arena, &frames, &count, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_pose *poses = SNW_NEW_ARRAY(arena, snw_pose, scene->pose_count + count);
	snw_example *examples = SNW_NEW_ARRAY(arena, snw_example, count);
	*with = *scene;
	memcpy(poses, scene->poses, scene->pose_count * sizeof *poses);
	for (uint32_t i = 0; i < count; i++) {
		const char *name = snw_arena_format(arena, "%s frame %u", from->name, frames[i]);
		double *points = SNW_NEW_ARRAY(arena, double, numbers);
		for (size_t n = 0; n < numbers; n++) {
			points[n] = (double)from->points_posed[frames[i] * numbers + n];
		}
		snw_pose *pose = &poses[with->pose_count];
		*pose = *snw_pose_sample(scene, snw_target_clip(scene, from), from->seconds[frames[i]], arena);
		pose->name = snw_scene_free_name(scene, snw_scene_find_pose, name, arena);
		pose->id = 0;
		examples[i] = (snw_example){.name = name, .pose = with->pose_count++, .mesh = from->mesh, .points_posed = points};
	}
	with->poses = poses;
	with->example_count = count;
	with->examples = examples;
	with->groups = NULL;
	with->group_count = 0;
	return SNW_OK;
}
