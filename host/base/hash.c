/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/hash.h"

#include <string.h>

/* Multiplies and folds eight bytes at a time, like wyhash. */
void snw_hash_u64(snw_hash *hash, uint64_t value) {
	uint64_t state = (hash->state ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	state ^= state >> 32;
	hash->state = state + UINT64_C(0x632be59bd9b4e019);
}

void snw_hash_bytes(snw_hash *hash, const void *bytes, size_t count) {
	const unsigned char *at = bytes;
	snw_hash_u64(hash, count);
	for (; count >= sizeof(uint64_t); count -= sizeof(uint64_t), at += sizeof(uint64_t)) {
		uint64_t word;
		memcpy(&word, at, sizeof word);
		snw_hash_u64(hash, word);
	}
	if (count > 0) {
		uint64_t word = 0;
		memcpy(&word, at, count);
		snw_hash_u64(hash, word);
	}
}

static void hash_array(snw_hash *hash, const void *values, size_t count, size_t value_bytes) {
	snw_hash_u64(hash, values != NULL);
	if (values) {
		snw_hash_bytes(hash, values, count * value_bytes);
	}
}

void snw_hash_text(snw_hash *hash, const char *text) {
	hash_array(hash, text, text ? strlen(text) : 0, 1);
}

void snw_hash_f64s(snw_hash *hash, const double *values, size_t count) {
	hash_array(hash, values, count, sizeof *values);
}

void snw_hash_u32s(snw_hash *hash, const uint32_t *values, size_t count) {
	hash_array(hash, values, count, sizeof *values);
}

uint64_t snw_hash_value(const snw_hash *hash) {
	return hash->state ? hash->state : 1;
}
