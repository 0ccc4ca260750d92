/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Training sets of a comparison: scenes in which some frames of the training clip are left out, or have become sculpts. They share
 * everything else with the scene that they are made from.
 */
#ifndef SINEW_HOST_COMPARE_TRAINING_H
#define SINEW_HOST_COMPARE_TRAINING_H

#include "scene/scene.h"
#include "task/task.h"

/* The clip of fold `fold`'s frames begins and ends (excluded) here, of `fold_count` parts of nearly equal length. */
void snw_fold_range(uint32_t frame_count, uint32_t fold_count, uint32_t fold, uint32_t *begin, uint32_t *end);

/* The scene without frames begin … end − 1 of a target. */
snw_scene snw_scene_without_frames(const snw_scene *scene, uint32_t target, uint32_t begin, uint32_t end, snw_arena *arena);

/* The scene with sculpts in place of its own: the frames of a target that cover its poses best, at most `most`, in no group. Fails as
 * snw_frames_choose does. */
snw_status snw_scene_with_sculpts(const snw_scene *scene, uint32_t target, uint32_t most, const snw_task *task,
								  snw_arena *arena, snw_scene *with, snw_error *error);

#endif
