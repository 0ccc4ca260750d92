/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Training sets of a comparison: scenes in which some frames of the training clip are left out, or have become sculpts. They
 * share everything else with the scene that they are made from.
 */
#ifndef SINEW_HOST_COMPARE_TRAINING_H
#define SINEW_HOST_COMPARE_TRAINING_H

#include "scene/scene.h"
#include "task/task.h"

/* Some of a clip's frames: begin, begin + step, … below `end`. */
typedef struct snw_frame_part {
	uint32_t begin, end, step;
} snw_frame_part;

/* Part `part` of `part_count` of nearly equal size. Frames in order are cut into ranges, because neighbouring frames are alike.
 * A set's poses are dealt out in turn: its files are often sorted by kind, and a range would hold out one whole kind. */
snw_frame_part snw_frame_part_of(uint32_t frame_count, uint32_t part_count, uint32_t part, bool is_set);

/* The scene without some frames of a target. */
snw_scene snw_scene_without_frames(const snw_scene *scene, uint32_t target, snw_frame_part left_out, snw_arena *arena);

/* The scene with sculpts in place of its own: the frames of a target that cover its poses best, at most `most`, in no group.
 * Fails as snw_frames_choose does. */
snw_status snw_scene_with_sculpts(const snw_scene *scene, uint32_t target, uint32_t most, const snw_task *task,
								  snw_arena *arena, snw_scene *with, snw_error *error);

#endif
