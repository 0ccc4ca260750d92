/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Poses made of others: a part of the way from rest to a pose, and two poses at once.
 */
#ifndef SINEW_HOST_POSE_POSE_BETWEEN_H
#define SINEW_HOST_POSE_POSE_BETWEEN_H

#include "scene/scene.h"

/* The pose at a share of the way from rest (0) to `pose` (1), or beyond: rotation vectors, translations, scales and channels in
 * proportion. A copy in `arena`, without an id, a clip or a name. */
snw_pose *snw_pose_along(const snw_scene *scene, const snw_pose *pose, double share, snw_arena *arena);

/* Both poses at once: each joint and channel as in `first` if that moves it from rest, else as in `second`; the joints of
 * `theirs` [count] always as in `second`. A copy as above. */
snw_pose *snw_pose_combine(const snw_scene *scene, const snw_pose *first, const snw_pose *second, uint32_t count,
						   const uint32_t *theirs, snw_arena *arena);

#endif
