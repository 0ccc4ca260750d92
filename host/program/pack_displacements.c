/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A displacement of a smooth region moves most points of the groups that it touches, and a whole group costs little more than
 * one point.
 */
#include "program/pack_displacements.h"

#include <string.h>

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

void snw_pack_displacements(const snw_displacements *from, const snw_packed_program *packed, snw_packed_displacements *to) {
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
