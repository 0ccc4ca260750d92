/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads whole files up to a limit, writes files atomically, and works with paths.
 */
#ifndef SINEW_HOST_FILE_FILE_H
#define SINEW_HOST_FILE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"

#define SNW_FILE_LIMIT ((size_t)4 << 30) /* the largest file that is read whole */

typedef struct snw_bytes {
	const unsigned char *data; /* followed by a zero byte that is not counted */
	size_t count;
} snw_bytes;

/* The line that Git LFS leaves in place of a file's contents until they are fetched. */
bool snw_is_lfs_pointer(const unsigned char *head, size_t count);
snw_status snw_fail_lfs_pointer(const char *path, snw_error *error);

/* A Git LFS pointer is an error. */
snw_status snw_file_read(const char *path, snw_arena *arena, snw_bytes *bytes, snw_error *error);
/* SNW_ERROR_LIMIT, and nothing is read, if the file has more bytes than `most`, whole MiB. */
snw_status snw_file_read_limited(const char *path, size_t most, snw_arena *arena, snw_bytes *bytes, snw_error *error);

/* Writes to a temporary file in the same folder. A commit flushes it to disk and renames it over the target, so that readers
 * see either the old file or the new one. After an abandon or a failed commit, the temporary file is removed. */
typedef struct snw_file_write snw_file_write;
snw_status snw_file_write_begin(const char *path, snw_file_write **file, snw_error *error);
FILE *snw_file_write_stream(snw_file_write *file);
const char *snw_file_write_path(const snw_file_write *file);              /* the temporary path, for libraries that need one */
snw_status snw_file_write_commit(snw_file_write *file, snw_error *error); /* frees `file` in any case */
void snw_file_write_abandon(snw_file_write *file);                        /* NULL does nothing */

/* Gives a file the permissions of other new files. */
void snw_file_permit(int descriptor);

/* The temporary name of `path` while it is written, a template for mkstemp or mkdtemp. */
char *snw_file_unfinished_name(const char *path, snw_arena *arena);
/* Removes temporary files and folders of `path` that killed programs left: those without a lock. */
void snw_file_sweep(const char *path);
/* Removes a folder and the files in it. */
void snw_file_remove_folder(const char *path);

/* Flushes a folder to disk, so that a new name in it survives a power failure. Best effort: some file systems cannot. */
void snw_file_sync_folder(const char *path); /* the folder of the file `path` */

bool snw_file_exists(const char *path);
const char *snw_path_name(const char *path);               /* after the last slash */
char *snw_path_folder(const char *path, snw_arena *arena); /* before the last slash; "." without one */
const char *snw_path_extension(const char *path);          /* after the last dot of the name, or "" */
char *snw_path_join(snw_arena *arena, const char *folder, const char *name);
/* An absolute path, without links and dots if it exists. Relative paths begin at `folder`; NULL for the current folder. */
char *snw_path_absolute(snw_arena *arena, const char *folder, const char *path);
/* An absolute path relative to an absolute folder if it is inside; otherwise unchanged. */
const char *snw_path_inside(const char *folder, const char *path);
/* SNW_ERROR_MISSING or SNW_ERROR_IO if `path` is not a readable regular file. */
snw_status snw_file_check_readable(const char *path, snw_error *error);
/* The files that match a pattern such as 'folder/*.obj' (one star, in the name), in natural order: 2 before 10. */
snw_status snw_path_sequence(const char *pattern, snw_arena *arena, char ***paths, size_t *count, snw_error *error);

/* Whether this program runs in the folder where it was built. If so, it uses the plug-ins and the worker of the build. */

/* The build folder, if the running program is in it; otherwise NULL. Other folders above the program are never searched,
 * because anybody who can write to them could make the program load code. */
const char *snw_build_tree(void);

/* The folder of the running program; NULL if it is unknown. */
char *snw_program_folder(snw_arena *arena);

/* The project file that this process has changed last. Whatever ends the process can name it: another thread, the end of
 * memory, a plug-in's crash. */

/* Records a change, but not of a copy that is not finished: it is removed if the process ends. NULL: nothing is changed any
 * more. */
void snw_changed_file_set(const char *path);

/* NULL for none. For any thread, and safe in a signal handler. Valid until the second change of another file. */
const char *snw_changed_file(void);

/* Natural order: names are compared by characters, and numbers in them by value, so that 2 is before 10. */

int snw_natural_compare(const char *a, const char *b);
int snw_natural_compare_ignoring_case(const char *a, const char *b);
void snw_natural_sort(char **names, size_t count);

/* ---- formats ------------------------------------------------------------------------------------------------------------- */

/* Tables of file formats: one for import (import/import.h) and one for export (export/export.h). All lists of formats and
 * extensions come from them. */

/* The contents of a file that are read or written. */
typedef enum snw_file_contents {
	SNW_FILE_MESH = 1 << 0,      /* points with faces */
	SNW_FILE_SKIN = 1 << 1,      /* joints that move the points */
	SNW_FILE_ANIMATION = 1 << 2, /* clips of the joints */
	SNW_FILE_POSE = 1 << 3,      /* a mesh in one pose */
	SNW_FILE_FRAMES = 1 << 4,    /* the points of a mesh at each frame of a clip or sequence */
} snw_file_contents;

typedef struct snw_file_format {
	const char *extensions; /* "glb", "fbx|dae"; new files have the first */
	const char *label;      /* "glTF for engines" */
	uint32_t holds;         /* of snw_file_contents */
	bool is_numbered;       /* one file for each frame: a path with a star for the number in the name */
} snw_file_format;

/* A table: the row at an index, NULL after the last. */
typedef const snw_file_format *snw_file_formats(uint32_t index);

/* Whether a path's extension is one of `extensions` ("glb|gltf"), ignoring case. */
bool snw_path_has_extension(const char *path, const char *extensions);
/* The row for a path's extension and, for numbered formats, the star in its name; NULL for none. */
const snw_file_format *snw_file_format_of(snw_file_formats *formats, const char *path);
/* The extensions of all rows with any of the contents `holds`, without repeats: "glb|gltf|obj". */
const char *snw_file_extensions(snw_file_formats *formats, uint32_t holds, snw_arena *arena);
/* The same for messages: ".glb, .gltf or numbered 'frame*.obj'". */
const char *snw_file_formats_text(snw_file_formats *formats, uint32_t holds, snw_arena *arena);

#endif
