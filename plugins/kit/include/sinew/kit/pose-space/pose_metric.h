/* SPDX-License-Identifier: MIT
 *
 * How far poses are from each other: for each joint the rotation that takes it from one pose to the other, split into twist
 * along its bone and swing across it; optionally also its translation and its scale.
 *
 * For a joint, with r = p̄ q between the unit quaternions of its two rotations (half-angle form) and u the rotation vector of
 * r, t = u · axis being its twist and s = |u − t axis| its swing,
 *
 *     distance² = (swing s)² + (twist t)² + translation² |Δ translation|² + scale² |Δ ln scale|²,
 *
 * and for a pose the sum over joints. With gains of 1 and 1 that is the squared angle of r, the geodesic on rotations. r and −r
 * are one rotation, and the shorter way counts: angles go up to π. A joint that is `unwound` is measured on the double cover
 * instead, up to 2π, so a rotation by 200° is not mistaken for one by −160°.
 *
 * Nothing allocates and nothing fails; any thread.
 */
#ifndef SINEW_KIT_POSE_SPACE_POSE_METRIC_H
#define SINEW_KIT_POSE_SPACE_POSE_METRIC_H

#include <stddef.h>

#include "sinew/view.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snk_joint_metric {
	double axis[3]; /* unit: along the bone, in the joint's own axes */
	/* Gains: without unit; without unit; radians a metre; radians for a scale of e. */
	double swing, twist, translation, scale;
	uint32_t unwound; /* 0 or 1 */
} snk_joint_metric;

/* The data of a joint's pose that are compared: the unit quaternion of its rotation, its translation and the logarithm of
 * its scale, both times their gains. */
enum { SNK_POSE_FEATURES = 10 };
void snk_pose_features(const snk_joint_metric *joint, const double rotation_vector[3], const snw_transform *local,
					   double features[SNK_POSE_FEATURES]);

/* Many poses of one joint, side by side: feature f of pose p is at [f * stride + p], and stride = snk_pose_stride(count).
 * The padding after the last pose is 0. */
uint32_t snk_pose_stride(uint32_t pose_count);

/* squares [stride]: for each of the poses, the squared distance of the joint there from `here`. Exactly 0 for the same numbers.
 * `poses` and `squares` aligned to 16 bytes. */
void snk_pose_squared_distances(const snk_joint_metric *joint, uint32_t stride, const double *poses,
								const double here[SNK_POSE_FEATURES], double *squares);

/* A joint's pose as coordinates, in which distances from rest are as above: u in the joint's own axes, its part along the
 * bone times `twist`, the rest times `swing`; translation, ln scale. `rotation_vector` may be longer than π; unless the joint
 * is unwound, the shorter way counts. */
enum { SNK_POSE_COORDINATES = 9 };
void snk_pose_coordinates(const snk_joint_metric *joint, const double rotation_vector[3],
						  const double features[SNK_POSE_FEATURES], double coordinates[SNK_POSE_COORDINATES]);

/* A joint's rotation as features to regress on: its matrix in `axes` (3×3, in rows), less the identity, so that they are 0 at
 * rest. */
enum { SNK_ROTATION_FEATURES = 9 };
void snk_rotation_features(const double axes[9], const double rotation_vector[3], double features[SNK_ROTATION_FEATURES]);

/* The direction of a joint's bone in its own axes: to its children's mean; without children, away from its parent; y where
 * neither says. */
void snk_bone_axis(const snw_skeleton_view *skeleton, uint32_t joint, double axis[3]);

#ifdef __cplusplus
}
#endif

#endif
