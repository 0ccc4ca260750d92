/* SPDX-License-Identifier: MIT
 *
 * Reading a saved model. Its bytes are untrusted: nothing becomes a size or an index before it was checked. It complements
 * sinew/bytes.h, which reads and writes single numbers.
 *
 * All functions return SNW_ERROR_DATA if the bytes end too early or have invalid values, and SNW_ERROR_MEMORY; arrays belong
 * to the pool. One reader, one thread at a time.
 */
#ifndef SINEW_KIT_BYTES_SAVED_H
#define SINEW_KIT_BYTES_SAVED_H

#include "sinew/bytes.h"
#include "sinew/pool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The beginning of a saved model: a mark of 8 bytes chosen by the method, and the revision of its format. */
enum { SNK_MARK_BYTES = 8 };
void snk_write_mark(snw_writer *writer, const char mark[SNK_MARK_BYTES], uint32_t revision);
snw_status snk_read_mark(snw_reader *reader, const char mark[SNK_MARK_BYTES], uint32_t revision);

/* A text: its length in bytes, then its bytes. */
void snk_write_text(snw_writer *writer, const char *text);

/* Reads what is between the mark and the seal into a model, whose arrays go into its pool. */
typedef snw_status snk_model_reader(snw_reader *reader, const snw_character_view *character, snw_model *model);

/* A deformer's `load`, for a model that begins with its snw_pool: `model_bytes` zeroed bytes in that pool, filled by `read`.
 * SNW_ERROR_DATA too where bytes remain. */
snw_status snk_load_model(const snw_load_call *call, const char mark[SNK_MARK_BYTES], uint32_t revision, size_t model_bytes,
						  snk_model_reader *read, snw_model **model);

/* `count` elements as they were written. NULL on failure: *status then says why, and is unchanged otherwise. If *status is
 * an error already, nothing is read. */
void *snk_read_array(snw_reader *reader, snw_pool *pool, size_t count, size_t element_bytes, snw_status *status);

/* The same for numbers, all of which must be finite, */
double *snk_read_numbers(snw_reader *reader, snw_pool *pool, size_t count, snw_status *status);

/* into memory that is there already, */
void snk_read_numbers_into(snw_reader *reader, size_t count, double *dest, snw_status *status);

/* for indices, which must be below `limit`, */
uint32_t *snk_read_indices(snw_reader *reader, snw_pool *pool, size_t count, uint32_t limit, snw_status *status);

/* and for offsets [count + 1] into an array, which begin with 0 and do not fall. */
uint32_t *snk_read_offsets(snw_reader *reader, snw_pool *pool, uint32_t count, snw_status *status);

/* Offsets [count + 1] of displacements, below 2³², are saved as numbers of 32 bits. */
void snk_write_displacement_offsets(snw_writer *writer, uint32_t count, const uint64_t *offsets);
uint64_t *snk_read_displacement_offsets(snw_reader *reader, snw_pool *pool, uint32_t count, snw_status *status);

/* A text, which holds no zero byte. */
char *snk_read_text(snw_reader *reader, snw_pool *pool, snw_status *status);

/* Whether all of them are finite. */
int snk_all_finite(size_t count, const double *numbers);

#ifdef __cplusplus
}
#endif

#endif
