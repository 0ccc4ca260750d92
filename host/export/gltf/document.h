/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A glTF document in memory: its JSON, and the accessors and buffer views that the JSON names. It is written in one go.
 */
#ifndef SINEW_HOST_EXPORT_GLTF_DOCUMENT_H
#define SINEW_HOST_EXPORT_GLTF_DOCUMENT_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sinew/view.h"

typedef struct snw_gltf_document snw_gltf_document;

snw_gltf_document *snw_gltf_document_create(void);
void snw_gltf_document_destroy(snw_gltf_document *document); /* NULL does nothing */

/* JSON that remembers when memory ran out; the commit then fails. Every function returns what it made. */
cJSON *snw_gltf_put_object(snw_gltf_document *document, cJSON *parent, const char *name); /* parent an array: name is NULL */
cJSON *snw_gltf_put_array(snw_gltf_document *document, cJSON *parent, const char *name);
void snw_gltf_put_number(snw_gltf_document *document, cJSON *parent, const char *name, double value);
void snw_gltf_put_numbers(snw_gltf_document *document, cJSON *parent, const char *name, const double *values, uint32_t count);
void snw_gltf_put_text(snw_gltf_document *document, cJSON *parent, const char *name, const char *text);
void snw_gltf_put_true(snw_gltf_document *document, cJSON *parent, const char *name);
void snw_gltf_put_item(snw_gltf_document *document, cJSON *parent, const char *name, cJSON *item);

/* Adds an object to a list of the root ("meshes"), which appears with its first; `*index` is its place there. */
cJSON *snw_gltf_entry(snw_gltf_document *document, const char *list, uint32_t *index);
cJSON *snw_gltf_root(snw_gltf_document *document);

/* What a buffer view is for. glTF wants a view a purpose; vertex attributes and indices get one each. */
typedef enum snw_gltf_use {
	SNW_GLTF_VERTICES,
	SNW_GLTF_INDICES,
	SNW_GLTF_SPARSE,
	SNW_GLTF_INVERSE_BINDS,
	SNW_GLTF_CLIP,
	SNW_GLTF_IMAGE,
	SNW_GLTF_USE_COUNT,
} snw_gltf_use;

/* Accessors; each returns its index. `width` is the number of floats in an element: 1, 3, 4 or 16 (2 for UVs). */
uint32_t snw_gltf_floats(snw_gltf_document *document, snw_gltf_use use, uint32_t width, uint32_t count, const float *values,
						 bool bounds);
/* Elements that are not zero alone, where that is smaller; `values` is the whole array. */
uint32_t snw_gltf_sparse(snw_gltf_document *document, uint32_t count, const float *vectors, bool bounds);
/* The smallest unsigned type that holds them: for joints of four (`width` 4) and indices (1). */
uint32_t snw_gltf_integers(snw_gltf_document *document, snw_gltf_use use, uint32_t width, uint32_t count,
						   const uint32_t *values, uint32_t largest);
uint32_t snw_gltf_image_view(snw_gltf_document *document, const unsigned char *bytes, size_t count);

/* As binary glTF (.glb), or as text (.gltf) with its buffer inside as a data URI: one file, so that one rename puts it in place. */
snw_status snw_gltf_document_write(snw_gltf_document *document, const char *path, bool is_binary, snw_error *error);

#endif
