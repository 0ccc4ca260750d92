/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plug-in file before its code runs here.
 */
#ifndef SINEW_HOST_PLUGIN_LOAD_FILE_H
#define SINEW_HOST_PLUGIN_LOAD_FILE_H

#include "base/arena.h"

/* Checks that a shared object is complete. The loader maps the ranges in the headers without checking the length of the file,
 * and access beyond its end kills the process. So a truncated file must not reach the loader. */

/* Why the file cannot be loaded, in `arena`; NULL if it is an ELF file that contains its header, program headers, loaded
 * segments and section headers. The loader itself refuses classes other than ELF64. */
const char *snw_elf_fault(const char *path, snw_arena *arena);

/* A new copy of a file; NULL where none can be written. */
char *snw_loaded_copy_make(const char *path, snw_arena *arena);
/* The file that this process, or the one that it was forked from, has made a copy of; `path` itself if it is no copy. */
const char *snw_loaded_copy_original(const char *path);
/* Removes a copy and its folder; does nothing for another file. */
void snw_loaded_copy_remove(const char *copy);
/* Removes the copies of processes that have ended without doing so. */
void snw_loaded_copies_clean(void);

/* Loads a file, asks it for its deformers and unloads it. */
typedef void snw_plugin_loader(const char *path, void *context);

/* Why the file is not to be loaded, in `arena`; NULL where loading it did no harm, or where no child could be started. With a
 * `context`, for which a child writes what it finds, a file that did no harm before is loaded in a child again. */
const char *snw_plugin_trial(const char *path, snw_plugin_loader *load, void *context, snw_arena *arena);

#endif
