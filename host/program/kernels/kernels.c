/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All inner loops of the float evaluator. This file is compiled once for each instruction set, with SNW_KERNELS and
 * SNW_KERNELS_NAME.
 */
#include "program/kernels/normals.h"
#include "program/kernels/points.h"
#include "program/kernels/vectors.h"

extern const snw_kernels SNW_KERNELS;
const snw_kernels SNW_KERNELS = {
	.name = SNW_KERNELS_NAME,
	.lanes = {linear_lanes, affine_lanes, dual_quaternion_lanes, linear_normals_lanes, dual_quaternion_normals_lanes},
	.mixed = {linear_mixed, affine_mixed, dual_quaternion_mixed, linear_normals_mixed, dual_quaternion_normals_mixed},
	.displace = displace,
	.deliver = deliver,
	.stream = stream,
};
