/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files whole: read under a limit, written atomically.
 */
#ifndef SINEW_HOST_BASE_FILE_H
#define SINEW_HOST_BASE_FILE_H

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

bool snw_file_exists(const char *path);
const char *snw_path_name(const char *path);      /* behind the last slash */
const char *snw_path_extension(const char *path); /* behind the last dot of the name, or "" */
char *snw_path_join(snw_arena *arena, const char *folder, const char *name);
/* Absolute, without links and dots where it is there; a relative path begins at `folder`, NULL for the current one. */
char *snw_path_absolute(snw_arena *arena, const char *folder, const char *path);
/* The folder that holds `path`, absolute. */
char *snw_path_folder(snw_arena *arena, const char *path);
/* An absolute path as seen from a folder, which is absolute too: relative where it is inside. */
const char *snw_path_inside(const char *folder, const char *path);
/* SNW_ERROR_MISSING or SNW_ERROR_IO where `path` is no regular file that can be read. */
snw_status snw_file_check_readable(const char *path, snw_error *error);
/* The files that 'folder/*.obj' names (one star, in the name), in the natural order of the numbers in them: 2 before 10. */
snw_status snw_path_sequence(const char *pattern, snw_arena *arena, char ***paths, size_t *count, snw_error *error);

#endif
