/* SPDX-License-Identifier: MIT
 *
 * Models that begin with their snw_pool: the pool holds the model itself and its arrays.
 *
 *     snw_model *made = snk_model_open(instance->host, sizeof *made);
 *     return snk_model_finish(made ? run(input, made) : SNW_ERROR_MEMORY, made, model);
 */
#ifndef SINEW_KIT_FIT_MODEL_H
#define SINEW_KIT_FIT_MODEL_H

#include <stddef.h>

#include "sinew/plugin.h"
#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `bytes` zeroed bytes in a new pool, which is their beginning. NULL: there is no memory. */
snw_model *snk_model_open(const snw_host *host, size_t bytes);

/* The end of a `fit` or `load`: gives the model, or releases it if there is no result. `made` may be NULL then. Returns
 * `status`. */
snw_status snk_model_finish(snw_status status, snw_model *made, snw_model **model);

/* A deformer's `release`. NULL is allowed. */
void SNW_CALL snk_model_release(snw_model *model);

#ifdef __cplusplus
}
#endif

#endif
