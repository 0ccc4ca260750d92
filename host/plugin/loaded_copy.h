/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Copies of plug-ins' files, for a program that loads new versions of them while it runs. The loader gives a file that it knows
 * by name as it was, and a file that is written in place changes under the code that runs. So each version is loaded from a
 * copy of its own, in $XDG_CACHE_HOME/sinew/loaded (or ~/.cache/sinew/loaded). Each copy has a folder of its own with links to
 * what is beside the original, and in the folders above it that the file names after $ORIGIN: so libraries that it looks for
 * there, and files that it finds by dladdr, are found.
 */
#ifndef SINEW_HOST_PLUGIN_LOADED_COPY_H
#define SINEW_HOST_PLUGIN_LOADED_COPY_H

#include "base/arena.h"

/* $XDG_CACHE_HOME/sinew or ~/.cache/sinew, which is made; NULL where neither is an absolute path. */
char *snw_plugin_cache_folder(snw_arena *arena);

/* A new copy of a file; NULL where none can be written. */
char *snw_loaded_copy_make(const char *path, snw_arena *arena);
/* The file that this process, or the one that it was forked from, has made a copy of; `path` itself if it is no copy. */
const char *snw_loaded_copy_original(const char *path);
/* Removes a copy and its folder; does nothing for another file. */
void snw_loaded_copy_remove(const char *copy);
/* Removes the copies of processes that have ended without doing so. */
void snw_loaded_copies_clean(void);

#endif
