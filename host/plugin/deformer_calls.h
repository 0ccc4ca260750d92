/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls into a deformer. They pass `self`, and have defaults for the functions that a deformer may omit.
 */
#ifndef SINEW_HOST_PLUGIN_DEFORMER_CALLS_H
#define SINEW_HOST_PLUGIN_DEFORMER_CALLS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "sinew/sinew.h"

enum { SNW_MOST_PASSES = 10000 }; /* of a black box: no limit of a single call ends more of them */

/* For calls that may not end with a caveat (all but fit): a caveat becomes SNW_ERROR_INTERNAL. */
static inline snw_status snw_deny_caveat(snw_status status) {
	return status == SNW_OK || snw_failed(status) ? status : SNW_ERROR_INTERNAL;
}

/* The numbers that a model drives and its scratch memory; all 0 if the deformer has no `layout`. */
snw_model_layout snw_deformer_layout(const snw_deformer *deformer, const snw_model *model);

snw_status snw_deformer_create(const snw_deformer *deformer, const snw_host *host, snw_instance **instance);
/* SNW_ERROR_UNSUPPORTED if the deformer has no `save`, which is optional for one that binds. */
snw_status snw_deformer_save(const snw_deformer *deformer, const snw_model *model, const snw_sink *sink);
snw_status snw_deformer_load(const snw_deformer *deformer, const snw_host *host, const snw_character_view *character,
							 const void *bytes, size_t count, snw_model **model);

/* For a deformer that has `reskin`. */
snw_status snw_deformer_reskin(const snw_deformer *deformer, const snw_host *host, const snw_character_view *character,
							   const snw_rows_view *const *rows, snw_model **model);

/* SNW_ERROR_UNSUPPORTED if the deformer has no `transfer`. */
snw_status snw_deformer_transfer(const snw_deformer *deformer, const snw_transfer_call *call, snw_model **model);

/* SNW_ERROR_UNSUPPORTED, with a reason, if the deformer has no `lower`, or lowers to what this host does not know. *reason is
 * NULL if the plug-in gives none. Members that the plug-in does not know are zero. */
snw_status snw_deformer_lower(const snw_deformer *deformer, const snw_host *host, const snw_model *model,
							  const snw_value *values, uint32_t mesh, snw_program_part *part, const char **reason);

/* The deformer's table of an extension; NULL if it has none with this id. */
const void *snw_deformer_extension(const snw_deformer *deformer, const char *id);

/* Copies a part's displacements into this host's layout; none for NULL. Those that move all points in order get the list of
 * these, in `arena`. The problem, or NULL for none. */
const char *snw_displacements_adopt(const snw_displacements *foreign, uint32_t point_count, snw_arena *arena,
									snw_displacements *known);

/* Copies a plug-in's tables into the host's layout, whatever sizes the plug-in was compiled with. Members beyond a struct's
 * `size` are zero in the copy, so other code need not check the size. */

/* The copy has the plug-in's sizes, which snw_deformer_fault checks. NULL if the descriptor is missing or a size is impossible;
 * *reason then says which. Strings and functions belong to the plug-in. */
const snw_deformer *snw_deformer_adopt(const snw_deformer *foreign, snw_arena *arena, const char **reason);

/* The plug-in's table of which `adopted` is the copy. Its functions get it as `self`. */
const snw_deformer *snw_deformer_original(const snw_deformer *adopted);

/* A copy of an entry; NULL if its size is impossible. */
const snw_entry *snw_entry_adopt(const snw_entry *foreign, snw_arena *arena);

#endif
