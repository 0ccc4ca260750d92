/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clips of mesh animations, and the moments of clips. A sequence has its own clip without tracks. Only the time changes in
 * it, which drives models that store motion by clip and time.
 */
#ifndef SINEW_HOST_POSE_CLIP_TIMES_H
#define SINEW_HOST_POSE_CLIP_TIMES_H

#include "scene/scene.h"

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

#endif
