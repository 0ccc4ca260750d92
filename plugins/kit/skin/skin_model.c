/* SPDX-License-Identifier: MIT */
#include "sinew/kit/skin/skin_model.h"

#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/fit/model.h"

enum { REVISION = 1 };

snw_status SNW_CALL snk_skin_model_copy(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snk_skin_model *made = (snk_skin_model *)snk_model_open(instance->host, sizeof *made);
	const snw_status status = made ? snk_base_skin_copy(input->character, &made->pool, &made->skin) : SNW_ERROR_MEMORY;
	return snk_model_finish(status, snk_skin_model_as_model(made), model);
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
