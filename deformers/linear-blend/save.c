/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model as bytes: the influences, under a mark of this method's own.
 */
#include "linear-blend/linear-blend.h"

static const char mark[8] = "SNWLINB";

snw_status save(const snw_model *model, const snw_sink *sink) {
	return snw_base_skin_save(&model->skin, mark, sink);
}

snw_status load(const snw_host *host, const snw_character_view *character, const void *bytes, size_t count, snw_model **model) {
	snw_pool pool = snw_pool_open(host);
	snw_model *made = SNW_POOL_ARRAY(&pool, snw_model, 1);
	const snw_status status = made ? snw_base_skin_load(bytes, count, mark, character, &pool, &made->skin) : SNW_ERROR_MEMORY;
	if (status != SNW_OK) {
		snw_pool_release(&pool);
		return status;
	}
	made->pool = pool;
	*model = made;
	return SNW_OK;
}
