/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inverse kinematics: rotates joints so that others reach given places, by damped least squares (Wampler 1986; Buss,
 * "Introduction to inverse kinematics", 2004, section 5).
 *
 * Each step solves (J Jᵀ + λ² I) y = e and rotates by Jᵀ y, where e is what the joints miss, at most a quarter of the chain's
 * length. λ is at least a twentieth of that length. A step that brings nothing nearer, as at full stretch, is repeated with a
 * larger λ (Marquardt 1963).
 */
#ifndef SINEW_HOST_POSE_REACH_H
#define SINEW_HOST_POSE_REACH_H

#include "scene/scene.h"

enum { SNW_REACH_MOST_GOALS = 8 };

/* Where the origin of a joint should be: posed space, metres. */
typedef struct snw_reach_goal {
	uint32_t joint;
	double place[3];
} snw_reach_goal;

typedef struct snw_reach {
	uint32_t goal_count; /* up to SNW_REACH_MOST_GOALS; the first is what is dragged */
	const snw_reach_goal *goals;
	const bool *turning;     /* [joint_count]: the joints that rotate; those that are above no goal stay */
	const double *limits;    /* [joint_count]: the largest rotation away from rest, radians; NULL: none */
	const double *bend_axis; /* in which a straight chain bends if nothing else says how; posed space, unit */
} snw_reach;

/* Fills turning [joint_count] with the joints that follow when a joint is dragged: those above it, up to the first that is
 * pinned, or else to the first where several limbs begin, exclusively. `pinned` [joint_count]; NULL: none. Returns their
 * number. */
uint32_t snw_reach_chain(const snw_scene *scene, uint32_t joint, const bool *pinned, bool *turning);

/* Rotates the joints of the pose. Returns how far the first goal is missed, metres. SNW_ERROR_ARGUMENT if a joint is out of
 * range or a place is not finite; the pose is then unchanged. */
snw_status snw_pose_reach(const snw_scene *scene, const snw_reach *reach, snw_pose *pose, double *missed, snw_error *error);

/* ---- joint limits -------------------------------------------------------------------------------------------------------- */

/* What joints may do while they are posed: how far they rotate, and whether they move. Both are fields over joints, so that
 * they are part of the project. Clips and poses from files are not changed by them. */

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
