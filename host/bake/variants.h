/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The skins that a bake chooses from.
 */
#ifndef SINEW_HOST_BAKE_VARIANTS_H
#define SINEW_HOST_BAKE_VARIANTS_H

#include "bake/bake.h"
#include "bake/scenes.h"

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
