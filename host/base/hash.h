/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A 64-bit hash of a series of values, to detect changed data. It is not cryptographic. The same on every machine.
 */
#ifndef SINEW_HOST_BASE_HASH_H
#define SINEW_HOST_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct snw_hash {
	uint64_t state; /* zero-initialised before the first value */
} snw_hash;

void snw_hash_bytes(snw_hash *hash, const void *bytes, size_t count);
void snw_hash_u64(snw_hash *hash, uint64_t value);
void snw_hash_text(snw_hash *hash, const char *text); /* NULL differs from "" */
/* An array, including its length; NULL differs from an empty array. */
void snw_hash_f64s(snw_hash *hash, const double *values, size_t count);
void snw_hash_u32s(snw_hash *hash, const uint32_t *values, size_t count);

/* Never 0. */
uint64_t snw_hash_value(const snw_hash *hash);

#endif
