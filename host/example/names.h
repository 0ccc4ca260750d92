/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of what a sculpt makes, after what its pose does: the group "Right shoulder" (pose/joint_title.h), the example
 * "Right shoulder 80°".
 */
#ifndef SINEW_HOST_EXAMPLE_NAMES_H
#define SINEW_HOST_EXAMPLE_NAMES_H

#include "scene/scene.h"

/* A name that no example and no pose has, after the joint that drives the sculpt and how far it is rotated: "Right shoulder
 * 80°", or, along its bone, "Right shoulder twist 80°". If that exists, with the direction in which the bone goes, the
 * character looking along z: "Right shoulder 80° up"; then with a number. In `arena`. */
const char *snw_sculpt_example_name(const snw_scene *scene, const snw_pose *pose, uint32_t joint, snw_arena *arena);

/* The name of the pose of such an example: the example's if no other joint is rotated, otherwise that and the others: "Right
 * shoulder 80°, Right elbow 45°", "Right shoulder 80° and 3 joints". Of a moment of a clip: "dance 1.25 s". No pose has it. In
 * `arena`. */
const char *snw_sculpt_pose_name(const snw_scene *scene, const snw_pose *pose, const char *example, uint32_t joint,
								 snw_arena *arena);

/* The name of an example in a pose on the way to that of another: if the other is called after a joint, the same with the angle
 * on the way ("Right shoulder 40°"), else with a share of the way in percent ("fist-60"). No example and no pose has it, unless
 * it is of the second kind. In `arena`. */
const char *snw_sculpt_between_name(const snw_scene *scene, const snw_example *other, const snw_pose *between, double share,
									snw_arena *arena);

/* Poses that nobody named are stored as "unnamed", "unnamed-2" …. */
#define SNW_UNNAMED_POSE "unnamed"
bool snw_pose_is_unnamed(const char *name);

/* Whether an example is called so after this joint, and not by the user. */
bool snw_sculpt_is_named_after(const snw_scene *scene, const snw_pose *pose, uint32_t joint, const char *name);

#endif
