/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls into a deformer: the functions that it leaves out have defaults, and each call gets its `self`.
 */
#ifndef SINEW_HOST_PLUGIN_DEFORMER_CALLS_H
#define SINEW_HOST_PLUGIN_DEFORMER_CALLS_H

#include <stdbool.h>

#include "base/error.h"
#include "sinew/sinew.h"

/* For calls that may not end with a caveat (all but fit): a caveat becomes SNW_ERROR_INTERNAL. */
static inline snw_status snw_deny_caveat(snw_status status) {
	return status == SNW_OK || snw_failed(status) ? status : SNW_ERROR_INTERNAL;
}

/* How much a model drives and the memory that it works in; nothing where the deformer leaves the function out. */
snw_model_layout snw_deformer_layout(const snw_deformer *deformer, const snw_model *model);

snw_status snw_deformer_create(const snw_deformer *deformer, const snw_host *host, snw_instance **instance);
/* SNW_ERROR_UNSUPPORTED where a deformer that binds does not save. */
snw_status snw_deformer_save(const snw_deformer *deformer, const snw_model *model, const snw_sink *sink);
snw_status snw_deformer_load(const snw_deformer *deformer, const snw_host *host, const snw_character_view *character,
							 const void *bytes, size_t count, snw_model **model);

/* SNW_ERROR_UNSUPPORTED, with a reason, where the deformer has no `lower`. *reason is NULL where the plug-in gives none. Members
 * that the plug-in does not know are zero. */
snw_status snw_deformer_lower(const snw_deformer *deformer, const snw_model *model, const snw_value *values, uint32_t mesh,
							  snw_program_part *part, const char **reason);

/* The deformer's table of an extension; NULL where it has none by this id. */
const void *snw_deformer_extension(const snw_deformer *deformer, const char *id);

/* A part's displacements as this host knows them; none for NULL. False where they have no size. */
bool snw_displacements_adopt(const snw_displacements *foreign, snw_displacements *known);

#endif
