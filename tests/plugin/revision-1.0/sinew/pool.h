/* SPDX-License-Identifier: MIT
 *
 * A pool: blocks from the host's memory service that are released all at once, so that a model or a fit has one exit that
 * frees. Where there is no memory, a block is NULL and the pool fails: check `failed` once, after the last acquire.
 *
 * For plug-in authors: header only, optional, not part of the binary interface. One pool, one thread at a time.
 */
#ifndef SINEW_POOL_H
#define SINEW_POOL_H

#include "sinew/host.h"

/* In front of each block; as large as the alignment that the memory service promises. */
typedef union snw_pool_block {
	union snw_pool_block *previous;
	unsigned char bytes[64];
} snw_pool_block;

/* It may be copied, as long as only the last copy is used. */
typedef struct snw_pool {
	const snw_host *host;
	const snw_memory_service *memory;
	snw_pool_block *last;
	int failed;
} snw_pool;

static inline snw_pool snw_pool_open(const snw_host *host) {
	snw_pool pool = {host, (const snw_memory_service *)host->service(host, SNW_SERVICE_MEMORY), NULL, 0};
	pool.failed = pool.memory == NULL;
	return pool;
}

/* Zeroed, aligned to 64. NULL where there is none, or where count · element_bytes overflows; never NULL for a count of 0
 * otherwise, so that empty arrays need no special case. */
static inline void *snw_pool_acquire(snw_pool *pool, size_t count, size_t element_bytes) {
	const size_t most = (size_t)-1 - sizeof(snw_pool_block);
	if (pool->failed || (element_bytes > 0 && count > most / element_bytes)) {
		pool->failed = 1;
		return NULL;
	}
	snw_pool_block *block = (snw_pool_block *)pool->memory->acquire(pool->host, sizeof(snw_pool_block) + count * element_bytes);
	if (!block) {
		pool->failed = 1;
		return NULL;
	}
	block->previous = pool->last;
	pool->last = block;
	return block + 1;
}

/* Frees every block; the pool may lie in one of them. */
static inline void snw_pool_release(snw_pool *pool) {
	const snw_host *host = pool->host;
	const snw_memory_service *memory = pool->memory;
	snw_pool_block *block = pool->last;
	pool->last = NULL;
	while (block) {
		snw_pool_block *previous = block->previous;
		memory->release(host, block);
		block = previous;
	}
}

#define SNW_POOL_ARRAY(pool, type, count) ((type *)snw_pool_acquire((pool), (count), sizeof(type)))

#endif
