/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Building a skeleton from parents and rest transforms, and the joints' relations.
 */
#ifndef SINEW_HOST_SCENE_SKELETON_H
#define SINEW_HOST_SCENE_SKELETON_H

#include "scene/scene.h"

/* Fills order (parents before children, by index otherwise) and rest_global from parents and rest_local.
 * SNW_ERROR_DATA names a joint on a cycle or with a parent out of range. */
snw_status snw_skeleton_finish(snw_skeleton *skeleton, snw_arena *arena, snw_error *error);

/* True where `ancestor` is joint or stands above it. */
bool snw_skeleton_is_below(const snw_skeleton *skeleton, uint32_t joint, uint32_t ancestor);

#endif
