/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clip of poses that are worth simulating: each joint through its range of motion, and pairs of neighbours at the ends of
 * theirs. A rigger runs his slow rig on it, and its meshes are a target to learn from.
 */
#ifndef SINEW_HOST_POSE_TRAINING_CLIP_H
#define SINEW_HOST_POSE_TRAINING_CLIP_H

#include "scene/scene.h"
#include "task/task.h"

/* The range of a joint: of the components of its rotation vector relative to rest, in the rest's axes, radians. least ≤ 0 ≤
 * most. */
typedef struct snw_training_range {
	uint32_t joint;
	double least[3], most[3];
} snw_training_range;

/* The ranges in which the scene's clips move its joints. Joints that no clip moves have none; without clips that move any, each
 * joint that moves points has 45 degrees about each axis. In `arena`. */
void snw_training_ranges_find(const snw_scene *scene, snw_arena *arena, snw_training_range **ranges, uint32_t *count);

typedef struct snw_training_clip {
	uint32_t pose_count;
	snw_pose **poses; /* [pose_count], with names that say what moves; the first is the rest */
} snw_training_clip;

/* Each joint alone about each axis of its range, at both ends and halfway to them; and each joint with the nearest joint above
 * it that has a range, about the widest axis of both, at all four pairs of ends. At most `most` poses: those that cover the
 * poses best. The rest stands between two poses where a joint would otherwise rotate so far from one to the next that it could
 * go the other way round. SNW_ERROR_MISSING if no pose has another shape than the rest; SNW_CANCELLED if the task is
 * stopped. */
snw_status snw_training_clip_make(const snw_scene *scene, uint32_t range_count, const snw_training_range *ranges, uint32_t most,
								  const snw_task *task, snw_arena *arena, snw_training_clip *made, snw_error *error);

/* Each joint alone about each axis of its range, at both ends; without the rest. */
snw_training_clip snw_training_range_ends(const snw_scene *scene, uint32_t range_count, const snw_training_range *ranges,
										  snw_arena *arena);

/* The poses as a clip with a key for each, at a rate. Every joint has tracks, so nothing but them moves it. */
snw_clip snw_training_clip_keys(const snw_scene *scene, const snw_training_clip *made, const char *name, double keys_per_second,
								snw_arena *arena);

#endif
