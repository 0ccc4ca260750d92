/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where plug-ins are looked for: the files that the registry tries, in its order.
 */
#ifndef SINEW_HOST_PLUGIN_SEARCH_PATH_H
#define SINEW_HOST_PLUGIN_SEARCH_PATH_H

#include <stddef.h>

#include "base/arena.h"

/* Every `*.so` on the search path, in folders of it or one level down; folders in order, names in natural order. An entry of
 * $SINEW_PLUGIN_PATH may also be a file. */
char **snw_plugin_search(snw_arena *arena, size_t *count);

#endif
