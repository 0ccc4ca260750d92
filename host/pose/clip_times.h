/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which clip a mesh animation belongs to, and when a clip has something to show. A sequence has a clip of its own, without
 * tracks: nothing passes in it but time, which is what drives a model that keeps its motion by clip and second.
 */
#ifndef SINEW_HOST_POSE_CLIP_TIMES_H
#define SINEW_HOST_POSE_CLIP_TIMES_H

#include "scene/scene.h"

/* The clip whose moments a target shows; for a sequence the clip of its name, which may have been given tracks since (a fit
 * that proposes them does so by that name). SNW_NONE where there is none. */
uint32_t snw_target_clip(const snw_scene *scene, const snw_target *target);

/* The moments of a clip: the times of its keys; of one without tracks, the frames of the mesh animations that belong to it.
 * Rising, without repeats, in `arena`. */
void snw_clip_times(const snw_scene *scene, uint32_t clip, snw_arena *arena, double **seconds, uint32_t *count);

/* The latest of rising times that is not after `seconds` by more than a microsecond; the first where all are. At least one. */
uint32_t snw_latest_time(const double *times, uint32_t count, double seconds);

/* Gives every sequence that has no clip one of its name, as long as its frames, in the scene's arena. */
void snw_scene_clip_sequences(snw_scene *scene);

#endif
