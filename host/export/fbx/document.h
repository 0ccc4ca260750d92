/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An FBX 7.4 document that is being written: nodes in an arena, in order.
 */
#ifndef SINEW_HOST_EXPORT_FBX_DOCUMENT_H
#define SINEW_HOST_EXPORT_FBX_DOCUMENT_H

#include "base/arena.h"
#include "base/error.h"
#include "fbx/format.h"

/* A node that nodes are being added to. */
typedef struct snw_fbx_open {
	snw_fbx_node *node, *last;
} snw_fbx_open;

typedef struct snw_fbx_document {
	snw_arena *arena;
	snw_fbx_open root, objects, connections;
	int64_t next_id;
} snw_fbx_document;

/* ---- nodes --------------------------------------------------------------------------------------------------------------- */

/* A node without values. `name` must last as long as the document. */
snw_fbx_open snw_fbx_put_node(snw_fbx_document *d, snw_fbx_open *parent, const char *name);
/* A node with one value. Texts are copied. */
void snw_fbx_put_integer(snw_fbx_document *d, snw_fbx_open *parent, const char *name, int32_t value);
void snw_fbx_put_long(snw_fbx_document *d, snw_fbx_open *parent, const char *name, int64_t value);
void snw_fbx_put_number(snw_fbx_document *d, snw_fbx_open *parent, const char *name, double value);
void snw_fbx_put_text(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const char *text);
/* The name of an object with its class. */
void snw_fbx_put_name(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const char *text, const char *class);
/* Bytes that last as long as the document. */
void snw_fbx_put_bytes(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const void *bytes, size_t count);
/* Arrays, deflated if that makes them smaller. */
void snw_fbx_put_numbers(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const double *values, size_t count);
void snw_fbx_put_floats(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const float *values, size_t count);
void snw_fbx_put_integers(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const int32_t *values, size_t count);
void snw_fbx_put_longs(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const int64_t *values, size_t count);
/* A 3×4 matrix as the sixteen numbers of its columns. */
void snw_fbx_put_matrix(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const double matrix[12]);

/* ---- objects ------------------------------------------------------------------------------------------------------------- */

/* An object with an id of its own: "Model", the class "Model" of its name, and its own class "Mesh". */
snw_fbx_open snw_fbx_put_object(snw_fbx_document *d, const char *kind, const char *name, const char *name_class,
								const char *class, int64_t *id);
/* Connects an object to its owner, 0 for the scene; or to a property of it. */
void snw_fbx_connect(snw_fbx_document *d, int64_t source, int64_t owner, const char *property);

/* Properties, into a node Properties70. */
void snw_fbx_put_property_numbers(snw_fbx_document *d, snw_fbx_open *list, const char *key, const char *type, const char *label,
								  const char *flags, const double *values, uint32_t count);
void snw_fbx_put_property_integer(snw_fbx_document *d, snw_fbx_open *list, const char *key, const char *type, const char *label,
								  int32_t value);
void snw_fbx_put_property_time(snw_fbx_document *d, snw_fbx_open *list, const char *key, double seconds);
void snw_fbx_put_property_text(snw_fbx_document *d, snw_fbx_open *list, const char *key, const char *flags, const char *text);

/* The time of the file that is nearest to seconds. */
int64_t snw_fbx_time(double seconds);

#endif
