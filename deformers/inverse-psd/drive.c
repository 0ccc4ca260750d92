/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Driving: the pose's distances to the examples' poses, through the kernel, to one coefficient for each example (equation 7).
 */
#include <string.h>

#include "inverse-psd/inverse-psd.h"
#include "sinew/algebra.h"

void layout(const snw_model *model, snw_drive_layout *layout) {
	*layout = (snw_drive_layout){.size = sizeof *layout,
								 .d_count = model->coefficient_count,
								 .e_count = model->has_posed ? model->coefficient_count : 0};
}

size_t scratch_count(const pose_space *group) {
	return 4 * (size_t)group->joint_count + group->pose_count + 1;
}

size_t scratch_bytes(const snw_model *model) {
	size_t most = 0;
	for (uint32_t g = 0; g < model->group_count; g++) {
		const size_t count = scratch_count(&model->groups[g]);
		most = count > most ? count : most;
	}
	return most * sizeof(double);
}

void turns_as_quaternions(const pose_space *group, const double *turns, double *quaternions) {
	for (uint32_t j = 0; j < group->joint_count; j++) {
		snw_quat_from_turn(turns + 3 * (size_t)group->joints[j], quaternions + 4 * (size_t)j);
	}
}

void group_coefficients(const pose_space *group, const double *turns, double *scratch, double *coefficients) {
	double *here = scratch, *values = scratch + 4 * (size_t)group->joint_count;
	turns_as_quaternions(group, turns, here);
	for (uint32_t p = 0; p < group->pose_count; p++) {
		const double *there = group->quaternions + 4 * (size_t)p * group->joint_count;
		values[p] =
			snw_kernel_value(group->kernel, group->width, snw_pose_distance(group->joint_count, here, there, group->unwound));
	}
	values[group->pose_count] = 1;
	for (uint32_t k = 0; k < group->coefficient_count; k++) {
		const double *weights = group->weights + (size_t)k * (group->pose_count + 1);
		double sum = 0;
		for (uint32_t p = 0; p <= group->pose_count; p++) {
			sum += weights[p] * values[p];
		}
		coefficients[k] = sum;
	}
}

snw_status drive(const snw_model *model, const double *values, const snw_pose_view *pose, void *scratch,
				 snw_drive_output *output) {
	(void)values;
	if (pose->joint_count != model->joint_count) {
		return SNW_ERROR_ARGUMENT;
	}
	double *next = output->d;
	for (uint32_t g = 0; g < model->group_count; g++) {
		group_coefficients(&model->groups[g], pose->turns, scratch, next);
		next += model->groups[g].coefficient_count;
	}
	if (model->has_posed) {
		memcpy(output->e, output->d, model->coefficient_count * sizeof *output->e);
	}
	return SNW_OK;
}
