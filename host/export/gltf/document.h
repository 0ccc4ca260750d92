/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A glTF document in memory: its JSON, and the accessors and buffer views that the JSON refers to. It is written at the end.
 */
#ifndef SINEW_HOST_EXPORT_GLTF_DOCUMENT_H
#define SINEW_HOST_EXPORT_GLTF_DOCUMENT_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "sinew/view.h"

typedef struct snw_gltf_document snw_gltf_document;

/* Compresses its buffer views if wanted: then vectors are rounded to a grid (export/plan/plan.h). */
snw_gltf_document *snw_gltf_document_create(bool compresses);
void snw_gltf_document_destroy(snw_gltf_document *document); /* NULL does nothing */

/* JSON. If memory runs out, snw_gltf_document_write fails. Functions return the item they add. */
/* `name` is NULL if the parent is an array. */
cJSON *snw_gltf_put_object(snw_gltf_document *document, cJSON *parent, const char *name);
cJSON *snw_gltf_put_array(snw_gltf_document *document, cJSON *parent, const char *name);
void snw_gltf_put_number(snw_gltf_document *document, cJSON *parent, const char *name, double value);
void snw_gltf_put_numbers(snw_gltf_document *document, cJSON *parent, const char *name, const double *values, uint32_t count);
void snw_gltf_put_text(snw_gltf_document *document, cJSON *parent, const char *name, const char *text);
void snw_gltf_put_true(snw_gltf_document *document, cJSON *parent, const char *name);
void snw_gltf_put_item(snw_gltf_document *document, cJSON *parent, const char *name, cJSON *item);

/* Adds an object to an array of the root ("meshes"), which is created for the first one; *index is its index. */
cJSON *snw_gltf_entry(snw_gltf_document *document, const char *list, uint32_t *index);
cJSON *snw_gltf_root(snw_gltf_document *document);

/* The use of a buffer view. glTF requires separate views for each; each accessor of vertices and indices has its view. */
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
/* The same for numbers that a compressed document rounds to this many bits. */
uint32_t snw_gltf_vectors(snw_gltf_document *document, uint32_t width, uint32_t count, const float *values, int bits,
						  bool bounds);
/* Unit vectors of three numbers, or of four, of which the last is 1 or −1. */
uint32_t snw_gltf_units(snw_gltf_document *document, uint32_t width, uint32_t count, const float *values);
/* Weights of four influences, which are steps of 1/255 if `are_bytes`. A compressed document stores them as bytes then. */
uint32_t snw_gltf_weights(snw_gltf_document *document, uint32_t count, const float *values, bool are_bytes);
/* As a sparse accessor of the vectors that are not zero, if that is smaller; in a compressed document as snw_gltf_vectors. */
uint32_t snw_gltf_sparse(snw_gltf_document *document, uint32_t count, const float *vectors, int bits, bool bounds);
/* With the smallest unsigned type for `largest`: for joints (`width` 4) and indices (1). */
uint32_t snw_gltf_integers(snw_gltf_document *document, snw_gltf_use use, uint32_t width, uint32_t count,
						   const uint32_t *values, uint32_t largest);
uint32_t snw_gltf_image_view(snw_gltf_document *document, const unsigned char *bytes, size_t count);

/* Writes binary glTF (.glb), or text (.gltf) with the buffer as a data URI. It is a single file, so that a rename replaces it
 * atomically. *byte_count is its size. NULL path: writes into the stream, or without one only finds the size. */
snw_status snw_gltf_document_write(snw_gltf_document *document, const char *path, FILE *stream, bool is_binary,
								   uint64_t *byte_count, snw_error *error);

/* Names an extension that the document uses. */
void snw_gltf_use_extension(snw_gltf_document *document, const char *name);
/* The "extensions" of the whole document. */
cJSON *snw_gltf_root_extensions(snw_gltf_document *document);

#endif
