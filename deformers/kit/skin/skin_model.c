/* SPDX-License-Identifier: MIT */
#include "sinew/kit/skin_model.h"

#include "sinew/kit/saved.h"

enum { REVISION = 1 };

/* Keeps a model whose skin was read into its own pool, or nothing of it. */
static snw_status keep(snw_pool pool, snw_model *made, snw_status status, snw_model **model) {
	if (status != SNW_OK) {
		snw_pool_release(&pool);
		return status;
	}
	made->pool = pool;
	*model = made;
	return SNW_OK;
}

snw_status snk_skin_model_copy(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_pool pool = snw_pool_open(instance->host);
	snw_model *made = SNW_POOL_ARRAY(&pool, snw_model, 1);
	const snw_status status = made ? snk_base_skin_copy(input->character, &pool, &made->skin) : SNW_ERROR_MEMORY;
	return keep(pool, made, status, model);
}

void snk_skin_model_release(snw_model *model) {
	if (model) {
		snw_pool_release(&model->pool);
	}
}

snw_status snk_skin_model_lower(const snw_model *model, uint32_t mesh, snw_blend blend, snw_program_part *part) {
	if (mesh >= model->skin.mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	snk_base_skin_lower(&model->skin, mesh, blend, part);
	return SNW_OK;
}

snw_status snk_skin_model_save(const snw_model *model, const char mark[8], const snw_sink *sink) {
	snw_writer writer = {.sink = sink};
	snk_write_mark(&writer, mark, REVISION);
	snk_base_skin_write(&model->skin, &writer);
	snw_write_seal(&writer);
	return writer.status;
}

static snw_status read_skin(const void *bytes, size_t count, const char mark[8], const snw_character_view *character,
							snw_pool *pool, snk_base_skin *skin) {
	snw_reader reader = snw_read_sealed(bytes, count);
	snw_status status = snk_read_mark(&reader, mark, REVISION);
	if (status < 0) {
		return status;
	}
	status = snk_base_skin_read(&reader, character, pool, skin);
	return status == SNW_OK && reader.count != 0 ? SNW_ERROR_DATA : status;
}

snw_status snk_skin_model_load(const snw_host *host, const snw_character_view *character, const void *bytes, size_t count,
							   const char mark[8], snw_model **model) {
	snw_pool pool = snw_pool_open(host);
	snw_model *made = SNW_POOL_ARRAY(&pool, snw_model, 1);
	const snw_status status = made ? read_skin(bytes, count, mark, character, &pool, &made->skin) : SNW_ERROR_MEMORY;
	return keep(pool, made, status, model);
}
