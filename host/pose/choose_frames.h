/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which frames of a clip train a method: all, every n-th, or the few that cover the space of its poses best.
 */
#ifndef SINEW_HOST_POSE_CHOOSE_FRAMES_H
#define SINEW_HOST_POSE_CHOOSE_FRAMES_H

#include "scene/scene.h"
#include "task/task.h"

typedef enum snw_frame_rule { SNW_FRAMES_ALL = 0, SNW_FRAMES_EVERY = 1, SNW_FRAMES_COVER = 2 } snw_frame_rule;

typedef struct snw_frame_choice {
	snw_frame_rule rule;
	uint32_t number; /* every `number`-th frame; at most `number` frames of each clip */
} snw_frame_choice;

/* "all", "every:N" or "cover:N". SNW_ERROR_ARGUMENT says what is expected. */
snw_status snw_frame_choice_parse(const char *text, snw_frame_choice *choice, snw_error *error);
const char *snw_frame_choice_text(snw_frame_choice choice, snw_arena *arena);

/* The chosen frames of a target or sequence, ascending, in `arena`. SNW_ERROR_MISSING if SNW_FRAMES_COVER has to choose, and
 * the target has no poses or no pose has another shape than the rest; SNW_CANCELLED if the task is stopped. */
snw_status snw_frames_choose(const snw_scene *scene, const snw_target *target, snw_frame_choice choice, const snw_task *task,
							 snw_arena *arena, uint32_t **frames, uint32_t *count, snw_error *error);

/* Greedy covering of pose space (farthest points): begins with the rest, whose mesh is known, and takes the pose that is
 * farthest from all taken ones, until there are `most` or the others are at taken places. The taken indices in that order, so
 * that each beginning of the list covers best too. A joint counts as much as it changes the shape: by the share of the points
 * below it, times the share of the others. Before there are weights, joints count alike. SNW_CANCELLED if the task is
 * stopped. */
snw_status snw_poses_cover(const snw_scene *scene, uint32_t count, const snw_pose *const *poses, uint32_t most,
						   const snw_task *task, uint32_t *taken, uint32_t *taken_count, snw_error *error);

#endif
