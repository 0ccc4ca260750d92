/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A set of points or faces, by index. One byte for each element says whether it is in the set, and one for each block of 64
 * whether any is. So clearing, joining and listing take time for the elements in the set, not for the whole mesh, and lists are
 * in the order of the indices, which is the order in memory.
 */
#ifndef SINEW_HOST_MESH_ELEMENT_SET_H
#define SINEW_HOST_MESH_ELEMENT_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

enum { SNW_SET_BLOCK = 64 };

typedef struct snw_set {
	uint32_t block_count;
	unsigned char *has;     /* [block_count][SNW_SET_BLOCK] */
	unsigned char *is_used; /* [block_count] */
} snw_set;

/* An empty set of indices below `count`. */
snw_set snw_set_make(uint32_t count, snw_arena *arena);
void snw_set_clear(snw_set *set);

static inline void snw_set_add(snw_set *set, uint32_t item) {
	set->has[item] = 1;
	set->is_used[item / SNW_SET_BLOCK] = 1;
}

static inline bool snw_set_has(const snw_set *set, uint32_t item) {
	return set->has[item];
}

/* Adds the elements of another set of the same size. */
void snw_set_join(snw_set *set, const snw_set *other);

/* Lists the elements in ascending order and returns their number. `items` needs room for one more. */
uint32_t snw_set_list(const snw_set *set, uint32_t *items);

#endif
