/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Driving: the joints of a pose, and z of a reduced model: the columns of all key gradients, then the four columns of each of the
 * character's slots.
 */
#include <string.h>

#include "rotational-regression/rotational-regression.h"
#include "sinew/algebra.h"

/* The rotation in a joint's matrix, as snw_mat34_rotation finds it. That also knows matrices that mirror or have no rotation. */
static void find_rotation(const double m[12], double rotation[9]) {
	double x[3] = {m[0], m[4], m[8]}, y[3] = {m[1], m[5], m[9]}, z[3];
	const double length = snw_length3(x);
	for (int r = 0; r < 3; r++) {
		x[r] /= length;
	}
	const double along = snw_dot3(x, y), height = sqrt(snw_dot3(y, y) - along * along);
	for (int r = 0; r < 3; r++) {
		y[r] = (y[r] - along * x[r]) / height;
	}
	snw_cross3(x, y, z);
	if (!(height > 1e-3 * fabs(along)) || !(m[2] * z[0] + m[6] * z[1] + m[10] * z[2] > 0)) {
		snw_mat34_rotation(m, rotation);
		return;
	}
	for (size_t r = 0; r < 3; r++) {
		rotation[3 * r] = x[r];
		rotation[3 * r + 1] = y[r];
		rotation[3 * r + 2] = z[r];
	}
}

static void pose_joint(const regressed_joint *joint, const double global[12], const double vector[3], posed_joint *posed) {
	double rotation[9];
	find_rotation(global, rotation);
	for (size_t r = 0; r < 3; r++) {
		for (size_t c = 0; c < 3; c++) {
			posed->rotation[3 * r + c] = snw_dot3(rotation + 3 * r, joint->axes + 3 * c);
		}
		posed->vector[r] = snw_dot3(joint->axes + 3 * r, vector);
	}
}

/* φ of up to four joints from `first` on; 0 for those that bend nothing. */
static void find_features(uint32_t kind, uint32_t first, uint32_t count, const regressed_joint *joints, posed_joint *posed) {
	static const double none[3] = {0};
	const double *vectors[4];
	double quaternions[4][4], matrix[12];
	for (uint32_t k = 0; k < 4; k++) {
		const uint32_t joint = first + k;
		vectors[k] = joint < count && joints[joint].bends ? posed[joint].vector : none;
	}
	rotate_by_vectors(vectors, quaternions);
	for (uint32_t k = 0; k < 4 && first + k < count; k++) {
		float *features = posed[first + k].features;
		snw_quat_to_mat34(quaternions[k], matrix);
		for (int i = 0; i < 9; i++) {
			const double matrices = matrix[4 * (i / 3) + i % 3] - (i % 4 == 0), vector = i < 3 ? vectors[k][i] : 0;
			features[i] = (float)(kind == FEATURES_MATRICES ? matrices : vector);
		}
	}
}

void pose_joints(uint32_t features, uint32_t count, const regressed_joint *joints, const snw_pose_view *pose,
				 posed_joint *posed) {
	for (uint32_t j = 0; j < count; j++) {
		pose_joint(&joints[j], pose->global + 12 * (size_t)j, pose->rotation_vectors + 3 * (size_t)j, &posed[j]);
	}
	for (uint32_t j = 0; j < count; j += 4) {
		find_features(features, j, count, joints, posed);
	}
}

void number_predictors(snw_model *model) {
	model->predictor_count = 0;
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		model->meshes[m].first_predictor = model->predictor_count;
		model->predictor_count += model->meshes[m].predictor_count;
	}
}

void write_key_gradients(const snw_model *model, const regressed_mesh *mesh, const posed_joint *posed, double *z) {
	for (uint32_t k = 0; k < mesh->predictor_count; k++, z += 9) {
		double gradient[9];
		predict_gradient(model->features, model->joints, posed, &mesh->predictors[k], gradient);
		for (int i = 0; i < 9; i++) {
			z[i] = gradient[3 * (i % 3) + i / 3];
		}
	}
}

void write_slot_columns(uint32_t count, const double *palette, double *z) {
	for (size_t s = 0; s < count; s++, z += 12) {
		for (size_t i = 0; i < 12; i++) {
			z[i] = palette[12 * s + 4 * (i % 3) + i / 3];
		}
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
		write_key_gradients(model, &model->meshes[m], posed, z + 9 * (size_t)model->meshes[m].first_predictor);
	}
	write_slot_columns(model->slot_count, pose->palette, z + 9 * (size_t)model->predictor_count);
	return SNW_OK;
}
