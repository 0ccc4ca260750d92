/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sorts points by their set, tile by tile, and divides them into groups of SNW_LANES; sets with too few points for a group
 * go into mixed blocks. Groups and mixed points keep the program's order as far as possible, so that memory is written
 * nearly in order.
 */
#include <stdlib.h>
#include <string.h>

#include "program/packed.h"

/* The fewest points for a padded group. */
enum { LEAST_IN_GROUP = 8 };

/* The fewest points that are written past the caches: 3 MiB, more than the second-level cache of a core. */
enum { STREAMED_POINTS = 262144 };

typedef struct group {
	uint32_t begin, count; /* of the sorted points */
	uint32_t size;         /* of the set */
	uint32_t point;        /* the first */
} group;

/* A tile's part of the groups and of the mixed points. */
typedef struct tile_share {
	uint32_t group_begin, group_end, mixed_begin, mixed_end;
} tile_share;

typedef struct order_cut {
	const snw_point_sets *sets;
	uint32_t *order; /* points, sorted by their sets within each tile */
	uint32_t *rest;  /* [points of a tile], scratch: those of a set that are not in full runs */
	group *groups;
	uint32_t group_count;
	uint32_t *mixed;
	uint32_t mixed_count;
	tile_share *shares; /* of each tile */
} order_cut;

static uint32_t point_set_size(const snw_point_sets *sets, uint32_t point) {
	return sets->offsets == NULL ? 0 : sets->offsets[point + 1] - sets->offsets[point];
}

