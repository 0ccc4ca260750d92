/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An FBX document (fbx/format.h), from a binary file or a text file. Private to the reader. Values refer to the file's bytes;
 * arrays are decoded when they are asked for, so that a large file is not in memory twice.
 *
 * Functions that can fail return false (or NULL) and set the status and the error of the reading; their callers return at
 * once.
 */
#ifndef SINEW_HOST_IMPORT_FBX_DOCUMENT_H
#define SINEW_HOST_IMPORT_FBX_DOCUMENT_H

#include "fbx/format.h"
#include "import/common/reading.h"

typedef struct snw_fbx {
	snw_reading reading;
	snw_bytes file;
	unsigned char *block, *block_end; /* of the nodes that are allocated next */
	bool is_text;
	uint32_t version; /* 7400 */
	snw_fbx_node root;
} snw_fbx;

/* Reads the file and its nodes. */
bool snw_fbx_open(snw_fbx *f);

/* ---- nodes --------------------------------------------------------------------------------------------------------------- */

bool snw_fbx_is(const snw_fbx_node *node, const char *name);
/* The first child of that name; NULL for none, or of NULL. */
const snw_fbx_node *snw_fbx_child(const snw_fbx_node *node, const char *name);

/* The value at an index; `otherwise` if there is none of that kind. An integer is also a number and the other way round. */
int64_t snw_fbx_integer(const snw_fbx_node *node, uint32_t index, int64_t otherwise);
double snw_fbx_number(const snw_fbx_node *node, uint32_t index, double otherwise); /* finite, or `otherwise` */
bool snw_fbx_text_is(const snw_fbx_node *node, uint32_t index, const char *text);
/* The bytes of a text, up to a zero byte if there is one, in the scratch arena; NULL if the value is none. */
char *snw_fbx_text(snw_fbx *f, const snw_fbx_node *node, uint32_t index);

/* The array of a node, in `arena`; NULL after a failure. A node that is missing, or has no values, has an empty one. Integers
 * that do not fit are an error; numbers may be infinite or none. */
double *snw_fbx_numbers(snw_fbx *f, const snw_fbx_node *node, snw_arena *arena, uint32_t *count);
int32_t *snw_fbx_integers(snw_fbx *f, const snw_fbx_node *node, snw_arena *arena, uint32_t *count);
int64_t *snw_fbx_long_integers(snw_fbx *f, const snw_fbx_node *node, snw_arena *arena, uint32_t *count);

/* ---- the two forms (binary.c, text.c) ------------------------------------------------------------------------------------ */

#define SNW_FBX_DEEPEST 64 /* levels of nodes; files have about six */

bool snw_fbx_parse_binary(snw_fbx *f);
bool snw_fbx_parse_text(snw_fbx *f);

/* A new node, after `last` or as the first child of `parent`; NULL if the budget is spent. */
snw_fbx_node *snw_fbx_add_node(snw_fbx *f, snw_fbx_node *parent, snw_fbx_node *last);
/* Room for the values of a node; NULL if the budget is spent. */
snw_fbx_value *snw_fbx_add_values(snw_fbx *f, uint32_t count);

#endif
