/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points sorted by their set and cut into groups of SNW_LANES; what is too few for a group goes into mixed blocks. Groups and
 * mixed points each keep the program's order as far as they can, so that memory is written nearly in order.
 */
#include "program/places.h"

#include <stdlib.h>
#include <string.h>

/* As few points as make a group with padding worth it. */
enum { LEAST_IN_GROUP = 8 };

typedef struct group {
	uint32_t begin, count; /* of the sorted points */
	uint32_t size;         /* of the set */
	uint32_t point;        /* the first */
} group;

typedef struct cut {
	const snw_point_sets *sets;
	uint32_t *order; /* points, sorted by their sets */
	group *groups;
	uint32_t group_count;
	uint32_t *mixed;
	uint32_t mixed_count;
} cut;

uint32_t snw_point_set_size(const snw_point_sets *sets, uint32_t point) {
	return sets->offsets == NULL ? 0 : sets->offsets[point + 1] - sets->offsets[point];
}

static int compare_sets(const snw_point_sets *sets, uint32_t a, uint32_t b) {
	const uint32_t size = snw_point_set_size(sets, a), other = snw_point_set_size(sets, b);
	if (size != other) {
		return size < other ? -1 : 1;
	}
	const uint32_t *x = size > 0 ? sets->entries + sets->offsets[a] : NULL,
				   *y = size > 0 ? sets->entries + sets->offsets[b] : NULL;
	for (uint32_t k = 0; k < size; k++) {
		if (x[k] != y[k]) {
			return x[k] < y[k] ? -1 : 1;
		}
	}
	return 0;
}

static int compare_points(const void *a, const void *b, void *sets) {
	const uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
	const int order = compare_sets(sets, p, q);
	return order != 0 ? order : (p > q) - (p < q);
}

/* Mixed points: by the size of their set, then as the program has them. */
static int compare_mixed(const void *a, const void *b, void *sets) {
	const uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
	const uint32_t size = snw_point_set_size(sets, p), other = snw_point_set_size(sets, q);
	return size != other ? (size > other) - (size < other) : (p > q) - (p < q);
}

static int compare_groups(const void *a, const void *b) {
	const group *p = a, *q = b;
	return p->size != q->size ? (p->size > q->size) - (p->size < q->size) : (p->point > q->point) - (p->point < q->point);
}

/* Cuts the run of points that share a set, `begin` … `end` − 1 of the order. */
static void cut_set(cut *own, uint32_t begin, uint32_t end) {
	while (begin < end) {
		const uint32_t left = end - begin, count = left < SNW_LANES ? left : SNW_LANES;
		if (count < LEAST_IN_GROUP) {
			memcpy(own->mixed + own->mixed_count, own->order + begin, count * sizeof *own->mixed);
			own->mixed_count += count;
		} else {
			const uint32_t point = own->order[begin];
			own->groups[own->group_count++] = (group){begin, count, snw_point_set_size(own->sets, point), point};
		}
		begin += count;
	}
}

static void cut_sets(cut *own, uint32_t point_count) {
	for (uint32_t i = 0; i < point_count; i++) {
		own->order[i] = i;
	}
	qsort_r(own->order, point_count, sizeof *own->order, compare_points, (void *)(uintptr_t)own->sets);
	for (uint32_t begin = 0, end = 0; begin < point_count; begin = end) {
		while (end < point_count && compare_sets(own->sets, own->order[begin], own->order[end]) == 0) {
			end++;
		}
		cut_set(own, begin, end);
	}
	qsort(own->groups, own->group_count, sizeof *own->groups, compare_groups);
	qsort_r(own->mixed, own->mixed_count, sizeof *own->mixed, compare_mixed, (void *)(uintptr_t)own->sets);
}

