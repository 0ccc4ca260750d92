/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clips of mesh animations, and the moments of clips. A sequence has its own clip without tracks. Only the time changes in
 * it, which drives models that store motion by clip and time.
 */
#ifndef SINEW_HOST_POSE_CLIP_TIMES_H
#define SINEW_HOST_POSE_CLIP_TIMES_H

#include "scene/scene.h"
#include "task/task.h"

/* The clip of a target; for a sequence, the clip with its name, which may have tracks by now (a fit that proposes tracks uses
 * that name). The sequences of several meshes of one body share a clip: "walk of jacket" is in clip "walk" if no clip has that
 * whole name. SNW_NONE if there is none. */
uint32_t snw_target_clip(const snw_scene *scene, const snw_target *target);

/* "walk of jacket": the name of a mesh's target where another mesh's has the clip's name. */
const char *snw_sequence_name(const char *clip, const char *mesh, snw_arena *arena);

/* The moments of a clip: its key times or, without tracks, the frames of its mesh animations. Ascending, without repeats, in
 * `arena`. */
void snw_clip_times(const snw_scene *scene, uint32_t clip, snw_arena *arena, double **seconds, uint32_t *count);

/* The index of the last of at least one ascending times that is not after `seconds` by more than a microsecond; 0 if all
 * are. */
uint32_t snw_latest_time(const double *times, uint32_t count, double seconds);

/* Adds a clip, named after it and of the same duration, for each sequence without one, in the scene's arena. */
void snw_scene_clip_sequences(snw_scene *scene);

/* ---- choosing frames ----------------------------------------------------------------------------------------------------- */

/* Which frames of a clip train a method: all, every n-th, or the few that cover the space of its poses best. */

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

/* ---- trimming a clip ----------------------------------------------------------------------------------------------------- */

/* A part of a clip. */

/* The clip from one moment to another, which begins at 0 then; in `arena`, with the clip's name. It plays as the clip does
 * there: keys are kept, and new ones made where it is cut. Cubic rotations cut between keys differ by what normalising them
 * changes. */
snw_clip snw_clip_trim(const snw_clip *clip, double from_seconds, double to_seconds, snw_arena *arena);

#endif
