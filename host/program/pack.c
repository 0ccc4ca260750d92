/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packs a skin program: palette entries made unique, points ordered by their sets of entries (packed.h), and rest,
 * weights and displacements in the layout of the kernels.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/packed.h"
#include "sinew/algebra.h"

/* ---- the order of points ------------------------------------------------------------------------------------------------- */

/* Sorts points by their set, tile by tile, and divides them into groups of SNW_LANES; sets with too few points for a group
 * go into mixed blocks. Groups and mixed points keep the program's order as far as possible, so that memory is written
 * nearly in order. */

/* The influences of each point sorted by their entries, so that equal sets compare equal. */
typedef struct point_sets {
	const uint32_t *offsets; /* [point_count + 1]; NULL: all sets are empty */
	uint32_t *entries;
	uint32_t *influences; /* the program's */
} point_sets;

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
	const point_sets *sets;
	uint32_t *order; /* points, sorted by their sets within each tile */
	uint32_t *rest;  /* [points of a tile], scratch: those of a set that are not in full runs */
	group *groups;
	uint32_t group_count;
	uint32_t *mixed;
	uint32_t mixed_count;
	tile_share *shares; /* of each tile */
} order_cut;

static uint32_t point_set_size(const point_sets *sets, uint32_t point) {
	return sets->offsets == NULL ? 0 : sets->offsets[point + 1] - sets->offsets[point];
}

