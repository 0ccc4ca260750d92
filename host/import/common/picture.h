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

#endif
