/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model as bytes: a mark, the rows, a seal. The root is the character's.
 */
#include "multi-weight/multi-weight.h"
#include "sinew/kit/bytes/saved.h"
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

static snw_status read_model(snw_reader *reader, const snw_character_view *character, snw_model *model) {
	const snw_status status = open_model(character, model);
	return snk_failed(status)
			   ? status
			   : snk_row_skin_read(reader, character, COMPONENTS * model->slot_count, &model->pool, &model->skin);
}

snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(call, mark, REVISION, sizeof(snw_model), read_model, model);
}
