/* SPDX-License-Identifier: MIT
 *
 * A model as bytes and back. One function of the method says what the bytes are, in both directions: a save writes what the
 * model has, a load reads it and checks it. The bytes of a load are untrusted: nothing becomes a size or an index before it was
 * checked. It complements sinew/bytes.h, which reads and writes single numbers.
 *
 * The first error is kept in `status`, and after it nothing is written or read. SNW_ERROR_DATA: the bytes end too early or have
 * invalid values. SNW_ERROR_MEMORY. Arrays that a load reads are the pool's, and NULL after an error. A save changes nothing in
 * the model. One save or load, one thread at a time.
 */
#ifndef SINEW_KIT_BYTES_SAVED_H
#define SINEW_KIT_BYTES_SAVED_H

#include "sinew/bytes.h"
#include "sinew/pool.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snk_bytes {
	int is_load;
	const snw_character_view *character; /* of a load; NULL in a save */
	snw_pool *pool;                      /* of a load */
	snw_status status;
	snw_writer writer; /* of a save */
	snw_reader reader; /* of a load */
} snk_bytes;

/* ---- whole models -------------------------------------------------------------------------------------------------------- */

/* What is saved of a model: between a mark of 8 bytes, with a revision, and a seal. */
enum { SNK_MARK_BYTES = 8 };
typedef struct snk_model_format {
	const char *mark;   /* [SNK_MARK_BYTES]: chosen by the method */
	uint32_t revision;  /* of the format */
	size_t model_bytes; /* the size of a model, which begins with its snw_pool */
	void (*bytes)(snk_bytes *bytes, snw_model *model);
} snk_model_format;

/* A deformer's `save` and `load`. A loaded model is zeroed before it is read; SNW_ERROR_DATA too where bytes remain. */
snw_status snk_save_model(const snk_model_format *format, const snw_model *model, const snw_sink *sink);
snw_status snk_load_model(const snk_model_format *format, const snw_load_call *call, snw_model **model);

/* ---- checks -------------------------------------------------------------------------------------------------------------- */

/* In a load, SNW_ERROR_DATA unless it is sound. Whether to go on: nothing has failed. */
int snk_bytes_need(snk_bytes *bytes, int sound);

/* A number that a load must find again. */
void snk_bytes_same(snk_bytes *bytes, uint32_t value);

/* The character's number of meshes, and of the points of one of its meshes, which a load takes from the character and must find
 * again. */
void snk_bytes_mesh_count(snk_bytes *bytes, uint32_t *mesh_count);
void snk_bytes_point_count(snk_bytes *bytes, uint32_t mesh, uint32_t *point_count);

/* ---- single numbers ------------------------------------------------------------------------------------------------------ */

/* `count` bytes as they are. */
void snk_bytes_raw(snk_bytes *bytes, size_t count, void *values);

void snk_bytes_u32(snk_bytes *bytes, uint32_t *value);

/* Below `limit`. */
void snk_bytes_index(snk_bytes *bytes, uint32_t limit, uint32_t *value);

/* A count of elements that are still to come: what remains of the bytes can hold them, each of at least so many bytes. 0 after
 * an error. */
void snk_bytes_count(snk_bytes *bytes, size_t element_bytes, uint32_t *count);

/* Finite. */
void snk_bytes_f64(snk_bytes *bytes, size_t count, double *values);

/* ---- arrays of a load's pool --------------------------------------------------------------------------------------------- */

/* In a load, `count` zeroed elements to be filled; NULL after an error. Not for a save, whose model has them. */
void *snk_bytes_acquire(snk_bytes *bytes, size_t count, size_t element_bytes);

/* Numbers, all of them finite; indices, below `limit`; and offsets [count + 1] into an array, which begin with 0 and do not
 * fall. */
void snk_bytes_numbers(snk_bytes *bytes, size_t count, const double **numbers);
void snk_bytes_indices(snk_bytes *bytes, size_t count, uint32_t limit, const uint32_t **indices);
void snk_bytes_offsets(snk_bytes *bytes, uint32_t count, const uint32_t **offsets);

/* How many elements such offsets are into; 0 after an error. */
size_t snk_bytes_total(const snk_bytes *bytes, uint32_t count, const uint32_t *offsets);

/* Influences of points, or none: offsets are NULL for a mesh without a skin. `width` numbers for each influence. */
void snk_bytes_influences(snk_bytes *bytes, uint32_t point_count, uint32_t slot_count, size_t width, const uint32_t **offsets,
						  const uint32_t **slots, const double **numbers);

/* Rows of a sparse matrix: row_count and column_count are known. */
void snk_bytes_rows(snk_bytes *bytes, snw_sparse_rows *rows);

/* Coefficients, offsets, points and vectors of displacements. The offsets are below 2³², and saved as numbers of 32 bits; the
 * points of a displacement rise. */
void snk_bytes_displacements(snk_bytes *bytes, uint32_t coefficient_count, uint32_t point_count, snw_displacements *list);

/* A text, which holds no zero byte. */
void snk_bytes_text(snk_bytes *bytes, const char **text);

/* The name of a joint, and in a load the number that the character's joint of that name has. */
void snk_bytes_joint(snk_bytes *bytes, const char **name, uint32_t *joint);

#ifdef __cplusplus
}
#endif

#endif
