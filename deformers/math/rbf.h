/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Radial basis functions over poses: distances between poses, kernels, and the weights that make each example's function 1 at
 * its own pose and 0 at all others.
 *
 * Distances are Euclidean over joints, and for each joint the angle between its two turns (the geodesic on rotations).
 * A joint that one of the examples turns by more than π is `unwound`: its angles are measured on the double cover, up to 2π,
 * so that a turn by 200° is not mistaken for one by -160°.
 */
#ifndef SINEW_DEFORMERS_MATH_RBF_H
#define SINEW_DEFORMERS_MATH_RBF_H

#include "sinew/host.h"

/* The functions below as they are; models keep this number, and are refused where it is another. */
#define SNW_KERNEL_VERSION 1

typedef enum snw_kernel {
	/* exp(−(r / width)²): falls to 0 away from the examples. */
	SNW_KERNEL_GAUSSIAN = 0,
	/* −r, and a constant such that the kernels' weights sum to 0. Between two poses, linear; beyond the outermost, constant:
	 * further on the line from rest through an example its function stays 1, on the other side it stays 0. Without the
	 * constant every way out of the rest pose would turn the example on, without limit. */
	SNW_KERNEL_LINEAR = 1,
} snw_kernel;

double snw_kernel_value(snw_kernel kernel, double width, double distance);

/* The angle between two turns (as unit quaternions from snw_quat_from_turn), 0 to π; unwound: 0 to 2π. Exactly 0 for the same
 * numbers. */
double snw_turn_distance(const double a[4], const double b[4], int unwound);

/* The Euclidean distance over joints: a and b are [joint_count][4]. */
double snw_pose_distance(uint32_t joint_count, const double *a, const double *b, const uint32_t *unwound);

/* The Gaussian's width for `count` poses with these distances [count][count]: the mean distance to the nearest other pose, times
 * a factor found by trying (see the source). */
double snw_rbf_width(uint32_t count, const double *distances);

/* weights [count][count + 1]: function k is Σ_c weights[k][c] · kernel(distance to c) + weights[k][count]. Through the host's
 * dense solver, refined once. SNW_ERROR_SINGULAR where two poses are one. */
snw_status snw_rbf_solve(const snw_host *host, snw_kernel kernel, double width, uint32_t count, const double *distances,
						 double *weights, double *reciprocal_condition);

#endif
