/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Binding: there is nothing to learn, the influences are copied.
 */
#include "dual-quaternion/dual-quaternion.h"

snw_status create(const snw_host *host, snw_instance **instance) {
	snw_pool pool = snw_pool_open(host);
	snw_instance *made = SNW_POOL_ARRAY(&pool, snw_instance, 1);
	if (!made) {
		return SNW_ERROR_MEMORY;
	}
	*made = (snw_instance){.pool = pool, .host = host};
	*instance = made;
	return SNW_OK;
}

void destroy(snw_instance *instance) {
	if (instance) {
		snw_pool_release(&instance->pool);
	}
}

snw_status fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_pool pool = snw_pool_open(instance->host);
	snw_model *made = SNW_POOL_ARRAY(&pool, snw_model, 1);
	const snw_status status = made ? snw_base_skin_copy(input->character, &pool, &made->skin) : SNW_ERROR_MEMORY;
	if (status != SNW_OK) {
		snw_pool_release(&pool);
		return status;
	}
	made->pool = pool;
	*model = made;
	return SNW_OK;
}

void release(snw_model *model) {
	if (model) {
		snw_pool_release(&model->pool);
	}
}