static int compare_sets(const point_sets *sets, uint32_t a, uint32_t b) {
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

/* Fills the packed program's places and blocks, all but `entry` and `influence`. */
static void place_points(const point_sets *sets, snw_packed_program *packed) {
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

/* ---- packing ------------------------------------------------------------------------------------------------------------- */

/* Packs a skin program: palette entries made unique, points ordered by their sets of entries (packed.h), and rest,
 * weights and displacements in the layout of the kernels. */

/* ---- pack displacements -------------------------------------------------------------------------------------------------- */

/* Packs displacements by the blocks of their points.
 *
 * A displacement of a smooth region moves most points of the groups that it touches, and a whole group costs little more
 * than one point. */

/* The fewest points of a piece: it takes as long as two single points, and more memory. */
enum { LEAST_IN_PIECE = 2 };

/* Where the points are, and what one displacement does to each SNW_LANES places in a row. */
typedef struct piece_cut {
	uint32_t *blocks;                  /* [point_count] */
	uint32_t *numbers;                 /* [point_count]: the index of x in the block */
	uint32_t *rows;                    /* [point_count]: which places in a row it is among, over all blocks */
	uint32_t *counts;                  /* [rows]: points that the displacement moves there; 0 between displacements */
	uint32_t *pieces;                  /* [rows]: the index of their piece, or SNW_NONE */
	uint32_t *piece_ends, *point_ends; /* [block_count] */
} piece_cut;

static piece_cut open_cut(const snw_packed_program *packed, snw_arena *arena) {
	const size_t row_count = packed->place_count / SNW_LANES + 1;
	piece_cut c = {.blocks = SNW_NEW_ARRAY(arena, uint32_t, packed->point_count),
				   .numbers = SNW_NEW_ARRAY(arena, uint32_t, packed->point_count),
				   .rows = SNW_NEW_ARRAY(arena, uint32_t, packed->point_count),
				   .counts = SNW_NEW_ARRAY(arena, uint32_t, row_count),
				   .pieces = SNW_NEW_ARRAY(arena, uint32_t, row_count),
				   .piece_ends = SNW_NEW_ARRAY(arena, uint32_t, packed->block_count + 1u),
				   .point_ends = SNW_NEW_ARRAY(arena, uint32_t, packed->block_count + 1u)};
	for (uint32_t b = 0; b < packed->block_count; b++) {
		const snw_packed_block *block = &packed->blocks[b];
		for (uint32_t i = 0; i < block->count; i++) {
			const uint32_t point = packed->points_of[block->first + i];
			if (point != SNW_NONE) {
				c.blocks[point] = b;
				c.numbers[point] = block->lanes ? i / SNW_LANES * (3 * SNW_LANES) + i % SNW_LANES : 3 * i;
				c.rows[point] = (block->first + i) / SNW_LANES;
			}
		}
	}
	return c;
}

static void count_rows(const snw_displacements *from, uint32_t k, piece_cut *c) {
	for (uint64_t j = from->offsets[k]; j < from->offsets[k + 1]; j++) {
		c->counts[c->rows[from->points[j]]]++;
		c->pieces[c->rows[from->points[j]]] = SNW_NONE;
	}
}

static void forget_rows(const snw_displacements *from, uint32_t k, piece_cut *c) {
	for (uint64_t j = from->offsets[k]; j < from->offsets[k + 1]; j++) {
		c->counts[c->rows[from->points[j]]] = 0;
	}
}

static bool is_in_piece(const snw_packed_displacements *to, uint32_t k, const piece_cut *c, uint32_t point) {
	return !to->rotated[k] && c->counts[c->rows[point]] >= LEAST_IN_PIECE;
}

/* How many pieces and points each block gets, as sums. */
static void count_all(const snw_displacements *from, const snw_packed_program *packed, snw_packed_displacements *to,
					  piece_cut *c) {
	for (uint32_t k = 0; k < from->count; k++) {
		count_rows(from, k, c);
		for (uint64_t j = from->offsets[k]; j < from->offsets[k + 1]; j++) {
			const uint32_t point = from->points[j], block = c->blocks[point];
			if (!is_in_piece(to, k, c, point)) {
				to->point_begins[block + 1]++;
			} else if (c->pieces[c->rows[point]] == SNW_NONE) {
				c->pieces[c->rows[point]] = 0;
				to->piece_begins[block + 1]++;
			}
		}
		forget_rows(from, k, c);
	}
	for (uint32_t b = 0; b < packed->block_count; b++) {
		to->point_begins[b + 1] += to->point_begins[b];
		to->piece_begins[b + 1] += to->piece_begins[b];
		c->point_ends[b] = to->point_begins[b];
		c->piece_ends[b] = to->piece_begins[b];
	}
}

static void add_to_piece(uint32_t k, uint32_t point, size_t stride, const double vector[3], piece_cut *c,
						 snw_packed_displacements *to) {
	uint32_t *piece = &c->pieces[c->rows[point]];
	const uint32_t number = c->numbers[point], first = number / (3 * SNW_LANES) * (3 * SNW_LANES);
	if (*piece == SNW_NONE) {
		*piece = c->piece_ends[c->blocks[point]]++;
		to->pieces[*piece] = (snw_displaced_piece){k, first};
	}
	for (size_t i = 0; i < 3; i++) {
		to->piece_vectors[3 * SNW_LANES * (size_t)*piece + (number - first) + i * stride] += (float)vector[i];
	}
}

static void add_displaced(uint32_t k, uint32_t point, const double vector[3], piece_cut *c, snw_packed_displacements *to) {
	to->points[c->point_ends[c->blocks[point]]++] =
		(snw_displaced_point){k, c->numbers[point], {(float)vector[0], (float)vector[1], (float)vector[2]}};
}

static void add_all(const snw_displacements *from, const snw_packed_program *packed, snw_packed_displacements *to,
					piece_cut *c) {
	for (uint32_t k = 0; k < from->count; k++) {
		count_rows(from, k, c);
		for (uint64_t j = from->offsets[k]; j < from->offsets[k + 1]; j++) {
			const uint32_t point = from->points[j];
			const double *vector = from->vectors + 3 * j;
			if (is_in_piece(to, k, c, point)) {
				add_to_piece(k, point, packed->blocks[c->blocks[point]].lanes ? SNW_LANES : 1, vector, c, to);
			} else {
				add_displaced(k, point, vector, c, to);
			}
		}
		forget_rows(from, k, c);
	}
}

/* The program's places and blocks are known. */
static void pack_displacements(const snw_displacements *from, const snw_packed_program *packed, snw_packed_displacements *to) {
	if (from->count == 0) {
		return;
	}
	snw_arena *arena = packed->arena, *scratch = snw_arena_create();
	piece_cut c = open_cut(packed, scratch);
	to->count = from->count;
	to->coefficients = snw_arena_copy(arena, from->coefficients, from->count * sizeof *from->coefficients);
	to->rotated = SNW_NEW_ARRAY(arena, bool, from->count);
	to->piece_begins = SNW_NEW_ARRAY(arena, uint32_t, packed->block_count + 1u);
	to->point_begins = SNW_NEW_ARRAY(arena, uint32_t, packed->block_count + 1u);
	to->scales = SNW_NEW_ARRAY(arena, float, from->count);
	to->rotations = SNW_NEW_ARRAY(arena, float, 9 * (size_t)from->count);
	for (uint32_t k = 0; k < from->count; k++) {
		to->rotated[k] = from->joints != NULL && from->joints[k] != SNW_NONE;
	}
	count_all(from, packed, to, &c);
	to->pieces = SNW_NEW_ARRAY(arena, snw_displaced_piece, to->piece_begins[packed->block_count]);
	to->piece_vectors = SNW_NEW_ARRAY(arena, float, 3 * SNW_LANES * (size_t)to->piece_begins[packed->block_count]);
	to->points = SNW_NEW_ARRAY(arena, snw_displaced_point, to->point_begins[packed->block_count]);
	add_all(from, packed, to, &c);
	snw_arena_destroy(scratch);
}

/* ---- pack ---------------------------------------------------------------------------------------------------------------- */

static void measure_rest(const snw_program *program, snw_packed_program *packed) {
	double least[3] = {0, 0, 0}, most[3] = {0, 0, 0}, square = 0;
	for (uint32_t i = 0; i < program->point_count; i++) {
		for (int c = 0; c < 3; c++) {
			const double x = program->points_rest[3 * (size_t)i + (size_t)c];
			least[c] = i == 0 ? x : fmin(least[c], x);
			most[c] = i == 0 ? x : fmax(most[c], x);
		}
	}
	for (int c = 0; c < 3; c++) {
		packed->centre[c] = (double)(float)((least[c] + most[c]) / 2);
		square += (most[c] - least[c]) * (most[c] - least[c]);
	}
	packed->diagonal = sqrt(square);
}

/* The index of a place's first number in an array of blocks with `numbers` for each place; the next is `stride` later. */
static size_t number_at(const snw_packed_block *block, size_t begin, uint32_t place, size_t numbers, size_t *stride) {
	*stride = block->lanes ? SNW_LANES : 1;
	return begin + (block->lanes ? place / SNW_LANES * (numbers * SNW_LANES) + place % SNW_LANES : numbers * place);
}

/* Vectors of points by their places, minus `from`. */
static float *pack_vectors(const double *vectors, const double from[3], const snw_packed_program *packed) {
	float *values = SNW_NEW_ARRAY(packed->arena, float, 3 * (size_t)packed->place_count + SNW_LANES);
	for (const snw_packed_block *block = packed->blocks; block < packed->blocks + packed->block_count; block++) {
		for (uint32_t i = 0; i < block->count; i++) {
			const uint32_t point = packed->points_of[block->first + i];
			size_t stride, at = number_at(block, 3 * (size_t)block->first, i, 3, &stride);
			for (size_t c = 0; c < 3 && point != SNW_NONE; c++) {
				values[at + c * stride] = (float)(vectors[3 * (size_t)point + c] - from[c]);
			}
		}
	}
	return values;
}

/* Normals of length 1, or 0. */
static void pack_normals(const double *normals, snw_packed_program *packed, snw_arena *scratch) {
	static const double nowhere[3] = {0, 0, 0};
	double *unit = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)packed->point_count);
	for (uint32_t i = 0; i < packed->point_count; i++) {
		const double *n = normals + 3 * (size_t)i, length = snw_length3(n);
		for (size_t c = 0; c < 3 && length > 0; c++) {
			unit[3 * (size_t)i + c] = n[c] / length;
		}
	}
	packed->normals = pack_vectors(unit, nowhere, packed);
}