/* Blocks of whole groups whose sets have the same size. */
static void place_groups(const cut *own, snw_packed_program *packed) {
	for (uint32_t g = 0; g < own->group_count; g++) {
		const group *from = &own->groups[g];
		snw_packed_block *block = packed->block_count > 0 ? &packed->blocks[packed->block_count - 1] : NULL;
		if (block == NULL || block->influence_count != from->size || block->count == SNW_BLOCK_POINTS) {
			block = &packed->blocks[packed->block_count++];
			*block =
				(snw_packed_block){.lanes = true, .first = packed->place_count, .influence_count = from->size, .run = SNW_NONE};
		}
		for (uint32_t lane = 0; lane < SNW_LANES; lane++) {
			const uint32_t place = packed->place_count + lane;
			packed->points_of[place] = lane < from->count ? own->order[from->begin + lane] : SNW_NONE;
		}
		const uint32_t last = packed->points_of[packed->place_count + SNW_LANES - 1];
		const bool in_a_row = last != SNW_NONE && last - from->point == SNW_LANES - 1;
		packed->runs[packed->place_count / SNW_LANES] = in_a_row ? from->point : SNW_NONE;
		block->count += SNW_LANES;
		packed->place_count += SNW_LANES;
	}
}

static void place_mixed(const cut *own, snw_packed_program *packed) {
	uint32_t i = 0;
	while (i < own->mixed_count) {
		const uint32_t size = snw_point_set_size(own->sets, own->mixed[i]);
		snw_packed_block *block = &packed->blocks[packed->block_count++];
		*block = (snw_packed_block){.first = packed->place_count, .influence_count = size};
		while (i < own->mixed_count && block->count < SNW_BLOCK_POINTS &&
			   snw_point_set_size(own->sets, own->mixed[i]) == size) {
			packed->points_of[block->first + block->count++] = own->mixed[i++];
		}
		const uint32_t first = packed->points_of[block->first], last = packed->points_of[block->first + block->count - 1];
		block->run = last - first == block->count - 1 ? first : SNW_NONE;
		packed->place_count += (block->count + SNW_LANES - 1) / SNW_LANES * SNW_LANES;
	}
}

/* How many places and blocks there will be at most. */
static void make_room(const cut *own, snw_packed_program *packed) {
	uint32_t sizes = own->group_count > 0, mixed_sizes = own->mixed_count > 0;
	for (uint32_t g = 1; g < own->group_count; g++) {
		sizes += own->groups[g].size != own->groups[g - 1].size;
	}
	for (uint32_t i = 1; i < own->mixed_count; i++) {
		mixed_sizes += snw_point_set_size(own->sets, own->mixed[i]) != snw_point_set_size(own->sets, own->mixed[i - 1]);
	}
	const uint32_t mixed_blocks = own->mixed_count / SNW_BLOCK_POINTS + mixed_sizes;
	const size_t places = ((size_t)own->group_count + mixed_blocks) * SNW_LANES + own->mixed_count;
	packed->points_of = SNW_NEW_ARRAY(packed->arena, uint32_t, places);
	packed->runs = SNW_NEW_ARRAY(packed->arena, uint32_t, places / SNW_LANES + 1);
	packed->blocks = SNW_NEW_ARRAY(packed->arena, snw_packed_block,
								   own->group_count / (SNW_BLOCK_POINTS / SNW_LANES) + sizes + mixed_blocks);
	memset(packed->points_of, 0xff, places * sizeof *packed->points_of);
}

void snw_place_points(const snw_point_sets *sets, snw_packed_program *packed) {
	snw_arena *arena = snw_arena_create();
	cut own = {
		.sets = sets,
		.order = SNW_NEW_ARRAY(arena, uint32_t, packed->point_count),
		.groups = SNW_NEW_ARRAY(arena, group, packed->point_count / LEAST_IN_GROUP + 1),
		.mixed = SNW_NEW_ARRAY(arena, uint32_t, packed->point_count),
	};
	if (packed->point_count > 0) {
		cut_sets(&own, packed->point_count);
	}
	make_room(&own, packed);
	place_groups(&own, packed);
	place_mixed(&own, packed);
	snw_arena_destroy(arena);
}
