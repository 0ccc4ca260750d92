/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where plug-ins are looked for: the files that the registry tries, in its order.
 */
#ifndef SINEW_HOST_PLUGIN_SEARCH_PATH_H
#define SINEW_HOST_PLUGIN_SEARCH_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

typedef struct snw_plugin_path {
	char *path;
	const char *reason; /* why it is not to be loaded; NULL where it is */
	bool is_shipped;
} snw_plugin_path;

/* Every `*.so` on the search path, in folders of it or one level down; folders in order, names in natural order. The shipped ones
 * come first: no other file can take their ids. An entry of $SINEW_PLUGIN_PATH may also be a file. A relative entry, which would
 * depend on where one stands, and what everybody may write come with a reason against them. */
snw_plugin_path *snw_plugin_search(snw_arena *arena, size_t *count);

#endif
