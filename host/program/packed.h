/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The packed form of a skin program, for float_evaluator.c and its tests.
 *
 * Far from the origin a float has too few digits for a character's shape. So points are packed relative to a centre,
 * palettes map them to positions relative to the image of that centre (both in double, once for each input and slot), and
 * only the last addition has the precision of the coordinates.
 */
#ifndef SINEW_HOST_PROGRAM_PACKED_H
#define SINEW_HOST_PROGRAM_PACKED_H

#include "program/kernels/kernels.h"
#include "program/program.h"

enum {
	/* The points that one thread takes at a time, and the most of a tile: the output of a tile fits into the second-level
	 * cache. */
	SNW_TILE_POINTS = 2048,
	/* The most points of a mesh of one tile: its points are indexed by uint16_t. */
	SNW_WHOLE_POINTS = 65536
};

/* Consecutive points, consecutive places: sorting by sets is confined to a tile. */
typedef struct snw_packed_tile {
	uint32_t point, point_count;
	uint32_t block, block_count;
} snw_packed_tile;

/* Up to SNW_BLOCK_POINTS places for points of one tile with the same number of influences. A block of lanes has whole groups
 * of SNW_LANES places; the points of a group share their set of entries, and unused places, the first ones, are padding. A
 * mixed block has single points. Arrays over places start every block at a multiple of SNW_LANES. */
typedef struct snw_packed_block {
	bool lanes;
	uint32_t first, count; /* places */
	uint32_t influence_count;
	uint32_t point;   /* the tile's first, to which `locals`, `runs` and `run` are relative */
	uint32_t run;     /* mixed: the first point if the points are consecutive, else SNW_NONE */
	size_t entry;     /* index in `entries_of` */
	size_t influence; /* index in the weights, and times 4 in the rows */
} snw_packed_block;

/* A point that a displacement moves. */
typedef struct snw_displaced_point {
	uint32_t displacement, number; /* the index of its x in the block: y and z follow at SNW_LANES in lanes, else directly */
	float vector[3];
} snw_displaced_point;

/* Displacements by blocks, and in a block in their order, so that memory is read in order. What moves at least two of SNW_LANES
 * places in a row, and is not rotated, is a piece; what remains is single points. */
typedef struct snw_packed_displacements {
	uint32_t count;
	uint32_t *coefficients; /* [count] */
	bool *rotated;          /* [count]: a joint rotates it */
	uint32_t *piece_begins; /* [block_count + 1] */
	snw_displaced_piece *pieces;
	float *piece_vectors;   /* [pieces][3 · SNW_LANES] */
	uint32_t *point_begins; /* [block_count + 1] */
	snw_displaced_point *points;
	/* Of the current input: the coefficients, and those of rotated displacements times F_l, 3×3 each. */
	float *scales;    /* [count] */
	float *rotations; /* [count][9] */
} snw_packed_displacements;

/* A slot that pulls points, and its share of all weights. A character of many meshes has far more slots than one of them. */
typedef struct snw_packed_slot {
	uint32_t slot;
	double share;
} snw_packed_slot;

/* An entry of the palette: the place of a slot in `slots`; for dual quaternions under the shortest rule also that of the
 * pivot's slot, so that points need no sign logic. */
typedef struct snw_packed_entry {
	uint32_t slot, pivot;
} snw_packed_entry;

struct snw_packed_program {
	snw_arena *arena;
	const snw_kernels *kernels;
	int32_t blend, sign_rule;
	bool dual_quaternion_palette;
	uint32_t point_count;

	uint32_t place_count;
	uint32_t *points_of; /* [place_count]: the program's point; SNW_NONE for padding */
	uint16_t *locals;    /* the same, relative to the tile's first point; padding has that of the point after it */
	uint16_t *runs;      /* [place_count / SNW_LANES], for lanes: the local that a group counts up from, or SNW_NO_RUN */
	float *rest;         /* rest − centre, by blocks: [groups][3][SNW_LANES], or [places][3] where mixed */
	float *normals;      /* at rest, like `rest`; NULL for none */
	double centre[3];    /* of the rest's bounding box; each a float's value */
	double diagonal;     /* of that box */
	uint32_t block_count;
	snw_packed_block *blocks;
	bool streamed; /* the output is larger than the caches */
	uint32_t tile_count;
	snw_packed_tile *tiles;

	/* By blocks, in the layout of the kernels. */
	bool wide;
	void *entries_of;
	float *influence_weights;
	float *influence_rows; /* AFFINE, relative to the centre */
	float *excess;         /* [place_count]: Σ w − 1; NULL if it is 0 everywhere */

	uint32_t entry_count;
	snw_packed_entry *entries;
	uint32_t slot_count;
	snw_packed_slot *slots; /* [slot_count], ascending */

	snw_packed_displacements displaced_rest, displaced_posed;

	/* Of the current input. */
	double *slot_dual_quaternions; /* [slot_count][8] */
	double *slot_stretches;        /* [slot_count][9], minus the identity */
	float *matrices;               /* [entry_count][16], in the layout of the kernels */
	float *dual_quaternions;       /* [entry_count][8] */
	bool stretched;
	float origin[3]; /* posed positions are relative to it */
	float stay[3];
	const float *points_in;
	float *points_out, *normals_out; /* NULL for no normals */
};

#endif