/* The palette entry of an influence, as a sort key. */
static uint64_t entry_key(const snw_program *program, uint32_t influence, uint32_t pivot) {
	const bool is_signed = program->blend == SNW_BLEND_DUAL_QUATERNION && program->sign_rule == SNW_SIGN_SHORTEST;
	const uint64_t slot = program->influence_slots[influence];
	return (is_signed ? (uint64_t)program->influence_slots[pivot] << 32 : slot << 32) | slot;
}

static int compare_keys(const void *a, const void *b) {
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static uint32_t find_packed_entry(const snw_packed_program *packed, uint64_t key) {
	uint32_t low = 0, high = packed->entry_count;
	while (high - low > 1) {
		const uint32_t middle = low + (high - low) / 2;
		const snw_packed_entry *entry = &packed->entries[middle];
		const uint64_t there = (uint64_t)packed->slots[entry->pivot].slot << 32 | packed->slots[entry->slot].slot;
		if (there <= key) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

/* Recent keys, hashed: neighbours have the same ones, so the list to sort stays short. */
enum { RECENT_KEYS = 1024 };

static uint32_t find_slot(const snw_packed_program *packed, uint32_t slot) {
	uint32_t low = 0, high = packed->slot_count;
	while (high - low > 1) {
		const uint32_t middle = low + (high - low) / 2;
		if (packed->slots[middle].slot <= slot) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

/* The slots that entries name, `keys` ascending. `weights` is of each of the program's slots, `sum` of all. */
static void list_entry_slots(const uint64_t *keys, const double *weights, double sum, uint32_t slot_count,
							 snw_packed_program *packed, snw_arena *scratch) {
	bool *is_used = SNW_NEW_ARRAY(scratch, bool, slot_count);
	for (uint32_t e = 0; e < packed->entry_count; e++) {
		is_used[(uint32_t)keys[e]] = is_used[keys[e] >> 32] = true;
	}
	for (uint32_t s = 0; s < slot_count; s++) {
		packed->slot_count += is_used[s];
	}
	packed->slots = SNW_NEW_ARRAY(packed->arena, snw_packed_slot, packed->slot_count);
	for (uint32_t s = 0, filled = 0; s < slot_count; s++) {
		if (is_used[s]) {
			packed->slots[filled++] = (snw_packed_slot){s, sum > 0 ? weights[s] / sum : 0};
		}
	}
}

/* The entries of all influences, each once, and the slots that they name. `scratch` is freed afterwards. */
static void make_entries(const snw_program *program, snw_packed_program *packed, snw_arena *scratch) {
	const uint32_t influence_total = program->influence_offsets[program->point_count];
	uint64_t *keys = SNW_NEW_ARRAY(scratch, uint64_t, influence_total), recent[RECENT_KEYS];
	double *weights = SNW_NEW_ARRAY(scratch, double, program->slot_count);
	double sum = 0;
	uint32_t filled = 0;
	memset(recent, 0xff, sizeof recent);
	for (uint32_t i = 0; i < program->point_count; i++) {
		const uint32_t begin = program->influence_offsets[i], end = program->influence_offsets[i + 1];
		const uint32_t pivot = snw_program_pivot(program, begin, end);
		for (uint32_t k = begin; k < end; k++) {
			const uint64_t key = entry_key(program, k, pivot), at = (key ^ key >> 27) % RECENT_KEYS;
			if (recent[at] != key) {
				keys[filled++] = recent[at] = key;
			}
			weights[program->influence_slots[k]] += fabs(program->influence_weights[k]);
			sum += fabs(program->influence_weights[k]);
		}
	}
	if (filled > 0) {
		qsort(keys, filled, sizeof *keys, compare_keys);
	}
	for (uint32_t k = 0; k < filled; k++) {
		if (k == 0 || keys[k] != keys[k - 1]) {
			keys[packed->entry_count++] = keys[k];
		}
	}
	list_entry_slots(keys, weights, sum, program->slot_count, packed, scratch);
	packed->entries = SNW_NEW_ARRAY(packed->arena, snw_packed_entry, packed->entry_count);
	for (uint32_t e = 0; e < packed->entry_count; e++) {
		packed->entries[e] =
			(snw_packed_entry){find_slot(packed, (uint32_t)keys[e]), find_slot(packed, (uint32_t)(keys[e] >> 32))};
	}
	packed->wide = packed->entry_count > UINT16_MAX;
}

/* The entries of each point, ascending. */
static point_sets make_sets(const snw_program *program, const snw_packed_program *packed, snw_arena *scratch) {
	const uint32_t total = program->influence_offsets[program->point_count];
	point_sets sets = {program->influence_offsets, SNW_NEW_ARRAY(scratch, uint32_t, total),
					   SNW_NEW_ARRAY(scratch, uint32_t, total)};
	for (uint32_t i = 0; i < program->point_count; i++) {
		const uint32_t begin = program->influence_offsets[i], end = program->influence_offsets[i + 1];
		const uint32_t pivot = snw_program_pivot(program, begin, end);
		for (uint32_t k = begin; k < end; k++) {
			const uint32_t entry = find_packed_entry(packed, entry_key(program, k, pivot));
			uint32_t at = k;
			for (; at > begin && sets.entries[at - 1] > entry; at--) {
				sets.entries[at] = sets.entries[at - 1];
				sets.influences[at] = sets.influences[at - 1];
			}
			sets.entries[at] = entry;
			sets.influences[at] = k;
		}
	}
	return sets;
}

static void pack_row(const snw_packed_program *packed, const double row[4], size_t stride, float *values) {
	for (size_t c = 0; c < 3; c++) {
		values[c * stride] = (float)(row[c] - row[3] * packed->centre[c]);
	}
	values[3 * stride] = (float)row[3];
}

static void put_entry(snw_packed_program *packed, size_t at, uint32_t entry) {
	if (packed->wide) {
		((uint32_t *)packed->entries_of)[at] = entry;
	} else {
		((uint16_t *)packed->entries_of)[at] = (uint16_t)entry;
	}
}

/* Allocates the entries and weights of each block. */
static void place_influences(snw_packed_program *packed) {
	size_t entry_total = 0, total = 0;
	for (uint32_t b = 0; b < packed->block_count; b++) {
		snw_packed_block *block = &packed->blocks[b];
		const size_t n = block->influence_count;
		block->entry = entry_total;
		block->influence = total;
		entry_total += block->lanes ? block->count / SNW_LANES * n : block->count * n;
		total += (block->count * n + SNW_LANES - 1) / SNW_LANES * SNW_LANES;
	}
	packed->entries_of = snw_arena_array(packed->arena, entry_total, packed->wide ? sizeof(uint32_t) : sizeof(uint16_t));
	if (packed->blend == SNW_BLEND_AFFINE) {
		packed->influence_rows = SNW_NEW_ARRAY(packed->arena, float, 4 * total);
	} else {
		packed->influence_weights = SNW_NEW_ARRAY(packed->arena, float, total);
	}
}

/* Fills in the influences of a place. Returns the sum of their weights minus 1. */
static double pack_influences_of(const snw_program *program, const point_sets *sets, const snw_packed_block *block,
								 uint32_t place, snw_packed_program *packed) {
	const uint32_t point = packed->points_of[block->first + place], n = block->influence_count;
	size_t stride;
	double sum = 0;
	for (uint32_t k = 0; k < n; k++) {
		const size_t influence = sets->influences[sets->offsets[point] + k];
		const uint32_t entry = sets->entries[sets->offsets[point] + k];
		put_entry(packed, block->entry + (size_t)(block->lanes ? place / SNW_LANES : place) * n + k, entry);
		sum += program->influence_weights[influence];
		if (packed->blend == SNW_BLEND_AFFINE) {
			const size_t at = number_at(block, 4 * block->influence, place, 4 * (size_t)n, &stride);
			pack_row(packed, program->influence_rows + 4 * influence, stride, packed->influence_rows + at + 4 * k * stride);
		} else {
			const size_t at = number_at(block, block->influence, place, n, &stride);
			packed->influence_weights[at + k * stride] = (float)program->influence_weights[influence];
		}
	}
	return sum - 1;
}

static void pack_influences(const snw_program *program, const point_sets *sets, snw_packed_program *packed) {
	bool any_excess = false;
	packed->excess = SNW_NEW_ARRAY(packed->arena, float, packed->place_count);
	place_influences(packed);
	for (const snw_packed_block *block = packed->blocks; block < packed->blocks + packed->block_count; block++) {
		for (uint32_t i = 0; i < block->count; i++) {
			if (packed->points_of[block->first + i] != SNW_NONE) {
				const double excess = pack_influences_of(program, sets, block, i, packed);
				packed->excess[block->first + i] = (float)excess;
				any_excess = any_excess || fabs(excess) > 1e-12;
			}
		}
	}
	packed->excess = any_excess ? packed->excess : NULL;
}

static void make_palette(const snw_program *program, snw_packed_program *packed, snw_arena *scratch) {
	snw_arena *arena = packed->arena;
	make_entries(program, packed, scratch);
	packed->matrices = SNW_NEW_ARRAY(arena, float, 16 * (size_t)packed->entry_count);
	if (program->blend == SNW_BLEND_DUAL_QUATERNION) {
		packed->dual_quaternions = SNW_NEW_ARRAY(arena, float, 8 * (size_t)packed->entry_count);
		packed->slot_dual_quaternions = SNW_NEW_ARRAY(arena, double, 8 * (size_t)packed->slot_count);
		packed->slot_stretches = SNW_NEW_ARRAY(arena, double, 9 * (size_t)packed->slot_count);
	}
}

snw_packed_program *snw_program_pack_with_normals(const snw_program *program, const double *normals_rest) {
	snw_arena *arena = snw_arena_create(), *scratch = snw_arena_create();
	snw_packed_program *packed = SNW_NEW(arena, snw_packed_program);
	uint32_t kernel_count;
	const snw_kernels *const *kernels = snw_kernels_available(&kernel_count);
	packed->arena = arena;
	packed->kernels = kernels[kernel_count - 1];
	packed->blend = program->blend;
	packed->sign_rule = program->sign_rule;
	packed->dual_quaternion_palette = program->dual_quaternion_palette;
	packed->point_count = program->point_count;
	measure_rest(program, packed);
	point_sets sets = {NULL, NULL, NULL};
	const bool blends = program->blend != SNW_BLEND_NONE && program->point_count > 0;
	if (blends) {
		make_palette(program, packed, scratch);
		sets = make_sets(program, packed, scratch);
	}
	place_points(&sets, packed);
	packed->rest = pack_vectors(program->points_rest, packed->centre, packed);
	if (normals_rest != NULL) {
		pack_normals(normals_rest, packed, scratch);
	}
	if (blends) {
		pack_influences(program, &sets, packed);
	}
	pack_displacements(&program->rest, packed, &packed->displaced_rest);
	pack_displacements(&program->posed, packed, &packed->displaced_posed);
	snw_arena_destroy(scratch);
	return packed;
}

snw_packed_program *snw_program_pack(const snw_program *program) {
	return snw_program_pack_with_normals(program, NULL);
}

void snw_packed_program_destroy(snw_packed_program *packed) {
	if (packed != NULL) {
		snw_arena_destroy(packed->arena);
	}
}
