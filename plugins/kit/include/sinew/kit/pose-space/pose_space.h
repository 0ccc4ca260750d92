/* SPDX-License-Identifier: MIT
 *
 * Pose space: how far poses are from each other, interpolation between them, and a description of it for players.
 */
#ifndef SINEW_KIT_POSE_SPACE_POSE_SPACE_H
#define SINEW_KIT_POSE_SPACE_POSE_SPACE_H

#include <stddef.h>

#include "sinew/host.h"
#include "sinew/kit/bytes/json.h"
#include "sinew/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- distances ----------------------------------------------------------------------------------------------------------- */

/* How far poses are from each other: for each joint the rotation that takes it from one pose to the other, split into twist
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
 * Nothing allocates and nothing fails; any thread. */

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

/* ---- radial basis functions ---------------------------------------------------------------------------------------------- */

/* Radial basis functions over poses: kernels of the distance, a polynomial beside them, and the weights that
 * make each example's function 1 at its own pose and 0 at all others.
 *
 * Distances and widths have one unit, that of the pose metric: radians. Any thread. What returns a status may return
 * SNW_ERROR_MEMORY, and SNW_ERROR_MISSING where the host has no solver. */

/* The functions below as they are; models keep this number, and are refused where it is another. */
#define SNK_KERNEL_VERSION 2

typedef enum snk_kernel {
	/* exp(−(r / width)²): falls to 0 away from the examples. */
	SNK_KERNEL_GAUSSIAN = 0,
	/* −r. With a constant (and weights that therefore sum to 0) linear between two poses and constant beyond the outermost:
	 * further on the line from rest through an example its function stays 1, on the other side it stays 0. Without the
	 * constant every way out of the rest pose would turn the example on, without limit. */
	SNK_KERNEL_LINEAR = 1,
	/* (r / width)² ln(r / width), 0 at 0: the smoothest through the examples, and it keeps growing beyond them. */
	SNK_KERNEL_THIN_PLATE = 2,
	/* 1 / √(1 + (r / width)²): falls off slowly. */
	SNK_KERNEL_INVERSE_MULTIQUADRIC = 3,
	/* min(|x|, |c|)^SNK_CONE_GROWTH exp((cos φ − 1) / width²): x and c are the pose and the example as coordinates from rest, φ
	 * is the angle between them. It does not depend on the distance: it grows from rest to the example, holds beyond it, and
	 * falls off to the sides. So does the function of an example that is alone in its direction. Among examples in one
	 * direction each function is 0 before the example before its own, and a farther example does not change a nearer one's
	 * growth. Like the covariance of Brownian motion, min makes the system positive definite. */
	SNK_KERNEL_CONE = 4,
} snk_kernel;
enum { SNK_KERNELS = 5 };
#define SNK_CONE_GROWTH 1.5

/* The polynomial added to the kernels. */
typedef enum snk_polynomial {
	SNK_POLYNOMIAL_NONE = 0,
	SNK_POLYNOMIAL_CONSTANT = 1,
	/* Also a slope in every direction in which the poses differ. If there are as many directions as poses minus one, the
	 * polynomial determines everything, and the kernels add nothing. */
	SNK_POLYNOMIAL_LINEAR = 2,
} snk_polynomial;

/* Of all kernels but the cone. */
double snk_kernel_value(snk_kernel kernel, double width, double distance);

/* The cone, from the squared lengths of two poses' coordinates from rest and from their scalar product. */
double snk_cone_value(double width, double squared_length, double other_squared_length, double product);

/* The polynomial that a kernel needs: a constant for the linear one and the thin plate, none for the others. */
snk_polynomial snk_kernel_polynomial(snk_kernel kernel);

/* The poses of one set of functions. */
typedef struct snk_rbf {
	snk_kernel kernel;
	snk_polynomial polynomial;
	double width;
	double smoothing; /* 0: exact at the examples; added to the kernel matrix's diagonal, in units of its mean entry */
	uint32_t count;
	const double *distances; /* [count][count] */
	uint32_t coordinate_count;
	const double *coordinates; /* [count][coordinate_count]; for SNK_POLYNOMIAL_LINEAR and SNK_KERNEL_CONE */
	uint32_t at_rest;          /* the index of the rest pose, where a cone begins; for SNK_KERNEL_CONE */
} snk_rbf;

