/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fitted model: driven (the mesh is moved alike in all poses), lowered to linear blend of points that may be moved at rest,
 * and as bytes: a mark, the influences, the rest shape if there is one, a seal.
 */
#include "linear-blend-fit/linear-blend-fit.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/status.h"

void SNW_CALL layout(const snw_model *model, snw_model_layout *layout) {
	SNW_PUT(layout, snw_model_layout, .d_count = model->rest.coefficient_count);
}

snw_status SNW_CALL drive(const snw_drive_call *call) {
	for (uint32_t k = 0; k < call->model->rest.coefficient_count; k++) {
		call->output->d[k] = 1;
	}
	return SNW_OK;
}

snw_status SNW_CALL lower(const snw_lower_call *call) {
	const snw_model *model = call->model;
	if (call->mesh >= model->skin.mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	snk_base_skin_lower(&model->skin, call->mesh, SNW_BLEND_LINEAR, call->part);
	snk_rest_shape_lower(&model->rest, call->mesh, call->part);
	return SNW_OK;
}

static const char mark[SNK_MARK_BYTES] = {'S', 'N', 'W', 'L', 'B', 'F', 'T'};
enum { REVISION = 1 };

snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	snw_writer writer = {.sink = sink};
	snk_write_mark(&writer, mark, REVISION);
	snk_base_skin_write(&model->skin, &writer);
	snk_rest_shape_write(&model->rest, &writer);
	snw_write_seal(&writer);
	return writer.status;
}

static snw_status read_model(snw_reader *reader, const snw_character_view *character, snw_model *model) {
	const snw_status status = snk_base_skin_read(reader, character, &model->pool, &model->skin);
	return snk_failed(status) ? status : snk_rest_shape_read(reader, character, &model->pool, &model->rest);
}

snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(call, mark, REVISION, sizeof(snw_model), read_model, model);
}
