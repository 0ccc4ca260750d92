/* SPDX-License-Identifier: MIT
 *
 * What every plug-in would otherwise write: an instance that keeps its host and nothing else, and the one exported symbol.
 *
 *     static const snw_descriptor descriptor = {...};
 *     SNW_DEFORMER(.fit = fit, .lower = lower, .release = snk_model_release)
 *
 * For plug-in authors: header only, optional, not part of the binary interface. A plug-in that keeps more in its instance, has
 * several deformers, or wants open and close, writes its own.
 */
#ifndef SINEW_PLUGIN_H
#define SINEW_PLUGIN_H

#include "sinew/pool.h"
#include "sinew/put.h"
#include "sinew/sinew.h"

struct snw_instance {
	snw_pool pool; /* holds the instance itself */
	const snw_host *host;
};

static inline snw_status SNW_CALL snw_instance_create(const snw_deformer *self, const snw_host *host, snw_instance **instance) {
	(void)self;
	snw_pool pool = snw_pool_open(host);
	snw_instance *made = SNW_POOL_ARRAY(&pool, snw_instance, 1);
	if (!made) {
		return SNW_ERROR_MEMORY;
	}
	made->pool = pool;
	made->host = host;
	*instance = made;
	return SNW_OK;
}

static inline void SNW_CALL snw_instance_destroy(snw_instance *instance) {
	if (instance) {
		snw_pool_release(&instance->pool);
	}
}

#ifdef __cplusplus
#define SNW_PLUGIN_LINKAGE extern "C"
#else
#define SNW_PLUGIN_LINKAGE extern
#endif

/* The symbol of a shared object with this one deformer, a constant of this file. */
#define SNW_PLUGIN(the_deformer)                                                                                               \
	static const snw_deformer *SNW_CALL snw_plugin_deformer(uint32_t index) {                                                  \
		return index == 0 ? &(the_deformer) : NULL;                                                                            \
	}                                                                                                                          \
	SNW_PLUGIN_LINKAGE SNW_EXPORT const snw_entry SNW_ENTRY_SYMBOL;                                                            \
	const snw_entry SNW_ENTRY_SYMBOL = {sizeof(snw_entry), SNW_ABI_MAJOR, SNW_ABI_MINOR, 1, snw_plugin_deformer, NULL, NULL};

/* The same with its table: what the file's `descriptor` describes, with the instance above and the functions given. */
#define SNW_DEFORMER(...)                                                                                                      \
	static const snw_deformer deformer = {.size = sizeof deformer,                                                             \
										  .descriptor = &descriptor,                                                           \
										  .create = snw_instance_create,                                                       \
										  .destroy = snw_instance_destroy,                                                     \
										  __VA_ARGS__};                                                                        \
	SNW_PLUGIN(deformer)

#endif
