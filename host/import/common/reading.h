/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file that is being read: where it is, where its data go, and how much memory it may take. A reader's document begins with
 * one.
 *
 * Functions that can fail return false and set the status and the error; their callers return at once.
 */
#ifndef SINEW_HOST_IMPORT_COMMON_READING_H
#define SINEW_HOST_IMPORT_COMMON_READING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "file/file.h"
#include "scene/scene.h"
#include "task/task.h"

typedef struct snw_reading {
	const char *path;
	snw_arena *scratch; /* until the document is closed */
	snw_arena *arena;   /* the scene's */
	const snw_task *task;
	snw_error *error;
	snw_status status;
	uint64_t file_bytes; /* of the file and those that belong to it */
	uint64_t budget;     /* bytes that may still be allocated; see snw_reading_reserve */
} snw_reading;

/* Begins a document with no bytes; each file that belongs to it adds its own. */
snw_reading snw_reading_begin(const char *path, const snw_task *task, snw_scene *scene, snw_error *error);
void snw_reading_end(snw_reading *reading);
/* Counts the bytes of a file that belongs to the document, which add to its budget. */
void snw_reading_add_file(snw_reading *reading, uint64_t bytes);

/* Sets the status and the error "path: …"; returns false. */
bool snw_reading_fail(snw_reading *reading, snw_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Reports progress; false after a cancellation. */
bool snw_reading_progress(snw_reading *reading, double fraction, const char *activity);
/* Takes memory from the budget before an allocation whose size comes from the file. False if too little is left. */
bool snw_reading_reserve(snw_reading *reading, uint64_t count, uint64_t element_bytes);
/* False if a scene may not have so many joints or meshes (scene/check.h); asked before their data are read. */
bool snw_reading_check_size(snw_reading *reading, uint32_t joint_count, uint32_t mesh_count);

/* ---- text lines ---------------------------------------------------------------------------------------------------------- */

/* Reads text files of lines with words and numbers (.obj, .mtl, .bvh). The result does not depend on the locale. Any line
 * end is accepted, a backslash continues a line, and lines are counted for error messages. A byte order mark is left out. */

typedef struct snw_text_lines {
	const char *at;
	const char *end; /* a zero byte follows */
	uint32_t line;   /* of `at`, from 1 */
} snw_text_lines;

snw_text_lines snw_text_start(snw_bytes bytes);

/* Skips blanks. True at the end of the line, or at a comment. */
bool snw_text_line_done(snw_text_lines *text);
/* Moves to the start of the next line. */
void snw_text_next_line(snw_text_lines *text);

/* The next word of the line, inside the text and not terminated. False at the end of the line. */
bool snw_text_word(snw_text_lines *text, const char **word, size_t *length);
/* The rest of the line without surrounding blanks, for names with spaces; "" if nothing follows. */
char *snw_text_rest(snw_text_lines *text, snw_arena *arena);
/* The next word as a number. False, without reading it, if it is not a finite number. */
bool snw_text_number(snw_text_lines *text, double *number);

/* ---- picture ------------------------------------------------------------------------------------------------------------- */

/* Textures, in separate files or as bytes inside another file. They stay encoded and are recognised by their first bytes. */

/* "image/png" or "image/jpeg", by the content; NULL for other formats. */
const char *snw_picture_media(const unsigned char *bytes, size_t count);

/* Reads a picture into `arena`, named after its file. Fails for files that are neither PNG nor JPEG. */
snw_status snw_picture_read(const char *path, snw_arena *arena, snw_image *image, snw_error *error);

/* Files that an imported file refers to are read only from its folder or below. Otherwise an untrusted file could copy any
 * of the user's pictures into a project that is then passed on. */

/* SNW_OK if `file` exists and is below `folder` once links are followed; otherwise SNW_ERROR_MISSING or SNW_ERROR_DATA. */
snw_status snw_below_folder(const char *folder, const char *file, snw_error *error);

/* The picture that an imported file names: at its path if that is below the file's folder. Otherwise the path is that of
 * another machine, and the picture is looked for beside the file. */
snw_status snw_picture_find(const char *imported_file, const char *path, snw_arena *arena, snw_image *image, snw_error *error);

/* Base64 in pieces, up to its padding: `dest` has room for three bytes for each four characters. False for a character that is
 * not base64. Blanks are skipped. */
typedef struct snw_base64 {
	unsigned char *dest;
	size_t count;
	uint32_t bits, bit_count; /* begun */
	bool is_done;
} snw_base64;
bool snw_base64_decode(snw_base64 *state, const char *text, size_t length);

#endif
