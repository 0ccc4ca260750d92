/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Builds skeletons from parents and rest transforms.
 */
#ifndef SINEW_HOST_SCENE_SKELETON_H
#define SINEW_HOST_SCENE_SKELETON_H

#include "scene/scene.h"

/* Fills order (parents before children, otherwise by index) and rest_global, from parents and rest_local. SNW_ERROR_DATA names
 * a joint on a cycle or with a parent out of range. */
snw_status snw_skeleton_finish(snw_skeleton *skeleton, snw_arena *arena, snw_error *error);

/* Whether `ancestor` is the joint or an ancestor of it. */
bool snw_skeleton_is_below(const snw_skeleton *skeleton, uint32_t joint, uint32_t ancestor);

#endif
