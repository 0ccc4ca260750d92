/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The base skin alone: morphs and a linear blend, without layers. For callers without a stack.
 */
#ifndef SINEW_HOST_POSE_BASE_BLEND_H
#define SINEW_HOST_POSE_BASE_BLEND_H

#include "scene/scene.h"

/* points [point_count][3]; without a skin, the rest points with morphs. Points that are not finite become their rest points. */
void snw_blend_points(const snw_scene *scene, uint32_t mesh, const snw_pose_view *pose, double *points);

/* Replaces the points that an example edits in `points` [point_count][3], which come from the layers below. */
void snw_example_apply_edited(const snw_example *example, uint32_t point_count, double *points);

#endif
