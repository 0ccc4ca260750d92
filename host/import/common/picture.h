/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Textures, in separate files or as bytes inside another file. They stay encoded and are recognised by their first bytes.
 */
#ifndef SINEW_HOST_IMPORT_COMMON_PICTURE_H
#define SINEW_HOST_IMPORT_COMMON_PICTURE_H

#include "base/error.h"
#include "file/file.h"
#include "scene/scene.h"

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
