/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * File formats as rows of a table, one for what is read (import/import.h) and one for what is written (export/export.h). Whoever
 * lists formats or their extensions, or asks what a path may hold, reads them from there.
 */
#ifndef SINEW_HOST_FILE_FILE_FORMAT_H
#define SINEW_HOST_FILE_FILE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* What a file can hold, of what is read from it or written to it. */
typedef enum snw_file_contents {
	SNW_FILE_MESH = 1 << 0,      /* points with faces */
	SNW_FILE_SKIN = 1 << 1,      /* joints that move them */
	SNW_FILE_ANIMATION = 1 << 2, /* clips of the joints */
	SNW_FILE_POSE = 1 << 3,      /* a mesh as one pose makes it */
	SNW_FILE_FRAMES = 1 << 4,    /* the points of a mesh at each frame of a clip or sequence */
} snw_file_contents;

typedef struct snw_file_format {
	const char *extensions; /* "glb", "fbx|dae"; the first is what a new file gets */
	const char *label;      /* "glTF for engines" */
	uint32_t holds;         /* of snw_file_contents */
	bool is_numbered;       /* one file a frame: a path with a star for the number in its name */
} snw_file_format;

/* A table: the row at an index, NULL beyond the last. */
typedef const snw_file_format *snw_file_formats(uint32_t index);

/* Whether a path's extension is one of `extensions` ("glb|gltf"), in any case of its letters. */
bool snw_path_has_extension(const char *path, const char *extensions);
/* The row that a path names by its extension, and where rows are numbered by a star in its name; NULL for none. */
const snw_file_format *snw_file_format_of(snw_file_formats *formats, const char *path);
/* The extensions of all rows that hold any of `holds`, each once: "glb|gltf|obj". */
const char *snw_file_extensions(snw_file_formats *formats, uint32_t holds, snw_arena *arena);
/* The same for people: ".glb, .gltf or numbered 'frame*.obj'". */
const char *snw_file_formats_text(snw_file_formats *formats, uint32_t holds, snw_arena *arena);

#endif
