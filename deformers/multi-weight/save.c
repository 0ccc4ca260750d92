/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model as bytes: a mark, the rows, a seal. The root is the character's.
 */
#include "multi-weight/multi-weight.h"
#include "sinew/kit/saved.h"
#include "sinew/kit/status.h"

static const char mark[SNK_MARK_BYTES] = {'S', 'N', 'W', 'M', 'U', 'L', 'T', 'I'};
enum { REVISION = 1 };

snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	snw_writer writer = {.sink = sink};
	snk_write_mark(&writer, mark, REVISION);
	snk_row_skin_write(&model->skin, &writer);
	snw_write_seal(&writer);
	return writer.status;
}

static snw_status read_model(const snw_load_call *call, snw_pool *pool, snw_model *model) {
	snw_reader reader = snw_read_sealed(call->bytes, call->count);
	snw_status status = snk_read_mark(&reader, mark, REVISION);
	status = snk_failed(status) ? status : open_model(call->character, model);
	if (!snk_failed(status)) {
		status = snk_row_skin_read(&reader, call->character, COMPONENTS * model->slot_count, pool, &model->skin);
	}
	return !snk_failed(status) && reader.count != 0 ? SNW_ERROR_DATA : status;
}

snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	snw_pool pool = snw_pool_open(call->host);
	snw_model *made = SNW_POOL_ARRAY(&pool, snw_model, 1);
	const snw_status status = made ? read_model(call, &pool, made) : SNW_ERROR_MEMORY;
	if (snk_failed(status)) {
		snw_pool_release(&pool);
		return status;
	}
	made->pool = pool;
	*model = made;
	return SNW_OK;
}
