/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of file formats: one for import (import/import.h) and one for export (export/export.h). All lists of formats and
 * extensions come from them.
 */
#ifndef SINEW_HOST_FILE_FILE_FORMAT_H
#define SINEW_HOST_FILE_FILE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

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
