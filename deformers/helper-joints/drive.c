/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Driving: the pose's own palette, then the helpers' matrices; and the rest shape, in all poses alike.
 */
#include <math.h>
#include <string.h>

#include "helper-joints/helper-joints.h"
#include "sinew/algebra.h"

void joint_features(const snw_model *model, const snw_pose_view *pose, uint32_t joint, double features[JOINT_FEATURES]) {
	const double *axes = model->axes + 9 * (size_t)joint, *vector = pose->rotation_vectors + 3 * (size_t)joint;
	double in_axes[3], quaternion[4], matrix[12];
	for (size_t r = 0; r < 3; r++) {
		in_axes[r] = snw_dot3(axes + 3 * r, vector);
	}
	snw_quat_from_rotation_vector(in_axes, quaternion);
	snw_quat_to_mat34(quaternion, matrix);
	for (int i = 0; i < JOINT_FEATURES; i++) {
		features[i] = matrix[4 * (i / 3) + i % 3] - (i % 4 == 0);
	}
}

void helper_motion(const snw_model *model, const helper *from, const snw_pose_view *pose, double motion[MOTIONS]) {
	memset(motion, 0, MOTIONS * sizeof *motion);
	for (uint32_t k = 0; k < from->driver_count; k++) {
		double features[JOINT_FEATURES];
		joint_features(model, pose, from->drivers[k], features);
		for (uint32_t i = 0, f = JOINT_FEATURES * k; i < JOINT_FEATURES; i++, f++) {
			const double value = fmin(fmax(features[i], from->lowest[f]), from->highest[f]);
			for (int m = 0; m < MOTIONS; m++) {
				motion[m] += from->factors[m][f] * value;
			}
		}
	}
}

void helper_matrix(const snw_model *model, const helper *from, const snw_pose_view *pose, const double motion[MOTIONS],
				   double matrix[12]) {
	double quaternion[4], local[12], rotated[3], parent[12];
	snw_quat_from_rotation_vector(motion, quaternion);
	snw_quat_to_mat34(quaternion, local);
	snw_mat34_vector(local, from->place, rotated);
	for (int r = 0; r < 3; r++) {
		local[4 * r + 3] = from->place[r] + motion[3 + r] - rotated[r];
	}
	snw_mat34_multiply(pose->global + 12 * (size_t)from->parent, model->rest_inverses + 12 * (size_t)from->parent, parent);
	snw_mat34_multiply(parent, local, matrix);
}

void SNW_CALL layout(const snw_model *model, snw_model_layout *layout) {
	snw_put(layout, &(snw_model_layout){.size = sizeof(snw_model_layout),
										.z_count = 12 * (model->slot_count + model->helper_count),
										.d_count = model->rest.coefficient_count});
}

snw_status SNW_CALL drive(const snw_drive_call *call) {
	const snw_model *model = call->model;
	if (call->pose->joint_count != model->joint_count || call->pose->slot_count != model->slot_count) {
		return SNW_ERROR_ARGUMENT;
	}
	double *z = call->output->z;
	if (model->slot_count > 0) {
		memcpy(z, call->pose->palette, 12 * (size_t)model->slot_count * sizeof *z);
	}
	z += 12 * (size_t)model->slot_count;
	for (uint32_t h = 0; h < model->helper_count; h++, z += 12) {
		double motion[MOTIONS];
		helper_motion(model, &model->helpers[h], call->pose, motion);
		helper_matrix(model, &model->helpers[h], call->pose, motion, z);
	}
	for (uint32_t k = 0; k < model->rest.coefficient_count; k++) {
		call->output->d[k] = 1;
	}
	return SNW_OK;
}
