/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fitted model: lowered to the affine blend over the pose's own palette (a pose drives nothing else), and as bytes: a mark,
 * the rows, a seal.
 */
#include "animation-space/animation-space.h"
#include "sinew/kit/bytes/saved.h"

snw_status SNW_CALL lower(const snw_lower_call *call) {
	if (call->mesh >= call->model->skin.mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	snk_row_skin_lower(&call->model->skin, call->mesh, SNW_PALETTE_JOINTS, call->part);
	return SNW_OK;
}

static const char mark[SNK_MARK_BYTES] = {'S', 'N', 'W', 'A', 'S', 'P', 'C', 'E'};
enum { REVISION = 1 };

snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	snw_writer writer = {.sink = sink};
	snk_write_mark(&writer, mark, REVISION);
	snk_row_skin_write(&model->skin, &writer);
	snw_write_seal(&writer);
	return writer.status;
}

static snw_status read_model(snw_reader *reader, const snw_character_view *character, snw_model *model) {
	return snk_row_skin_read(reader, character, character->slot_count, &model->pool, &model->skin);
}

snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(call, mark, REVISION, sizeof(snw_model), read_model, model);
}
