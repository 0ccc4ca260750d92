/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A clip that goes through given poses.
 */
#ifndef SINEW_HOST_POSE_CLIP_FROM_POSES_H
#define SINEW_HOST_POSE_CLIP_FROM_POSES_H

#include "scene/scene.h"

/* A key for each frame, linear between them, in tracks of the properties that ever differ from the rest pose. `seconds` is
 * ascending; there is at least one frame. In `arena`, with the texts. */
snw_clip snw_clip_from_poses(const snw_scene *scene, const char *name, uint32_t frame_count, const double *seconds,
							 const snw_pose *poses, snw_arena *arena);

#endif