/* Rows of weights: one for each pose, one for the constant, one for each coordinate with SNK_POLYNOMIAL_LINEAR. */
uint32_t snk_rbf_terms(const snk_rbf *rbf);

/* The width from the distances alone: for kernels that fall off the mean distance to the nearest other pose, times a factor
 * found by trying (see the source); for the thin plate e times the longest distance; for the linear kernel 1; for the cone an
 * angle that does not depend on the poses, so that no example changes the reach of another. */
double snk_rbf_width(const snk_rbf *rbf);

/* The width by leave-one-out: of widths around rbf->width, the one at which the poses before `example_count` are best told from
 * the others (S. Rippa, An algorithm for selecting a good value for the parameter c in radial basis function interpolation,
 * 1999). gram [example_count][example_count]: scalar products of the examples' data; data elsewhere are 0. rbf->width stays
 * where there is little to be learned: fewer than three examples, a kernel without a width of meaning, or a gain of less than a
 * tenth. Widths that make the system ill conditioned are not taken. */
snw_status snk_rbf_leave_one_out(const snw_host *host, const snk_rbf *rbf, uint32_t example_count, const double *gram,
								 double *width);

/* squares [example_count]: for each of the poses before `example_count`, the squared distance between its data and what the
 * functions of the others say at its pose; `gram` as above. SNW_ERROR_SINGULAR where two poses are one. */
snw_status snk_rbf_left_out(const snw_host *host, const snk_rbf *rbf, uint32_t example_count, const double *gram,
							double *squares);

/* weights [snk_rbf_terms][count]: function k is Σ_c weights[c][k] · kernel(distance to c) + weights[count][k] + Σ_x
 * weights[count + 1 + x][k] · coordinate x. Through the host's dense solver, refined. SNW_ERROR_SINGULAR where two poses are
 * one. `reciprocal_condition` (may be NULL): of the kernel's system. */
snw_status snk_rbf_solve(const snw_host *host, const snk_rbf *rbf, double *weights, double *reciprocal_condition);

/* ---- descriptions for players -------------------------------------------------------------------------------------------- */

/* Pose spaces as JSON, for `describe` of a deformer whose coefficients are radial basis functions of the pose: players then
 * drive them live. docs/pose-space.md defines the format.
 *
 *     snk_pose_space_open(&json);
 *     snk_pose_space_group(&json, &group); as often as there are groups
 *     snk_pose_space_close(&json);
 *
 * writes the member "poseSpace" into the object that is open. Nothing allocates; failures are the writer's (json.h). */

/* One set of functions. A group without poses has no coefficients. */
typedef struct snk_pose_group {
	const char *name;
	uint32_t joint_count;
	const uint32_t *joints;          /* [joint_count]: indices into joint_names */
	const char *const *joint_names;  /* of the skeleton */
	const snk_joint_metric *metrics; /* [joint_count] */
	snk_kernel kernel;
	snk_polynomial polynomial;
	double width;   /* of the kernel, radians */
	int is_clamped; /* coefficients below 0 count as 0, those above 1 as 1 */
	/* The poses at which functions are centred. That with the index coefficient_count is the rest, for a cone. */
	uint32_t pose_count, coefficient_count;
	const double *rotation_vectors; /* [pose_count][joint_count][3] */
	const double *places;           /* [pose_count][joint_count][6]: local translation and scale */
	const char *const *names;       /* [coefficient_count]: of the displacements that they drive */
	/* [pose_count + 1 + coordinates][coefficient_count], as snk_rbf_solve has them: coordinates are SNK_POSE_COORDINATES of
	 * each joint with SNK_POLYNOMIAL_LINEAR, otherwise 0. */
	const double *weights;
} snk_pose_group;

void snk_pose_space_open(snk_json *json);
void snk_pose_space_group(snk_json *json, const snk_pose_group *group);
void snk_pose_space_close(snk_json *json);

#ifdef __cplusplus
}
#endif

#endif
