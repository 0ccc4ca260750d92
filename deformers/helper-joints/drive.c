/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Driving: the pose's own palette, then the helpers' matrices; and the rest shape, in all poses alike. Lowering: linear blend
 * over the joints and the helpers, of points that may be moved at rest.
 */
#include <math.h>
#include <string.h>

#include "helper-joints/helper-joints.h"
#include "sinew/algebra.h"

static const double least_scale = 0.25, most_scale = 4; /* far from the samples no helper folds or explodes */

void helper_motion(const snw_model *model, const helper *from, const snw_pose_view *pose, double motion[MOTIONS]) {
	memset(motion, 0, MOTIONS * sizeof *motion);
	for (uint32_t k = 0; k < from->driver_count; k++) {
		double features[JOINT_FEATURES];
		const uint32_t joint = from->drivers[k];
		snk_rotation_features(model->axes + 9 * (size_t)joint, pose->rotation_vectors + 3 * (size_t)joint, features);
		for (uint32_t i = 0, f = JOINT_FEATURES * k; i < JOINT_FEATURES; i++, f++) {
			const double value = fmin(fmax(features[i], from->lowest[f]), from->highest[f]);
			for (int m = 0; m < MOTIONS; m++) {
				motion[m] += from->factors[m][f] * value;
			}
		}
	}
}

/* ---- between two joints -------------------------------------------------------------------------------------------------- */

/* x + first r × x + second r × (r × x). */
static void add_crossed(const double r[3], double first, double second, double x[3]) {
	double once[3], twice[3];
	snw_cross3(r, x, once);
	snw_cross3(r, once, twice);
	for (int c = 0; c < 3; c++) {
		x[c] += first * once[c] + second * twice[c];
	}
}

/* A rigid motion to the power `share`, along its screw: exp(share log). The translations of a logarithm and of its motion
 * differ by V(r) = ∫ exp(u r) du over 0 to 1, for the rotation vector r. */
static void power_of(const double motion[12], double share, double dest[12]) {
	double rotation[9], as_matrix[12] = {0}, quaternion[4], r[3], move[3];
	snw_mat34_rotation(motion, rotation);
	for (int i = 0; i < 9; i++) {
		as_matrix[4 * (i / 3) + i % 3] = rotation[i];
	}
	snw_quat_from_mat34(as_matrix, quaternion);
	snw_quat_to_rotation_vector(quaternion, r);
	for (int c = 0; c < 3; c++) {
		move[c] = motion[4 * c + 3];
	}
	const double angle = snw_length3(r), square = angle * angle, part = share * angle;
	const int is_small = angle < 1e-3; /* the series have no digits to lose there */
	add_crossed(r, -0.5, is_small ? 1.0 / 12 : (1 - angle * sin(angle) / (2 * (1 - cos(angle)))) / square, move);
	for (int c = 0; c < 3; c++) {
		move[c] *= share;
		r[c] *= share;
	}
	add_crossed(r, is_small ? 0.5 : (1 - cos(part)) / (part * part),
				is_small ? 1.0 / 6 : (part - sin(part)) / (part * part * part), move);
	snw_quat_from_rotation_vector(r, quaternion);
	snw_quat_to_mat34(quaternion, dest);
	for (int c = 0; c < 3; c++) {
		dest[4 * c + 3] = move[c];
	}
}

static void joint_motion(const snw_model *model, const snw_pose_view *pose, uint32_t joint, double motion[12]) {
	snw_mat34_multiply(pose->global + 12 * (size_t)joint, model->rest_inverses + 12 * (size_t)joint, motion);
}

void helper_ends(const snw_model *model, const helper *from, const snw_pose_view *pose, double first[12], double second[12]) {
	joint_motion(model, pose, from->parent, first);
	joint_motion(model, pose, from->toward, second);
}

void helper_base(const snw_model *model, const helper *from, const snw_pose_view *pose, double base[12]) {
	double back[12], relative[12];
	joint_motion(model, pose, from->parent, base);
	if (from->toward == SNW_NONE || !snw_mat34_invert(base, back)) {
		return;
	}
	joint_motion(model, pose, from->toward, relative);
	snw_mat34_multiply(back, relative, relative);
	power_of(relative, from->share, relative);
	snw_mat34_multiply(base, relative, base);
}

/* ---- a helper ------------------------------------------------------------------------------------------------------------ */

void helper_stretch(const snw_model *model, const helper *from, const double motion[MOTIONS], double stretched[9]) {
	const double *axes = model->axes + 9 * (size_t)from->parent;
	memset(stretched, 0, 9 * sizeof *stretched);
	for (int i = 0; i < 9; i++) {
		for (int k = 0; k < 3; k++) {
			const double scale = fmin(fmax(1 + motion[6 + k], least_scale), most_scale);
			stretched[i] += axes[3 * (i / 3) + k] * scale * axes[3 * (i % 3) + k];
		}
	}
}

void helper_matrix(const snw_model *model, const helper *from, const snw_pose_view *pose, const double motion[MOTIONS],
				   double matrix[12]) {
	double quaternion[4], rotation[12], local[12] = {0}, stretched[9], rotated[3], base[12];
	snw_quat_from_rotation_vector(motion, quaternion);
	snw_quat_to_mat34(quaternion, rotation);
	helper_stretch(model, from, motion, stretched);
	for (int i = 0; i < 9; i++) {
		local[4 * (i / 3) + i % 3] = stretched[i];
	}
	snw_mat34_multiply(rotation, local, local);
	snw_mat34_vector(local, from->place, rotated);
	for (int r = 0; r < 3; r++) {
		local[4 * r + 3] = from->place[r] + motion[3 + r] - rotated[r];
	}
	helper_base(model, from, pose, base);
	snw_mat34_multiply(base, local, matrix);
}

void SNW_CALL layout(const snw_model *model, snw_model_layout *layout) {
	SNW_PUT(layout, snw_model_layout, .z_count = 12 * (model->slot_count + model->helper_count),
			.d_count = model->rest.coefficient_count);
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

snw_status SNW_CALL lower(const snw_lower_call *call) {
	const snw_model *model = call->model;
	if (call->mesh >= model->skin.mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	const snk_base_skin_mesh *skin = &model->skin.meshes[call->mesh];
	SNW_PUT(call->part, snw_program_part, .blend = skin->offsets ? SNW_BLEND_LINEAR : SNW_BLEND_NONE,
			.palette = SNW_PALETTE_MATRICES, .slot_count = model->skin.slot_count, .influence_offsets = skin->offsets,
			.influence_slots = skin->slots, .influence_weights = skin->weights);
	snk_rest_shape_lower(&model->rest, call->mesh, call->part);
	return SNW_OK;
}
