/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Taking over a plug-in's tables: copies in the host's own layout, whatever sizes the plug-in was compiled with. Members past
 * a struct's own `size` are zero in the copy, so that nothing else needs to ask.
 */
#ifndef SINEW_HOST_PLUGIN_COPY_TABLES_H
#define SINEW_HOST_PLUGIN_COPY_TABLES_H

#include "base/arena.h"
#include "sinew/sinew.h"

/* The copy keeps the sizes that the plug-in gave: snw_deformer_fault wants to see them. NULL where the descriptor is missing
 * or a size makes no sense; *reason then says which. Strings and functions stay the plug-in's. */
const snw_deformer *snw_deformer_adopt(const snw_deformer *foreign, snw_arena *arena, const char **reason);

/* The plug-in's table of which `adopted` is the copy: what its functions get as `self`. */
const snw_deformer *snw_deformer_original(const snw_deformer *adopted);

/* A copy of an entry, or NULL where its size makes no sense. */
const snw_entry *snw_entry_adopt(const snw_entry *foreign, snw_arena *arena);

#endif
