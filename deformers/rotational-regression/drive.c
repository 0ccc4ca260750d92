/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Driving: the joints of a pose, the gradients predicted from them, and z of a reduced model: the columns of all key gradients, then
 * the four columns of each of the character's slots.
 */
#include <string.h>

#include "rotational-regression/rotational-regression.h"
#include "sinew/algebra.h"

/* Of a rotation, row-major. */
static void quaternion_of(const double rotation[9], double quaternion[4]) {
	double m[12] = {0};
	for (int i = 0; i < 9; i++) {
		m[4 * (i / 3) + i % 3] = rotation[i];
	}
	snw_quat_from_mat34(m, quaternion);
}

static void find_features(uint32_t kind, posed_joint *posed) {
	double quaternion[4], matrix[12];
	if (kind == FEATURES_VECTORS) {
		memcpy(posed->features, posed->vector, sizeof posed->vector);
		return;
	}
	snw_quat_from_rotation_vector(posed->vector, quaternion);
	snw_quat_to_mat34(quaternion, matrix);
	for (int i = 0; i < 9; i++) {
		posed->features[i] = matrix[4 * (i / 3) + i % 3] - (i % 4 == 0);
	}
}

void pose_joints(uint32_t features, uint32_t count, const regressed_joint *joints, const snw_pose_view *pose,
				 posed_joint *posed) {
	for (uint32_t j = 0; j < count; j++) {
		double global[9], away[9];
		posed[j] = (posed_joint){.rotation = {0, 0, 0, 1}};
		const double *axes = joints[j].axes;
		snw_mat34_rotation(pose->global + 12 * (size_t)j, global);
		for (size_t r = 0; r < 3; r++) {
			for (size_t c = 0; c < 3; c++) {
				away[3 * r + c] = snw_dot3(global + 3 * r, axes + 3 * c);
			}
			posed[j].vector[r] = snw_dot3(axes + 3 * r, pose->rotation_vectors + 3 * (size_t)j);
		}
		quaternion_of(away, posed[j].rotation);
		if (joints[j].bends) {
			find_features(features, &posed[j]);
		}
	}
}

void shear_features(uint32_t kind, const regressed_joint *joints, const posed_joint *posed, const predictor *from,
					double features[SHEAR_COLUMNS]) {
	const uint32_t parent = from->joint_count > 0 ? joints[from->joints[0]].parent : SNW_NONE;
	memset(features, 0, SHEAR_COLUMNS * sizeof *features);
	if (parent != SNW_NONE) {
		memcpy(features + 9 * (size_t)MOST_JOINTS, posed[parent].features, sizeof posed->features);
	}
	for (uint32_t k = 0; k < (kind == FEATURES_VECTORS && from->joint_count > 0 ? 1 : from->joint_count); k++) {
		if (from->joints[k] != parent) {
			memcpy(features + 9 * (size_t)k, posed[from->joints[k]].features, sizeof posed->features);
		}
	}
	features[SHEAR_COLUMNS - 1] = 1;
}

void predicted_rotation(const float m[9], const double v[3], double quaternion[4]) {
	double image[3];
	for (int r = 0; r < 3; r++) {
		image[r] = (double)m[3 * r] * v[0] + (double)m[3 * r + 1] * v[1] + (double)m[3 * r + 2] * v[2];
	}
	snw_quat_from_rotation_vector(image, quaternion);
}

void predict_rotation(const regressed_joint *joints, const posed_joint *posed, const predictor *from, double rotation[4]) {
	const double identity[4] = {0, 0, 0, 1};
	const uint32_t parent = from->joint_count > 0 ? joints[from->joints[0]].parent : SNW_NONE;
	memcpy(rotation, identity, sizeof identity);
	for (uint32_t k = 0; k < from->joint_count; k++) {
		double factor[4];
		predicted_rotation(from->rotations[k], posed[from->joints[k]].vector, factor);
		snw_quat_multiply(from->is_above[k] ? factor : rotation, from->is_above[k] ? rotation : factor, rotation);
	}
	if (parent != SNW_NONE) {
		snw_quat_multiply(posed[parent].rotation, rotation, rotation);
	}
}

/* Adds what some columns of H make of the features. */
static void add_shear(const predictor *from, uint32_t first, uint32_t count, const double features[SHEAR_COLUMNS],
					  double shear[9]) {
	for (int i = 0; i < 9; i++) {
		for (uint32_t k = first; k < first + count; k++) {
			shear[i] += (double)from->shear[i][k] * features[k];
		}
	}
}

void predict_gradient(uint32_t kind, const regressed_joint *joints, const posed_joint *posed, const predictor *from,
					  double gradient[9]) {
	double rotation[4], features[SHEAR_COLUMNS], matrix[12], shear[9];
	predict_rotation(joints, posed, from, rotation);
	shear_features(kind, joints, posed, from, features);
	snw_quat_to_mat34(rotation, matrix);
	for (int i = 0; i < 9; i++) {
		shear[i] = i % 4 == 0;
	}
	for (uint32_t block = 0; block <= MOST_JOINTS; block++) {
		if (block < from->joint_count || block == MOST_JOINTS) {
			add_shear(from, 9 * block, 9, features, shear);
		}
	}
	add_shear(from, SHEAR_COLUMNS - 1, 1, features, shear);
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			gradient[3 * r + c] =
				matrix[4 * r] * shear[c] + matrix[4 * r + 1] * shear[3 + c] + matrix[4 * r + 2] * shear[6 + c];
		}
	}
}

void number_predictors(snw_model *model) {
	model->predictor_count = 0;
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		model->meshes[m].first_predictor = model->predictor_count;
		model->predictor_count += model->meshes[m].predictor_count;
	}
}

snw_status SNW_CALL drive(const snw_drive_call *call) {
	const snw_model *model = call->model;
	const snw_pose_view *pose = call->pose;
	if (pose->joint_count != model->joint_count || pose->slot_count != model->slot_count) {
		return SNW_ERROR_ARGUMENT;
	}
	if (!model->is_reduced) {
		return SNW_OK;
	}
	posed_joint *posed = call->scratch;
	double *z = call->output->z;
	pose_joints(model->features, model->joint_count, model->joints, pose, posed);
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		for (uint32_t k = 0; k < model->meshes[m].predictor_count; k++, z += 9) {
			double gradient[9];
			predict_gradient(model->features, model->joints, posed, &model->meshes[m].predictors[k], gradient);
			for (int i = 0; i < 9; i++) {
				z[i] = gradient[3 * (i % 3) + i / 3];
			}
		}
	}
	for (size_t s = 0; s < model->slot_count; s++, z += 12) {
		for (size_t i = 0; i < 12; i++) {
			z[i] = pose->palette[12 * s + 4 * (i % 3) + i / 3];
		}
	}
	return SNW_OK;
}
