/* SPDX-License-Identifier: MIT
 *
 * Distances between poses.
 */
#include "sinew/kit/pose-space/pose_metric.h"

#include <math.h>
#include <string.h>

#include "sinew/algebra.h"

/* Two poses at a time. */
typedef double pair __attribute__((vector_size(16)));

uint32_t snk_pose_stride(uint32_t pose_count) {
	return pose_count + pose_count % 2;
}

void snk_pose_features(const snk_joint_metric *joint, const double rotation_vector[3], const snw_transform *local,
					   double features[SNK_POSE_FEATURES]) {
	snw_quat_from_rotation_vector(rotation_vector, features);
	for (int c = 0; c < 3; c++) {
		features[4 + c] = joint->translation > 0 ? joint->translation * local->translation[c] : 0;
		features[7 + c] = joint->scale > 0 ? joint->scale * log(fmax(fabs(local->scale[c]), 1e-9)) : 0;
	}
}

/* (arccos(1 − y))² / (y (2 − y)), that is angle² / sine², on 0 ≤ y ≤ 1: by interpolation at Chebyshev's points, within 6e-16.
 * With y = 1 − cosine it needs neither a root nor an arc function, and is as exact near 0 as anywhere. */
static const double angle_over_sine[] = {
	1.0000000000000004,   0.6666666666663492,   0.3777777778242055,   0.20317460048341054,  0.10666674907839858,
	0.05525579441802187,  0.028408983585089333, 0.014337786170693428, 0.008458555387567134, -0.0014298978793148233,
	0.020963047503057483, -0.0534342649569971,  0.12151013181288386,  -0.2101219424542185,  0.28473245372820816,
	-0.29665161214583335, 0.23398500763167976,  -0.13510777899303247, 0.054066766177603996, -0.013437639054065845,
	0.0015799152886317464};
enum { TERMS = sizeof angle_over_sine / sizeof *angle_over_sine };

/* Four sums of every fourth term, which do not depend on each other. */
static pair angle_over_sine_at(pair y) {
	const pair zero = {0, 0}, squared = y * y, step = squared * squared;
	pair sums[4] = {zero + angle_over_sine[TERMS - 1], zero, zero, zero};
	for (int n = TERMS - 5; n >= 0; n -= 4) {
		sums[3] = sums[3] * step + angle_over_sine[n + 3];
		sums[2] = sums[2] * step + angle_over_sine[n + 2];
		sums[1] = sums[1] * step + angle_over_sine[n + 1];
		sums[0] = sums[0] * step + angle_over_sine[n];
	}
	return sums[0] + sums[1] * y + (sums[2] + sums[3] * y) * squared;
}

/* The squared angle of the rotation, with gains, by the shorter way. `vector` [3] and `scalar`: the quaternion between. */
static pair squared_angle(const snk_joint_metric *joint, const pair vector[3], pair scalar) {
	const pair sine = vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2];
	const pair cosine = {fabs(scalar[0]), fabs(scalar[1])};
	const pair y = sine / (1 + cosine);
	const pair ratio = angle_over_sine_at(y);
	if (joint->swing == joint->twist) {
		return 4 * joint->swing * joint->swing * ratio * sine;
	}
	const pair along = vector[0] * joint->axis[0] + vector[1] * joint->axis[1] + vector[2] * joint->axis[2];
	const pair twist = along * along, rest = sine - twist, swing = {rest[0] > 0 ? rest[0] : 0, rest[1] > 0 ? rest[1] : 0};
	return 4 * ratio * (joint->swing * joint->swing * swing + joint->twist * joint->twist * twist);
}

/* The same on the double cover. */
static double squared_unwound_angle(const snk_joint_metric *joint, const double vector[3], double scalar) {
	const double sine = snw_length3(vector), angle = 2 * atan2(sine, scalar);
	const double along = sine > 0 ? snw_dot3(vector, joint->axis) / sine : 0, twist = fmin(along * along, 1);
	return angle * angle * (joint->swing * joint->swing * (1 - twist) + joint->twist * joint->twist * twist);
}

