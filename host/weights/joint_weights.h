/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The weights of a joint that is removed.
 */
#ifndef SINEW_HOST_WEIGHTS_JOINT_WEIGHTS_H
#define SINEW_HOST_WEIGHTS_JOINT_WEIGHTS_H

#include "scene/scene.h"

/* Fills the slots and meshes of `fresh`, a copy of the scene, with those of the scene without a joint: its parent has its
 * weights. Slots name joints by their indices after the removal. *point_count: the points that the joint moved.
 * SNW_ERROR_CONFLICT if a root moves points. */
snw_status snw_joint_weights_to_parent(const snw_scene *scene, uint32_t joint, snw_arena *arena, snw_scene *fresh,
									   uint32_t *point_count, snw_error *error);

#endif
