/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files whole: read under a limit, written atomically.
 */
#ifndef SINEW_HOST_FILE_FILE_H
#define SINEW_HOST_FILE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"

#define SNW_FILE_LIMIT ((size_t)4 << 30) /* the largest file that anything here reads whole */

typedef struct snw_bytes {
	const unsigned char *data; /* followed by one zero byte that does not count */
	size_t count;
} snw_bytes;

snw_status snw_file_read(const char *path, snw_arena *arena, snw_bytes *bytes, snw_error *error);

/* Writing under a temporary name in the same folder, then, on commit, flushed to disk and renamed over the target: readers
 * see the old file or the new one. The temporary file is gone after an abandon or a failed commit. */
typedef struct snw_file_write snw_file_write;
snw_status snw_file_write_begin(const char *path, snw_file_write **file, snw_error *error);
FILE *snw_file_write_stream(snw_file_write *file);
const char *snw_file_write_path(const snw_file_write *file); /* the temporary name, for libraries that want a path */
snw_status snw_file_write_commit(snw_file_write *file, snw_error *error); /* frees `file` in any case */
void snw_file_write_abandon(snw_file_write *file);                        /* NULL does nothing */

/* The name that `path` has while it is being written, for mkstemp or mkdtemp. */
char *snw_file_unfinished_name(const char *path, snw_arena *arena);
/* Removes what killed programs left of writing `path`: files and folders of such names that nobody holds a lock on. */
void snw_file_sweep(const char *path);
/* A folder with the files in it. */
void snw_file_remove_folder(const char *path);

/* Flushes a folder to disk, so that a name that was given in it outlives a power cut. Best effort: not every file system can. */
void snw_file_sync_folder(const char *path); /* of the file `path` */

bool snw_file_exists(const char *path);
const char *snw_path_name(const char *path);               /* behind the last slash */
char *snw_path_folder(const char *path, snw_arena *arena); /* before it; "." without one */
const char *snw_path_extension(const char *path);          /* behind the last dot of the name, or "" */
char *snw_path_join(snw_arena *arena, const char *folder, const char *name);
/* Absolute, without links and dots where it is there; a relative path begins at `folder`, NULL for the current one. */
char *snw_path_absolute(snw_arena *arena, const char *folder, const char *path);
/* An absolute path as seen from a folder, which is absolute too: relative where it is inside. */
const char *snw_path_inside(const char *folder, const char *path);
/* SNW_ERROR_MISSING or SNW_ERROR_IO where `path` is no regular file that can be read. */
snw_status snw_file_check_readable(const char *path, snw_error *error);
/* The files that 'folder/*.obj' names (one star, in the name), in the natural order of the numbers in them: 2 before 10. */
snw_status snw_path_sequence(const char *pattern, snw_arena *arena, char ***paths, size_t *count, snw_error *error);

#endif
