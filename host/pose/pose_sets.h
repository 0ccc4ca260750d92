/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one chooser of poses: those that a skin is fitted to, and those that it is measured at. They are frames of clips, and
 * shuffled poses, in which each joint has its transform from a frame of its own, so that what no clip shows is covered. A range
 * of motion is measured too: an engine may pose a character as no clip does.
 */
#ifndef SINEW_HOST_POSE_POSE_SETS_H
#define SINEW_HOST_POSE_POSE_SETS_H

#include "scene/scene.h"

typedef struct snw_pose_set {
	uint32_t frame_count; /* of clips: the first ones */
	uint32_t count;       /* then shuffled ones */
	snw_pose **list;      /* [count] */
	uint32_t *clips;      /* [frame_count]: of the scene; SNW_NONE for one of its named poses */
} snw_pose_set;

/* Chooses from `clip_count` clips, or from the scene's named poses if there is none. Clips are held out in two blocks, because
 * neighbouring frames are alike. Shuffled poses of either set are made of the frames of that set, always the same ones. All in
 * `arena`. They are named by where they are from ("walk, frame 12", "shuffled pose 3"). SNW_ERROR_MISSING with fewer than four
 * frames, or if a clip moves no joint. */
snw_status snw_pose_sets_choose(const snw_scene *scene, uint32_t clip_count, const uint32_t *clips, snw_arena *arena,
								snw_pose_set *fitted, snw_pose_set *held_out, snw_error *error);

bool snw_clip_moves_joints(const snw_clip *clip);

/* Each joint that moves points, but for roots, alone about each axis of its rest: to its limit, or 60 degrees, either way. They
 * are named by what turns ("elbow z +60"). Of more than 320 poses some are left out, evenly. All in `arena`. */
void snw_pose_set_range_of_motion(const snw_scene *scene, snw_arena *arena, snw_pose_set *set);

/* What the character may be posed as: its rest and its named poses, then `count` shuffled ones of those and of frames of its
 * clips, which are not in the set. A joint that none of them turns is turned at random about the axes of its rest, by its limit
 * or 60 degrees at most. The same ones in every run. All in `arena`. */
void snw_pose_set_shuffle(const snw_scene *scene, uint32_t count, snw_arena *arena, snw_pose_set *set);

#endif
