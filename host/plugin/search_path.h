/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search path of plug-ins: the files that the registry tries, in order.
 */
#ifndef SINEW_HOST_PLUGIN_SEARCH_PATH_H
#define SINEW_HOST_PLUGIN_SEARCH_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct snw_plugin_path {
	char *path;
	const char *reason; /* why it must not be loaded; NULL if it may be */
	bool is_shipped;
} snw_plugin_path;

/* Every `*.so` in the folders of the search path and one level below, in the order of the path, names in natural order. The
 * shipped plug-ins come first, so no other file can take their ids. An entry of $SINEW_PLUGIN_PATH may be a file. Relative and
 * missing entries get a reason, and so do files and folders that everybody may write to and files in such a folder, also
 * through a link. */
snw_plugin_path *snw_plugin_search(snw_arena *arena, size_t *count);

/* Changes with a file: when it is written or replaced. 0 if there is none. */
uint64_t snw_plugin_file_stamp(const char *path);
enum { SNW_PLUGIN_SEARCH_EMPTY = 0 };
/* Changes whenever one of the files on the search path does that do not ship, or another one is there. SNW_PLUGIN_SEARCH_EMPTY:
 * there is none. */
uint64_t snw_plugin_search_stamp(void);

/* The folder of this user's plug-ins, in $XDG_DATA_HOME or $HOME; NULL where neither is an absolute path. */
char *snw_plugin_user_folder(snw_arena *arena);

#endif
