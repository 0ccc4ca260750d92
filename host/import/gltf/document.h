/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A glTF document: its JSON and its bytes, with checked access to both. Private to the reader.
 *
 * Functions that can fail return false and set the status and the error of the reading; their callers return false at once.
 */
#ifndef SINEW_HOST_IMPORT_GLTF_DOCUMENT_H
#define SINEW_HOST_IMPORT_GLTF_DOCUMENT_H

#include <cjson/cJSON.h>

#include "file/file.h"
#include "import/common/reading.h"

/* One of the document's arrays of objects. */
typedef struct snw_gltf_list {
	const char *noun; /* for one of them: "accessor" */
	uint32_t count;
	const cJSON **items;
} snw_gltf_list;

/* A place in the document, for errors: "accessor 3". */
typedef struct snw_gltf_place {
	const char *noun;
	uint32_t index;
} snw_gltf_place;

/* A texture's UV set in the file, and KHR_texture_transform. */
typedef struct snw_gltf_texture_place {
	uint32_t set;
	double offset[2], rotation, scale[2];
} snw_gltf_texture_place;

/* The distinct places of a material's textures. `is_plain`: they are the UV sets of the file, in order. */
typedef struct snw_gltf_uv_sets {
	uint32_t count, room;
	snw_gltf_texture_place *places;
	bool is_plain;
} snw_gltf_uv_sets;

typedef struct snw_gltf {
	snw_reading reading;
	cJSON *root;
	snw_bytes binary;   /* the binary chunk of a .glb */
	snw_bytes *buffers; /* [buffer_list.count]; NULL data for one that only stands for what compressed views decode to */
	snw_bytes *decoded; /* [views.count]: of compressed views, when they have been asked for */
	snw_gltf_list buffer_list, views, accessors, nodes, meshes, skins, animations, materials, textures, images, samplers,
		scenes;
	snw_gltf_uv_sets *uv_sets; /* [materials.count] */
} snw_gltf;

/* Reads the file, its JSON and its buffers. The caller closes the document even after a failure. */
bool snw_gltf_open(snw_gltf *g);
void snw_gltf_close(snw_gltf *g);

/* ---- bytes (uri.c) ------------------------------------------------------------------------------------------------------- */

/* The bytes of a URI: base64 data, or a file in the document's folder or below. */
bool snw_gltf_resolve(snw_gltf *g, const char *uri, snw_gltf_place place, snw_bytes *bytes);
/* The bytes of a buffer view. */
bool snw_gltf_view_bytes(snw_gltf *g, uint32_t view, snw_bytes *bytes, uint32_t *stride);

/* ---- compressed views (compression.c) ------------------------------------------------------------------------------------ */

/* The member EXT_meshopt_compression of a buffer or a view; NULL without one. */
const cJSON *snw_gltf_compression_of(const cJSON *object);
/* The bytes that a compressed view decodes to. */
bool snw_gltf_decompress(snw_gltf *g, uint32_t view, snw_bytes *bytes);

/* ---- JSON (json.c) ------------------------------------------------------------------------------------------------------- */

/* An array of objects at `key`, or an empty list. */
bool snw_gltf_list_read(snw_gltf *g, const char *key, const char *noun, snw_gltf_list *list);
/* A member; NULL if it is missing. */
const cJSON *snw_gltf_member(const cJSON *object, const char *key);
/* A member's text; NULL if it is missing or not text. */
const char *snw_gltf_text(const cJSON *object, const char *key);
bool snw_gltf_flag(const cJSON *object, const char *key);
/* An index into `list`; SNW_NONE if it is missing. */
bool snw_gltf_index(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, const snw_gltf_list *list,
					uint32_t *index);
/* As snw_gltf_index; it is an error if it is missing. */
bool snw_gltf_required_index(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, const snw_gltf_list *list,
							 uint32_t *index);
/* A non-negative integer; *value is unchanged if it is missing. */
bool snw_gltf_integer(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, uint64_t *value);
/* One finite number, or an array of exactly `count`; the values are unchanged if it is missing. */
bool snw_gltf_number(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, double *value);
bool snw_gltf_numbers(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, uint32_t count, double *values);
/* An array of indices into `list`, in the scratch arena; empty if it is missing. */
bool snw_gltf_indices(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, const snw_gltf_list *list,
					  uint32_t **indices, uint32_t *count);

/* ---- accessors (accessor.c) ---------------------------------------------------------------------------------------------- */

/* Elements as doubles [count][width] in `arena`, all finite; normalised integers are converted. `width` is the required one; 0
 * accepts any, and *actual_width is set. */
bool snw_gltf_read_numbers(snw_gltf *g, uint32_t accessor, uint32_t width, snw_arena *arena, double **values, uint32_t *count,
						   uint32_t *actual_width);
/* Unsigned integers, [count][width] in `arena`. */
bool snw_gltf_read_integers(snw_gltf *g, uint32_t accessor, uint32_t width, snw_arena *arena, uint32_t **values,
							uint32_t *count);

#endif
