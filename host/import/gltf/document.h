/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A glTF document while it is read: its JSON, its bytes, and checked ways to both. Private to the reader.
 *
 * Functions that can fail return false and leave the status and the line in the document; who calls returns false at once.
 */
#ifndef SINEW_HOST_IMPORT_GLTF_DOCUMENT_H
#define SINEW_HOST_IMPORT_GLTF_DOCUMENT_H

#include <cjson/cJSON.h>

#include "base/task.h"
#include "file/file.h"
#include "scene/scene.h"

/* What may be allocated while reading, all together: a file's bytes grow at most so much on their way to a scene (a corner of a
 * triangle, two bytes of index, becomes forty bytes; each instance of a mesh is a mesh of its own). */
#define SNW_GLTF_AFFORDABLE ((uint64_t)64 << 20)
#define SNW_GLTF_GROWTH ((uint64_t)256)

/* One of the document's arrays of objects. */
typedef struct snw_gltf_list {
	const char *word; /* what one of them is called: "accessor" */
	uint32_t count;
	const cJSON **items;
} snw_gltf_list;

/* Where something was found, for errors: "accessor 3". */
typedef struct snw_gltf_place {
	const char *word;
	uint32_t index;
} snw_gltf_place;

typedef struct snw_gltf {
	const char *path;
	snw_arena *scratch; /* lives as long as the reading */
	snw_arena *arena;   /* the scene's */
	const snw_task *task;
	snw_error *error;
	snw_status status;
	uint64_t file_bytes; /* of the file and the buffers beside it */
	uint64_t affordable; /* bytes that may still be allocated: see snw_gltf_afford */
	cJSON *root;
	snw_bytes binary;   /* the .glb's own chunk */
	snw_bytes *buffers; /* [buffer_list.count] */
	snw_gltf_list buffer_list, views, accessors, nodes, meshes, skins, animations, materials, textures, images, scenes;
} snw_gltf;

/* Reads the file, its JSON, and its buffers. The caller closes in any case. */
bool snw_gltf_open(snw_gltf *g);
void snw_gltf_close(snw_gltf *g);

/* Keeps the status and "path: …"; returns false. */
bool snw_gltf_fail(snw_gltf *g, snw_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Tells how far the reading is; false where it was cancelled. */
bool snw_gltf_progress(snw_gltf *g, double fraction, const char *activity);

/* Before memory is allocated by a count of the file's: false where all together would be more than its size can justify. */
bool snw_gltf_afford(snw_gltf *g, uint64_t count, uint64_t element_bytes);

/* ---- bytes (gltf_uri.c) ------------------------------------------------------------------------------------------- */

/* What a URI of the document names: data in base64, or a file in the document's own folder or below. `what` is for the error. */
bool snw_gltf_resolve(snw_gltf *g, const char *uri, snw_gltf_place place, snw_bytes *bytes);
/* The bytes of a buffer view. */
bool snw_gltf_view_bytes(snw_gltf *g, uint32_t view, snw_bytes *bytes, uint32_t *stride);

/* ---- JSON (gltf_json.c) ------------------------------------------------------------------------------------------- */

/* An array of objects at `key`, or an empty list. */
bool snw_gltf_list_read(snw_gltf *g, const char *key, const char *word, snw_gltf_list *list);
/* A member, NULL where it is missing. */
const cJSON *snw_gltf_member(const cJSON *object, const char *key);
/* A member's text, NULL where there is none. */
const char *snw_gltf_text(const cJSON *object, const char *key);
bool snw_gltf_flag(const cJSON *object, const char *key);
/* An index into `list`, SNW_NONE where it is missing. */
bool snw_gltf_index(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, const snw_gltf_list *list,
					uint32_t *index);
/* The same where it must be there. */
bool snw_gltf_needed_index(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, const snw_gltf_list *list,
						   uint32_t *index);
/* A whole number from 0; left alone where it is missing. */
bool snw_gltf_whole(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, uint64_t *value);
/* One finite number, or exactly `count` of them in an array; left alone where missing. */
bool snw_gltf_number(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, double *value);
bool snw_gltf_numbers(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, uint32_t count, double *values);
/* An array of indices into `list`, in the scratch arena; an empty one where it is missing. */
bool snw_gltf_indices(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, const snw_gltf_list *list,
					  uint32_t **indices, uint32_t *count);

/* ---- accessors (gltf_accessor.c) ---------------------------------------------------------------------------------- */

/* Elements as doubles, normalised integers as the numbers they stand for, [count][width] in `arena`. All finite.
 * `width` is what the place needs; 0 takes any, and *actual_width tells it. */
bool snw_gltf_read_numbers(snw_gltf *g, uint32_t accessor, uint32_t width, snw_arena *arena, double **values, uint32_t *count,
						   uint32_t *actual_width);
/* Unsigned integers, [count][width] in `arena`. */
bool snw_gltf_read_integers(snw_gltf *g, uint32_t accessor, uint32_t width, snw_arena *arena, uint32_t **values,
							uint32_t *count);

#endif
