/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The skins that a bake chooses from, and the scenes that they are fitted to and measured on.
 */
#ifndef SINEW_HOST_BAKE_VARIANTS_H
#define SINEW_HOST_BAKE_VARIANTS_H

#include "bake/bake.h"
#include "plugin/registry.h"
#include "pose/pose.h"
#include "stack/stack.h"
#include "task/task.h"

/* The scenes of a bake: the character with clips of the poses to fit and to measure, and what the stack makes of them as
 * targets. */

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

/* The skins that a bake chooses from. */

typedef struct snw_baking {
	const snw_scene *scene; /* the project's */
	const snw_registry *registry;
	const snw_bake_request *request;
	const snw_bake_scenes *scenes;
	const snw_task *task;
	snw_arena *arena;
	snw_baked *baked;
	snw_error *error;
} snw_baking;

/* Errors at the poses held out and over the range of motion. NULL method: the whole stack of `scene`, one of the bake's
 * scenes. */
snw_status snw_bake_measure(const snw_baking *b, const snw_scene *scene, const char *method, snw_bake_errors *errors);

/* Fits, sizes and measures the variants: blends of fewer influences than the budget allows and of as many; with a quarter and
 * half as many helper joints as it allows, and all, and the same with proxy joints; and over the last blend of each kind that
 * is within the budget an eighth, a quarter and half as many morph targets as it allows, and all. Where one is over the budget,
 * also as many joints or morph targets as it has room for, the latter over the next smaller blend too. */
snw_status snw_bake_make_variants(const snw_baking *b);

#endif
