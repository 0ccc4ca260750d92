/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FBX, Collada and whatever else Assimp reads. Assimp aborts or reads out of bounds on malformed files: call this in the worker
 * process, or in a debugger.
 *
 * Brought to metres and Y up. Assimp gives every corner a vertex of its own, so points of equal position, skin and displacement
 * are united again; point order is that of first appearance. Keys are linear: Assimp drops interpolation modes.
 */
#ifndef SINEW_HOST_IMPORT_ASSIMP_ASSIMP_H
#define SINEW_HOST_IMPORT_ASSIMP_ASSIMP_H

#include "import/import.h"

/* True where Assimp has a reader for the extension. */
bool snw_import_is_assimp(const char *path, const unsigned char *head, size_t head_count);

/* Fills a fresh scene. SNW_ERROR_DATA with Assimp's own words where it refuses the file; SNW_CANCELLED. */
snw_status snw_import_assimp(const char *path, const snw_import_request *request, const snw_task *task, snw_scene *scene,
							 snw_error *error);

#endif
