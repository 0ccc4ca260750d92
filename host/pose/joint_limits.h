/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What joints may do while they are posed: how far they rotate, and whether they move. Both are fields over joints, so that
 * they are part of the project. Clips and poses from files are not changed by them.
 */
#ifndef SINEW_HOST_POSE_JOINT_LIMITS_H
#define SINEW_HOST_POSE_JOINT_LIMITS_H

#include "scene/scene.h"

#define SNW_JOINT_MOVES "joint-moves" /* 1: the joint may be moved as well */

/* The value of such a field for a joint; 0 without one. */
double snw_joint_value(const snw_scene *scene, const char *field, uint32_t joint);

/* The largest rotation away from rest, radians; INFINITY: none. */
double snw_joint_limit(const snw_scene *scene, uint32_t joint);
/* The same for all joints, [joint_count] in `arena`. */
double *snw_joint_limits(const snw_scene *scene, snw_arena *arena);
/* Rotates a joint away from rest by a rotation vector, which may be longer than π, up to the joint's limit. Returns whether the
 * vector was longer. */
bool snw_pose_rotate_joint(const snw_scene *scene, snw_pose *pose, uint32_t joint, const double rotation[3]);

/* Whether the joint may be moved: roots always. */
bool snw_joint_moves(const snw_scene *scene, uint32_t joint);

#endif
