/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Unused blocks are skipped, eight at a time.
 */
#include "mesh/element_set.h"

#include <string.h>

enum { STRIDE = 8 };

snw_set snw_set_make(uint32_t count, snw_arena *arena) {
	const uint32_t blocks = count / SNW_SET_BLOCK + 1;
	return (snw_set){
		.block_count = (blocks + STRIDE - 1) / STRIDE * STRIDE,
		.has = SNW_NEW_ARRAY(arena, unsigned char, (size_t)blocks *SNW_SET_BLOCK),
		.is_used = SNW_NEW_ARRAY(arena, unsigned char, (blocks + STRIDE - 1) / STRIDE * STRIDE),
	};
}

/* The first used block from `block` on; block_count if there is none. */
static uint32_t next_used(const snw_set *set, uint32_t block) {
	while (block < set->block_count) {
		uint64_t eight;
		memcpy(&eight, set->is_used + block / STRIDE * STRIDE, sizeof eight);
		if (eight == 0) {
			block = (block / STRIDE + 1) * STRIDE;
		} else if (!set->is_used[block]) {
			block++;
		} else {
			break;
		}
	}
	return block;
}

void snw_set_clear(snw_set *set) {
	for (uint32_t b = next_used(set, 0); b < set->block_count; b = next_used(set, b + 1)) {
		memset(set->has + (size_t)b * SNW_SET_BLOCK, 0, SNW_SET_BLOCK);
		set->is_used[b] = 0;
	}
}

void snw_set_join(snw_set *set, const snw_set *other) {
	for (uint32_t b = next_used(other, 0); b < other->block_count; b = next_used(other, b + 1)) {
		for (uint32_t k = b * SNW_SET_BLOCK; k < (b + 1) * SNW_SET_BLOCK; k++) {
			set->has[k] |= other->has[k];
		}
		set->is_used[b] = 1;
	}
}

uint32_t snw_set_list(const snw_set *set, uint32_t *items) {
	uint32_t count = 0;
	for (uint32_t b = next_used(set, 0); b < set->block_count; b = next_used(set, b + 1)) {
		for (uint32_t k = b * SNW_SET_BLOCK; k < (b + 1) * SNW_SET_BLOCK; k++) {
			items[count] = k; /* branchless: the next item overwrites it if k is not in the set */
			count += set->has[k];
		}
	}
	return count;
}
