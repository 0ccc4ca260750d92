/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plug-in file before its code runs here.
 */
#ifndef SINEW_HOST_PLUGIN_LOAD_FILE_H
#define SINEW_HOST_PLUGIN_LOAD_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* Why the file cannot be loaded, in `arena`; NULL if it begins as an ELF file, which the loader then looks at. */
const char *snw_plugin_file_fault(const char *path, snw_arena *arena);

/* Copies of plug-ins' files, for a program that loads new versions of them while it runs. The loader gives a file that it knows
 * by name as it was, and a file that is written in place changes under the code that runs. So each version is loaded from a
 * copy of its own, beside the file: libraries that it looks for there, and files that it finds by dladdr, are found. */

/* A new copy of a file, beside it; NULL where none can be written. Sweeps its folder first. */
char *snw_loaded_copy_make(const char *path, snw_arena *arena);

/* The file that this process, or the one that it was forked from, has made a copy of; `path` itself if it is no copy. */
const char *snw_loaded_copy_original(const char *path);
/* Does nothing for a file that is no copy. */
void snw_loaded_copy_remove(const char *copy);

/* Loading a plug-in runs its code. A child process tries that first, under a time limit, so that a file that crashes, exits or
 * hangs while it is loaded is refused with a reason and ends nothing. */

/* Loads a file, asks it for its deformers and unloads it. */
typedef void snw_plugin_loader(const char *path, void *context);

/* Loads it in a child, for which `load` may write what it finds into `context`. Why the file is not to be loaded here, in
 * `arena`; NULL where that did no harm, or where no child could be started. */
const char *snw_plugin_trial(const char *path, snw_plugin_loader *load, void *context, snw_arena *arena);

/* ---- search path --------------------------------------------------------------------------------------------------------- */

/* The search path of plug-ins: the files that the registry tries, in order. */

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
