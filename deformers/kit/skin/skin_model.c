/* SPDX-License-Identifier: MIT */
#include "sinew/kit/skin/skin_model.h"

#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/status.h"

enum { REVISION = 1 };

snw_status SNW_CALL snk_skin_model_copy(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_pool pool = snw_pool_open(instance->host);
	snk_skin_model *made = SNW_POOL_ARRAY(&pool, snk_skin_model, 1);
	const snw_status status = made ? snk_base_skin_copy(input->character, &pool, &made->skin) : SNW_ERROR_MEMORY;
	if (snk_failed(status)) {
		snw_pool_release(&pool);
		return status;
	}
	made->pool = pool;
	*model = snk_skin_model_as_model(made);
	return SNW_OK;
}

void SNW_CALL snk_skin_model_release(snw_model *model) {
	if (model) {
		snw_pool_release(&((snk_skin_model *)model)->pool);
	}
}

snw_status snk_skin_model_lower(const snw_lower_call *call, snw_blend blend) {
	const snk_base_skin *skin = &((const snk_skin_model *)call->model)->skin;
	if (call->mesh >= skin->mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	snk_base_skin_lower(skin, call->mesh, blend, call->part);
	return SNW_OK;
}

snw_status snk_skin_model_save(const snw_model *model, const char mark[8], const snw_sink *sink) {
	snw_writer writer = {.sink = sink};
	snk_write_mark(&writer, mark, REVISION);
	snk_base_skin_write(&((const snk_skin_model *)model)->skin, &writer);
	snw_write_seal(&writer);
	return writer.status;
}

static snw_status read_skin(snw_reader *reader, const snw_character_view *character, snw_model *model) {
	snk_skin_model *made = (snk_skin_model *)model;
	return snk_base_skin_read(reader, character, &made->pool, &made->skin);
}

snw_status snk_skin_model_load(const snw_load_call *call, const char mark[8], snw_model **model) {
	return snk_load_model(call, mark, REVISION, sizeof(snk_skin_model), read_skin, model);
}
