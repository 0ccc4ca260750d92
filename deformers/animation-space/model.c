/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fitted model: lowered to the affine blend over the pose's own palette (a pose drives nothing else), and as bytes.
 */
#include "animation-space/animation-space.h"

#include "sinew/kit/skin/transfer.h"
#include "sinew/kit/status.h"

snw_status SNW_CALL lower(const snw_lower_call *call) {
	return snk_row_skin_lower(&call->model->skin, call, SNW_PALETTE_JOINTS);
}

static void choices_bytes(snk_bytes *bytes, mesh_choices *choices) {
	snk_bytes_index(bytes, 2, &choices->is_made);
	snk_bytes_f64(bytes, 1, &choices->ridge);
	snk_bytes_f64(bytes, 1, &choices->smoothness);
	snk_guard_regions_bytes(bytes, &choices->region_count, &choices->regions);
}

static void model_bytes(snk_bytes *bytes, snw_model *model) {
	if (bytes->is_load) {
		model->skin.slot_count = bytes->character->slot_count;
	}
	snk_row_skin_bytes(bytes, &model->skin);
	if (bytes->is_load) {
		model->choices = snk_bytes_acquire(bytes, model->skin.mesh_count, sizeof *model->choices);
	}
	for (uint32_t m = 0; !snk_failed(bytes->status) && m < model->skin.mesh_count; m++) {
		choices_bytes(bytes, &model->choices[m]);
	}
}

static const snk_model_format format = {"SNWASPCE", 2, sizeof(snw_model), model_bytes};

snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	return snk_save_model(&format, model, sink);
}

snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(&format, call, model);
}

static snw_status follow(const snw_transfer_call *call, snw_model *model) {
	return snk_transfer_row_skin(call, &model->pool, &model->skin);
}

snw_status SNW_CALL transfer(const snw_deformer *self, const snw_transfer_call *call, snw_model **model) {
	(void)self;
	return snk_transfer_model(&format, call, follow, model);
}
