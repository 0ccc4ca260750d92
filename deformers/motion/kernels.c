/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of kernels. This file is compiled once for each instruction set, with different SNK_LANE_KERNELS and
 * SNK_LANE_KERNELS_NAME.
 */
#include "motion/kernel_equations.h"
#include "motion/kernel_errors.h"

extern const snk_lane_kernels SNK_LANE_KERNELS;
const snk_lane_kernels SNK_LANE_KERNELS = {
	.name = SNK_LANE_KERNELS_NAME,
	.target_moments = target_moments,
	.factor = factor_blocks,
	.solve = solve_blocks,
	.rigid_equations = rigid_equations,
	.dual_linear_equations = dual_linear_equations,
	.dual_equations = dual_equations,
	.linear_distances = linear_distances,
	.dual_distances = dual_distances,
	.linear_columns = linear_columns,
	.dual_columns = dual_columns,
	.column_gram = column_gram,
	.column_slopes = column_slopes,
	.blend_gaps = blend_gaps,
	.rest_errors = rest_errors,
	.fit_details = fit_details,
	.along_courses = along_courses,
	.detailed_distances = detailed_distances,
	.normal_maps = normal_maps,
	.normal_rotations = normal_rotations,
	.normal_gaps = normal_gaps,
	.normal_cosines = normal_cosines,
};
