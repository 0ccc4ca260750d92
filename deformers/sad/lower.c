/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering: the influences over the model's own palette.
 */
#include "sad/sad.h"

snw_status SNW_CALL lower(const snw_lower_call *call) {
	const snw_model *model = call->model;
	if (call->mesh >= model->mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	const sad_mesh *animation = &model->meshes[call->mesh];
	snw_program_part part = {.size = sizeof part, .blend = SNW_BLEND_NONE};
	if (animation->slot_count > 0) {
		part.blend = model->width == 8 ? SNW_BLEND_DUAL_QUATERNION : SNW_BLEND_LINEAR;
		part.palette = model->width == 8 ? SNW_PALETTE_DUAL_QUATERNIONS : SNW_PALETTE_MATRICES;
		part.sign_rule = SNW_SIGN_AS_GIVEN;
		part.slot_count = model->slot_count;
		part.influence_offsets = animation->offsets;
		part.influence_slots = animation->slots;
		part.influence_weights = animation->weights;
	}
	if (animation->normals_rest) {
		part.normal_palette = model->width == 8 ? SNW_NORMALS_QUATERNIONS : SNW_NORMALS_MATRICES;
		part.normal_z = model->slot_count * model->width;
		part.normals_rest = animation->normals_rest;
		part.rest_normals = &animation->normal_details;
	}
	if (animation->detail_count > 0) {
		part.rest = &animation->details;
	}
	snw_put(call->part, &part);
	return SNW_OK;
}
