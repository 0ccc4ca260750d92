/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The base skin by itself: morphs and one linear blend, without any layer. For those who have no stack at hand.
 */
#ifndef SINEW_HOST_POSE_BASE_BLEND_H
#define SINEW_HOST_POSE_BASE_BLEND_H

#include "scene/scene.h"

/* points [point_count][3]; without a skin the rest with its morphs. A point that would not be finite stays at rest. */
void snw_blend_points(const snw_scene *scene, uint32_t mesh, const snw_pose_view *pose, double *points);

/* Puts the points that an example edits over `points` [point_count][3]: what it means over what lies below. */
void snw_example_apply_edited(const snw_example *example, uint32_t point_count, double *points);

#endif
