/* SPDX-License-Identifier: MIT */
#include "sinew/kit/skin_model.h"

#include "sinew/kit/saved.h"
#include "sinew/kit/status.h"

enum { REVISION = 1 };

/* Hands out a model whose skin was read into its pool, or frees what was read of it. */
static snw_status finish(snw_pool pool, snk_skin_model *made, snw_status status, snw_model **model) {
	if (snk_failed(status)) {
		snw_pool_release(&pool);
		return status;
	}
	made->pool = pool;
	*model = snk_skin_model_as_model(made);
	return SNW_OK;
}

snw_status SNW_CALL snk_skin_model_copy(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_pool pool = snw_pool_open(instance->host);
	snk_skin_model *made = SNW_POOL_ARRAY(&pool, snk_skin_model, 1);
	const snw_status status = made ? snk_base_skin_copy(input->character, &pool, &made->skin) : SNW_ERROR_MEMORY;
	return finish(pool, made, status, model);
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

static snw_status read_skin(const void *bytes, size_t count, const char mark[8], const snw_character_view *character,
							snw_pool *pool, snk_base_skin *skin) {
	snw_reader reader = snw_read_sealed(bytes, count);
	snw_status status = snk_read_mark(&reader, mark, REVISION);
	if (snk_failed(status)) {
		return status;
	}
	status = snk_base_skin_read(&reader, character, pool, skin);
	return !snk_failed(status) && reader.count != 0 ? SNW_ERROR_DATA : status;
}

snw_status snk_skin_model_load(const snw_load_call *call, const char mark[8], snw_model **model) {
	snw_pool pool = snw_pool_open(call->host);
	snk_skin_model *made = SNW_POOL_ARRAY(&pool, snk_skin_model, 1);
	const snw_status status =
		made ? read_skin(call->bytes, call->count, mark, call->character, &pool, &made->skin) : SNW_ERROR_MEMORY;
	return finish(pool, made, status, model);
}
