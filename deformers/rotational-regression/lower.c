/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering: linear blend over the proxies. A full model is refused, with the reason.
 */
#include "rotational-regression/rotational-regression.h"

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
