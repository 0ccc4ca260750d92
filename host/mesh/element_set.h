/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A set of points or faces, by their numbers. A byte says whether one is in it, another whether any of 64 is: so to empty, join
 * and list it costs what is in it, hardly what the mesh is, and lists come out in the order of the numbers, which is how points
 * lie in memory.
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

/* An empty one, of numbers below `count`. */
snw_set snw_set_make(uint32_t count, snw_arena *arena);
void snw_set_clear(snw_set *set);

static inline void snw_set_add(snw_set *set, uint32_t item) {
	set->has[item] = 1;
	set->is_used[item / SNW_SET_BLOCK] = 1;
}

static inline bool snw_set_has(const snw_set *set, uint32_t item) {
	return set->has[item];
}

/* Adds all of another set of as many numbers. */
void snw_set_join(snw_set *set, const snw_set *other);

/* Ascending; `items` has room for all of them and for one more. Returns how many. */
uint32_t snw_set_list(const snw_set *set, uint32_t *items);

#endif
