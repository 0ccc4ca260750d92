/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering: linear blend over the joints and the helpers, of points that may be moved at rest.
 */
#include "helper-joints/helper-joints.h"

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
