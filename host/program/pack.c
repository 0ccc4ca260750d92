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
static snw_point_sets make_sets(const snw_program *program, const snw_packed_program *packed, snw_arena *scratch) {
	const uint32_t total = program->influence_offsets[program->point_count];
	snw_point_sets sets = {program->influence_offsets, SNW_NEW_ARRAY(scratch, uint32_t, total),
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
static double pack_influences_of(const snw_program *program, const snw_point_sets *sets, const snw_packed_block *block,
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

static void pack_influences(const snw_program *program, const snw_point_sets *sets, snw_packed_program *packed) {
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
	snw_point_sets sets = {NULL, NULL, NULL};
	const bool blends = program->blend != SNW_BLEND_NONE && program->point_count > 0;
	if (blends) {
		make_palette(program, packed, scratch);
		sets = make_sets(program, packed, scratch);
	}
	snw_place_points(&sets, packed);
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
