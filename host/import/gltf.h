/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * glTF 2.0, .glb and .gltf, through a reader of our own: meshes, skins, nodes, animations, materials, images, morph targets.
 */
#ifndef SINEW_HOST_IMPORT_GLTF_H
#define SINEW_HOST_IMPORT_GLTF_H

#include "import/import.h"

/* True where the file's first bytes, or else its extension, say glTF. */
bool snw_import_is_gltf(const char *path, const unsigned char *head, size_t head_count);

/* Fills a fresh scene. SNW_ERROR_DATA for what breaks the format, SNW_ERROR_UNSUPPORTED for a required extension, by name,
 * SNW_ERROR_LIMIT for a file that would take much more memory than its size can justify, SNW_CANCELLED. */
snw_status snw_import_gltf(const char *path, const snw_import_request *request, const snw_task *task, snw_scene *scene,
						   snw_error *error);

#endif
