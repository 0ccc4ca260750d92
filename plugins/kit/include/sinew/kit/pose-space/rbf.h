/* SPDX-License-Identifier: MIT
 *
 * Radial basis functions over poses: kernels of the distance (pose_metric.h), a polynomial beside them, and the weights that
 * make each example's function 1 at its own pose and 0 at all others.
 *
 * Distances and widths have one unit, that of the pose metric: radians. Any thread. What returns a status may return
 * SNW_ERROR_MEMORY, and SNW_ERROR_MISSING where the host has no solver.
 */
#ifndef SINEW_KIT_POSE_SPACE_RBF_H
#define SINEW_KIT_POSE_SPACE_RBF_H

#include "sinew/host.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