void snk_pose_squared_distances(const snk_joint_metric *joint, uint32_t stride, const double *poses,
								const double here[SNK_POSE_FEATURES], double *squares) {
	const double x = here[0], y = here[1], z = here[2], w = here[3];
	for (size_t p = 0; p < stride; p += 2) {
		pair there[4];
		for (size_t c = 0; c < 4; c++) {
			memcpy(&there[c], poses + c * stride + p, sizeof there[c]);
		}
		/* The conjugate of here times there. */
		const pair vector[3] = {w * there[0] - x * there[3] - (y * there[2] - z * there[1]),
								w * there[1] - y * there[3] - (z * there[0] - x * there[2]),
								w * there[2] - z * there[3] - (x * there[1] - y * there[0])};
		const pair scalar = w * there[3] + x * there[0] + y * there[1] + z * there[2];
		pair sum = {0, 0};
		if (joint->unwound) {
			for (int k = 0; k < 2; k++) {
				sum[k] = squared_unwound_angle(joint, (const double[3]){vector[0][k], vector[1][k], vector[2][k]}, scalar[k]);
			}
		} else {
			sum = squared_angle(joint, vector, scalar);
		}
		const int more = joint->translation > 0 || joint->scale > 0;
		for (size_t c = 4; more && c < SNK_POSE_FEATURES; c++) {
			pair other;
			memcpy(&other, poses + c * stride + p, sizeof other);
			sum += (other - here[c]) * (other - here[c]);
		}
		memcpy(squares + p, &sum, sizeof sum);
	}
}

void snk_pose_coordinates(const snk_joint_metric *joint, const double rotation_vector[3],
						  const double features[SNK_POSE_FEATURES], double coordinates[SNK_POSE_COORDINATES]) {
	double u[3];
	memcpy(u, rotation_vector, sizeof u);
	if (!joint->unwound) {
		snw_quat_to_rotation_vector(features, u);
	}
	const double along = snw_dot3(u, joint->axis);
	for (int c = 0; c < 3; c++) {
		coordinates[c] = joint->swing * u[c] + (joint->twist - joint->swing) * along * joint->axis[c];
	}
	memcpy(coordinates + 3, features + 4, 6 * sizeof *coordinates);
}

void snk_rotation_features(const double axes[9], const double rotation_vector[3], double features[SNK_ROTATION_FEATURES]) {
	double in_axes[3], quaternion[4], matrix[12];
	for (size_t r = 0; r < 3; r++) {
		in_axes[r] = snw_dot3(axes + 3 * r, rotation_vector);
	}
	snw_quat_from_rotation_vector(in_axes, quaternion);
	snw_quat_to_mat34(quaternion, matrix);
	for (int i = 0; i < SNK_ROTATION_FEATURES; i++) {
		features[i] = matrix[4 * (i / 3) + i % 3] - (i % 4 == 0);
	}
}

void snk_bone_axis(const snw_skeleton_view *skeleton, uint32_t joint, double axis[3]) {
	double sum[3] = {0, 0, 0};
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		for (int c = 0; skeleton->parents[j] == joint && c < 3; c++) {
			sum[c] += skeleton->rest_local[j].translation[c];
		}
	}
	if (snw_length3(sum) <= 1e-9) {
		const snw_transform *local = &skeleton->rest_local[joint];
		double back[4], matrix[12];
		snw_quat_conjugate(local->rotation, back);
		snw_quat_to_mat34(back, matrix);
		snw_mat34_vector(matrix, local->translation, sum);
	}
	const int known = snw_length3(sum) > 1e-9;
	const double length = known ? snw_length3(sum) : 1;
	for (int c = 0; c < 3; c++) {
		axis[c] = known ? sum[c] / length : c == 1;
	}
}
