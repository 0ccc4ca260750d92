/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scenes of a bake: the character with clips of the poses to fit and to measure, and what the stack makes of them as
 * targets.
 */
#ifndef SINEW_HOST_BAKE_SCENES_H
#define SINEW_HOST_BAKE_SCENES_H

#include "fit/samples/pose_sets.h"
#include "plugin/registry.h"
#include "stack/stack.h"
#include "task/task.h"

typedef enum snw_bake_set { SNW_BAKE_FITTED, SNW_BAKE_HELD_OUT, SNW_BAKE_TRUTH, SNW_BAKE_RANGE, SNW_BAKE_SETS } snw_bake_set;

typedef struct snw_bake_scenes {
	snw_scene source; /* with the project's layers; shares its data */
	snw_scene *plain; /* with the baseline's blend alone */
	/* Of both: the clip of a set, and the first of its targets, one a mesh with points. SNW_BAKE_TRUTH has the held-out frames
	 * whose ground truth the project knows, SNW_BAKE_RANGE the poses of the range of motion; they have no targets where there
	 * are none. */
	const char **truth_names; /* of the poses of SNW_BAKE_TRUTH */
	uint32_t clips[SNW_BAKE_SETS], first_targets[SNW_BAKE_SETS], target_counts[SNW_BAKE_SETS];
} snw_bake_scenes;

/* The stack is that of `method` (NULL: the whole). The project's scene and the poses have to outlive the scenes. Poses of the
 * range of motion, for which nobody asked, are taken out of `range` where the stack fails. SNW_CANCELLED; the errors of the
 * stack. After an error there is nothing to free. */
snw_status snw_bake_scenes_make(const snw_scene *scene, const snw_registry *registry, const char *method,
								const snw_pose_set *fitted, const snw_pose_set *held_out, snw_pose_set *range,
								const snw_task *task, snw_arena *arena, snw_bake_scenes *made, snw_error *error);
void snw_bake_scenes_free(snw_bake_scenes *scenes);

#endif
