/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Driving: z of a reduced model: the columns of all key gradients, then the four columns of each of the character's slots.
 * Lowering: linear blend over the proxies. A full model is refused, with the reason.
 */
#include "rotational-regression/rotational-regression.h"

void number_predictors(snw_model *model) {
	model->predictor_count = 0;
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		model->meshes[m].first_predictor = model->predictor_count;
		model->predictor_count += model->meshes[m].predictor_count;
	}
}

void write_key_gradients(const regressed_mesh *mesh, const posed_joint *posed, double *z) {
	for (uint32_t k = 0; k < mesh->predictor_count; k += LANES) {
		const uint32_t count = mesh->predictor_count - k;
		predict_gradients(posed, &mesh->groups[k / LANES], count < LANES ? count : LANES, (double(*)[9])(z + 9 * (size_t)k));
	}
}

void write_slot_columns(uint32_t count, const double *palette, double *z) {
	for (size_t s = 0; s < count; s++, z += 12) {
		const double *m = palette + 12 * s;
#pragma GCC unroll 12
		for (size_t i = 0; i < 12; i++) {
			z[i] = m[4 * (i % 3) + i / 3];
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
		write_key_gradients(&model->meshes[m], posed, z + 9 * (size_t)model->meshes[m].first_predictor);
	}
	write_slot_columns(model->slot_count, pose->palette, z + 9 * (size_t)model->predictor_count);
	return SNW_OK;
}

snw_status SNW_CALL lower(const snw_lower_call *call) {
	const snw_model *model = call->model;
	if (call->mesh >= model->mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	if (!model->is_reduced) {
		*call->reason =
			"with proxies=0 all points follow together from one system of equations; with proxies they lower to a blend";
		return SNW_ERROR_UNSUPPORTED;
	}
	const regressed_mesh *mesh = &model->meshes[call->mesh];
	snw_program_part part = {.size = sizeof part, .blend = SNW_BLEND_NONE};
	if (mesh->proxies.offsets) {
		part.blend = SNW_BLEND_LINEAR;
		part.palette = SNW_PALETTE_COMBINED;
		part.slot_count = mesh->slot_count;
		part.influence_offsets = mesh->proxies.offsets;
		part.influence_slots = mesh->proxies.slots;
		part.influence_weights = mesh->proxies.weights;
		part.combined_count = mesh->rows.column_count;
		part.combined_rows = &mesh->rows;
	} else if (mesh->skin.offsets) {
		part.blend = SNW_BLEND_LINEAR;
		part.palette = SNW_PALETTE_JOINTS;
		part.influence_offsets = mesh->skin.offsets;
		part.influence_slots = mesh->skin.slots;
		part.influence_weights = mesh->skin.weights;
	}
	snw_put(call->part, &part);
	return SNW_OK;
}
