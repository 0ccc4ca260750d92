/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model as bytes: a mark, a revision, the learned influences, a seal.
 */
#include "linear-blend-fit/linear-blend-fit.h"

static const char mark[8] = "SNWLBFT";
enum { REVISION = 1 };

snw_status save(const snw_model *model, const snw_sink *sink) {
	snw_writer writer = {.sink = sink};
	snw_write(&writer, mark, sizeof mark);
	snw_write_u32(&writer, REVISION);
	snw_base_skin_write(&model->skin, &writer);
	snw_write_seal(&writer);
	return writer.status;
}

static snw_status read_model(snw_reader *reader, const snw_character_view *character, snw_pool *pool, snw_model *model) {
	char found[sizeof mark];
	snw_read(reader, found, sizeof found);
	const uint32_t revision = snw_read_u32(reader);
	if (reader->failed || memcmp(found, mark, sizeof mark) != 0 || revision != REVISION) {
		return SNW_ERROR_DATA;
	}
	const snw_status status = snw_base_skin_read(reader, character, pool, &model->skin);
	return status == SNW_OK && reader->count != 0 ? SNW_ERROR_DATA : status;
}

snw_status load(const snw_host *host, const snw_character_view *character, const void *bytes, size_t count, snw_model **model) {
	snw_reader reader = snw_read_sealed(bytes, count);
	snw_pool pool = snw_pool_open(host);
	snw_model *made = SNW_POOL_ARRAY(&pool, snw_model, 1);
	const snw_status status = made ? read_model(&reader, character, &pool, made) : SNW_ERROR_MEMORY;
	if (status != SNW_OK) {
		snw_pool_release(&pool);
		return status;
	}
	made->pool = pool;
	*model = made;
	return SNW_OK;
}
