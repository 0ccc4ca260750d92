/* SPDX-License-Identifier: MIT
 *
 * Reading a saved model. Its bytes may come from anyone: nothing becomes a size or an index before it was checked. Beside
 * sinew/bytes.h, which writes and reads single numbers.
 *
 * All functions return SNW_ERROR_DATA where the bytes end too early or say what cannot be, and SNW_ERROR_MEMORY; arrays are the
 * pool's. One reader, one thread at a time.
 */
#ifndef SINEW_KIT_SAVED_H
#define SINEW_KIT_SAVED_H

#include "sinew/bytes.h"
#include "sinew/pool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a saved model begins with: a mark of 8 bytes that is the method's own, and the revision of its format. */
enum { SNK_MARK_BYTES = 8 };
void snk_write_mark(snw_writer *writer, const char mark[SNK_MARK_BYTES], uint32_t revision);
snw_status snk_read_mark(snw_reader *reader, const char mark[SNK_MARK_BYTES], uint32_t revision);

/* `count` elements as they were written; NULL where they cannot be had: *status then says why, and stays as it is otherwise. Where
 * *status is an error already, nothing is read. */
void *snk_read_array(snw_reader *reader, snw_pool *pool, size_t count, size_t element_bytes, snw_status *status);

/* The same for numbers, all of which must be finite, */
double *snk_read_numbers(snw_reader *reader, snw_pool *pool, size_t count, snw_status *status);

/* for indices, which must be below `limit`, */
uint32_t *snk_read_indices(snw_reader *reader, snw_pool *pool, size_t count, uint32_t limit, snw_status *status);

/* and for offsets [count + 1] into an array, which begin with 0 and do not fall. */
uint32_t *snk_read_offsets(snw_reader *reader, snw_pool *pool, uint32_t count, snw_status *status);

/* Whether all of them are finite. */
int snk_all_finite(size_t count, const double *numbers);

#ifdef __cplusplus
}
#endif

#endif
