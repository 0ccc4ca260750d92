/* SPDX-License-Identifier: MIT */
#include "sinew/kit/fit/model.h"

#include "sinew/kit/status.h"

snw_model *snk_model_open(const snw_host *host, size_t bytes) {
	snw_pool pool = snw_pool_open(host);
	snw_pool *made = (snw_pool *)snw_pool_acquire(&pool, 1, bytes);
	if (made) {
		*made = pool;
	}
	return (snw_model *)made;
}

snw_status snk_model_finish(snw_status status, snw_model *made, snw_model **model) {
	if (snk_failed(status)) {
		snk_model_release(made);
	} else {
		*model = made;
	}
	return status;
}

void SNW_CALL snk_model_release(snw_model *model) {
	if (model) {
		snw_pool_release((snw_pool *)model);
	}
}
