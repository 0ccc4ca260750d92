/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Copies a plug-in's tables into the host's layout, whatever sizes the plug-in was compiled with. Members beyond a struct's
 * `size` are zero in the copy, so other code need not check the size.
 */
#ifndef SINEW_HOST_PLUGIN_COPY_TABLES_H
#define SINEW_HOST_PLUGIN_COPY_TABLES_H

#include "base/arena.h"
#include "sinew/sinew.h"

/* The copy has the plug-in's sizes, which snw_deformer_fault checks. NULL if the descriptor is missing or a size is impossible;
 * *reason then says which. Strings and functions belong to the plug-in. */
const snw_deformer *snw_deformer_adopt(const snw_deformer *foreign, snw_arena *arena, const char **reason);

/* The plug-in's table of which `adopted` is the copy. Its functions get it as `self`. */
const snw_deformer *snw_deformer_original(const snw_deformer *adopted);

/* A copy of an entry; NULL if its size is impossible. */
const snw_entry *snw_entry_adopt(const snw_entry *foreign, snw_arena *arena);

#endif