static int compare_sets(const snw_point_sets *sets, uint32_t a, uint32_t b) {
	const uint32_t size = point_set_size(sets, a), other = point_set_size(sets, b);
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

/* Mixed points: by the size of their set, then in the program's order. */
static int compare_mixed(const void *a, const void *b, void *sets) {
	const uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
	const uint32_t size = point_set_size(sets, p), other = point_set_size(sets, q);
	return size != other ? (size > other) - (size < other) : (p > q) - (p < q);
}

static int compare_groups(const void *a, const void *b) {
	const group *p = a, *q = b;
	return p->size != q->size ? (p->size > q->size) - (p->size < q->size) : (p->point > q->point) - (p->point < q->point);
}

static void add_group(order_cut *partition, uint32_t begin, uint32_t count) {
	const uint32_t point = partition->order[begin];
	partition->groups[partition->group_count++] = (group){begin, count, point_set_size(partition->sets, point), point};
}

/* Divides the points that share a set, `begin` … `end` − 1 of the order: first into runs of 16 consecutive points, which are
 * written in one piece, then into groups of 16 others. */
static void cut_set(order_cut *partition, uint32_t begin, uint32_t end) {
	uint32_t *order = partition->order, full = begin, remaining = 0;
	for (uint32_t i = begin; i < end;) {
		if (end - i >= SNW_LANES && order[i + SNW_LANES - 1] - order[i] == SNW_LANES - 1) {
			memmove(order + full, order + i, SNW_LANES * sizeof *order);
			add_group(partition, full, SNW_LANES);
			full += SNW_LANES;
			i += SNW_LANES;
		} else {
			partition->rest[remaining++] = order[i++];
		}
	}
	memcpy(order + full, partition->rest, remaining * sizeof *order);
	for (uint32_t i = full; i < end; i += SNW_LANES) {
		const uint32_t count = end - i < SNW_LANES ? end - i : SNW_LANES;
		if (count >= LEAST_IN_GROUP) {
			add_group(partition, i, count);
		} else {
			memcpy(partition->mixed + partition->mixed_count, order + i, count * sizeof *partition->mixed);
			partition->mixed_count += count;
		}
	}
}

static void cut_tile(order_cut *partition, const snw_packed_tile *tile, tile_share *part) {
	uint32_t *order = partition->order + tile->point;
	const uint32_t last = tile->point + tile->point_count;
	*part = (tile_share){.group_begin = partition->group_count, .mixed_begin = partition->mixed_count};
	for (uint32_t i = 0; i < tile->point_count; i++) {
		order[i] = tile->point + i;
	}
	qsort_r(order, tile->point_count, sizeof *order, compare_points, (void *)(uintptr_t)partition->sets);
	for (uint32_t begin = tile->point, end = begin; begin < last; begin = end) {
		while (end < last && compare_sets(partition->sets, partition->order[begin], partition->order[end]) == 0) {
			end++;
		}
		cut_set(partition, begin, end);
	}
	part->group_end = partition->group_count;
	part->mixed_end = partition->mixed_count;
	qsort(partition->groups + part->group_begin, part->group_end - part->group_begin, sizeof *partition->groups,
		  compare_groups);
	qsort_r(partition->mixed + part->mixed_begin, part->mixed_end - part->mixed_begin, sizeof *partition->mixed, compare_mixed,
			(void *)(uintptr_t)partition->sets);
}

/* Upper limits of the numbers of places and blocks. */
static void make_room(const order_cut *partition, snw_packed_program *packed) {
	size_t places = 0, blocks = 0;
	for (const tile_share *part = partition->shares; part < partition->shares + packed->tile_count; part++) {
		const uint32_t groups = part->group_end - part->group_begin, mixed = part->mixed_end - part->mixed_begin;
		uint32_t sizes = groups > 0, mixed_sizes = mixed > 0;
		for (uint32_t g = part->group_begin + 1; g < part->group_end; g++) {
			sizes += partition->groups[g].size != partition->groups[g - 1].size;
		}
		for (uint32_t i = part->mixed_begin + 1; i < part->mixed_end; i++) {
			mixed_sizes += point_set_size(partition->sets, partition->mixed[i]) !=
						   point_set_size(partition->sets, partition->mixed[i - 1]);
		}
		const uint32_t mixed_blocks = mixed / SNW_BLOCK_POINTS + mixed_sizes;
		blocks += groups / (SNW_BLOCK_POINTS / SNW_LANES) + sizes + mixed_blocks;
		places += ((size_t)groups + mixed_blocks) * SNW_LANES + mixed;
	}
	packed->points_of = SNW_NEW_ARRAY(packed->arena, uint32_t, places);
	packed->locals = SNW_NEW_ARRAY(packed->arena, uint16_t, places);
	packed->runs = SNW_NEW_ARRAY(packed->arena, uint16_t, places / SNW_LANES + 1);
	packed->blocks = SNW_NEW_ARRAY(packed->arena, snw_packed_block, blocks);
	memset(packed->points_of, 0xff, places * sizeof *packed->points_of);
}

static void place_group(const order_cut *partition, const group *from, const snw_packed_tile *tile,
						snw_packed_program *packed) {
	const uint32_t first = packed->place_count, padding = SNW_LANES - from->count, *points = partition->order + from->begin;
	for (uint32_t lane = 0; lane < SNW_LANES; lane++) {
		packed->points_of[first + lane] = lane < padding ? SNW_NONE : points[lane - padding];
		packed->locals[first + lane] = (uint16_t)(points[lane < padding ? 0 : lane - padding] - tile->point);
	}
	const bool in_a_row = padding == 0 && points[SNW_LANES - 1] - points[0] == SNW_LANES - 1;
	packed->runs[first / SNW_LANES] = in_a_row ? packed->locals[first] : SNW_NO_RUN;
	packed->place_count += SNW_LANES;
}

/* Blocks of whole groups whose sets have the same size. */
static void place_groups(const order_cut *partition, const tile_share *part, const snw_packed_tile *tile,
						 snw_packed_program *packed) {
	snw_packed_block *block = NULL;
	for (uint32_t g = part->group_begin; g < part->group_end; g++) {
		const group *from = &partition->groups[g];
		if (block == NULL || block->influence_count != from->size || block->count == SNW_BLOCK_POINTS) {
			block = &packed->blocks[packed->block_count++];
			*block = (snw_packed_block){.lanes = true,
										.first = packed->place_count,
										.influence_count = from->size,
										.point = tile->point,
										.run = SNW_NONE};
		}
		place_group(partition, from, tile, packed);
		block->count += SNW_LANES;
	}
}

static void place_mixed(const order_cut *partition, const tile_share *part, const snw_packed_tile *tile,
						snw_packed_program *packed) {
	uint32_t i = part->mixed_begin;
	while (i < part->mixed_end) {
		const uint32_t size = point_set_size(partition->sets, partition->mixed[i]);
		snw_packed_block *block = &packed->blocks[packed->block_count++];
		*block = (snw_packed_block){.first = packed->place_count, .influence_count = size, .point = tile->point};
		while (i < part->mixed_end && block->count < SNW_BLOCK_POINTS &&
			   point_set_size(partition->sets, partition->mixed[i]) == size) {
			packed->locals[block->first + block->count] = (uint16_t)(partition->mixed[i] - tile->point);
			packed->points_of[block->first + block->count++] = partition->mixed[i++];
		}
		const uint32_t first = packed->points_of[block->first], last = packed->points_of[block->first + block->count - 1];
		block->run = last - first == block->count - 1 ? first - tile->point : SNW_NONE;
		packed->place_count += (block->count + SNW_LANES - 1) / SNW_LANES * SNW_LANES;
	}
}

static void make_tiles(snw_packed_program *packed) {
	const uint32_t most = packed->point_count <= SNW_WHOLE_POINTS ? SNW_WHOLE_POINTS : SNW_TILE_POINTS;
	packed->streamed = packed->point_count >= STREAMED_POINTS;
	packed->tile_count = (packed->point_count + most - 1) / most;
	packed->tiles = SNW_NEW_ARRAY(packed->arena, snw_packed_tile, packed->tile_count);
	for (uint32_t t = 0; t < packed->tile_count; t++) {
		const uint32_t remaining = packed->point_count - t * most;
		packed->tiles[t] = (snw_packed_tile){.point = t * most, .point_count = remaining < most ? remaining : most};
	}
}

void snw_place_points(const snw_point_sets *sets, snw_packed_program *packed) {
	snw_arena *arena = snw_arena_create();
	make_tiles(packed);
	order_cut partition = {
		.sets = sets,
		.order = SNW_NEW_ARRAY(arena, uint32_t, packed->point_count),
		.rest = SNW_NEW_ARRAY(arena, uint32_t, packed->tile_count > 0 ? packed->tiles[0].point_count : 0),
		.groups = SNW_NEW_ARRAY(arena, group, packed->point_count / LEAST_IN_GROUP + 1),
		.mixed = SNW_NEW_ARRAY(arena, uint32_t, packed->point_count),
		.shares = SNW_NEW_ARRAY(arena, tile_share, packed->tile_count),
	};
	for (uint32_t t = 0; t < packed->tile_count; t++) {
		cut_tile(&partition, &packed->tiles[t], &partition.shares[t]);
	}
	make_room(&partition, packed);
	for (uint32_t t = 0; t < packed->tile_count; t++) {
		snw_packed_tile *tile = &packed->tiles[t];
		tile->block = packed->block_count;
		place_groups(&partition, &partition.shares[t], tile, packed);
		place_mixed(&partition, &partition.shares[t], tile, packed);
		tile->block_count = packed->block_count - tile->block;
	}
	snw_arena_destroy(arena);
}
