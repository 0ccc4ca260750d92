/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The packed form of a skin program, for fast.c and its tests.
 *
 * Far from the origin a float has no digits left for a character's shape. So points are packed relative to a centre, palettes
 * map them to places relative to where that centre goes (both in double, once for each input and slot), and only the last addition
 * of all is as coarse as the coordinates themselves.
 */
#ifndef SINEW_HOST_PROGRAM_PACKED_H
#define SINEW_HOST_PROGRAM_PACKED_H

#include "program/float_evaluator.h"
#include "program/kernels/kernels.h"

enum {
	/* Points that one thread takes at a time, and the most that a tile has: what a tile writes stays in the second cache. */
	SNW_TILE_POINTS = 2048,
	/* The most points of a mesh that is one tile: its points are numbered by uint16_t. */
	SNW_WHOLE_POINTS = 65536
};

/* Points in a row, places in a row: what is sorted by sets stays within a tile. */
typedef struct snw_packed_tile {
	uint32_t point, point_count;
	uint32_t block, block_count;
} snw_packed_tile;

/* Up to SNW_BLOCK_POINTS places for points of one tile with the same number of influences. A block of lanes holds whole groups
 * of SNW_LANES places; points of a group share their set of entries, and places left over, its first ones, are padding. A mixed
 * block holds points that found no 15 others, by themselves. Arrays for each place start every block at a multiple of
 * SNW_LANES. */
typedef struct snw_packed_block {
	bool lanes;
	uint32_t first, count; /* places */
	uint32_t influence_count;
	uint32_t point;   /* the tile's first, which `locals`, `runs` and `run` count from */
	uint32_t run;     /* mixed: the point that its places count up from, SNW_NONE where they do not */
	size_t entry;     /* into `entries_of` */
	size_t influence; /* into the weights, and times 4 into the rows */
} snw_packed_block;

/* Displacements cut at the blocks: those of displacement k in block b are offsets[k (blocks + 1) + b] … + 1. */
typedef struct snw_packed_displacements {
	uint32_t count;
	uint32_t *coefficients; /* [count] */
	bool *rotated;          /* [count]: rotates with a joint */
	uint32_t *offsets;      /* [count][block_count + 1] */
	uint32_t *numbers;      /* where its x is among the block's numbers: SNW_LANES before y and z in lanes, next to them else */
	float *vectors;         /* [][3] */
	/* Of the input at hand: the displacements that act, their coefficients, or those times F_l: 3×3 each. */
	uint32_t active_count;
	uint32_t *active; /* [count] */
	float *scales;    /* [count][9] */
} snw_packed_displacements;

/* An entry of the palette: a slot; for dual quaternions under the shortest rule also the slot of the pivot whose sign it
 * takes, so that points need no sign logic of their own. */
typedef struct snw_packed_entry {
	uint32_t slot, pivot;
} snw_packed_entry;

struct snw_packed_program {
	snw_arena *arena;
	const snw_kernels *kernels;
	int32_t blend, sign_rule;
	bool dual_quaternion_palette;
	uint32_t point_count, slot_count;

	uint32_t place_count;
	uint32_t *points_of; /* [place_count]: the program's point; SNW_NONE for padding */
	uint16_t *locals;    /* the same from its tile's first on; padding has that of the point which it stands before */
	uint16_t *runs;      /* [place_count / SNW_LANES], for lanes: the local that a group counts up from, or SNW_NO_RUN */
	float *rest;         /* rest − centre, by blocks: [groups][3][SNW_LANES], or [places][3] where mixed */
	float *normals;      /* at rest, like `rest`; NULL for none */
	double centre[3];    /* of the rest's bounding box; each a float's value */
	double diagonal;     /* of that box */
	uint32_t block_count;
	snw_packed_block *blocks;
	bool streamed; /* what is written outgrows the caches */
	uint32_t tile_count;
	snw_packed_tile *tiles;

	/* By blocks, in the shapes that the kernels take. */
	bool wide;
	void *entries_of;
	float *influence_weights;
	float *influence_rows; /* AFFINE, relative to the centre */
	float *excess;         /* [place_count]: Σ w − 1; NULL where that is 0 everywhere */

	uint32_t entry_count;
	snw_packed_entry *entries;
	double *slot_shares; /* [slot_count]: its part of all weights, 0 where unused */

	snw_packed_displacements displaced_rest, displaced_posed;

	/* Of the input at hand. */
	double *slot_dual_quaternions; /* [slot_count][8] */
	double *slot_stretches;        /* [slot_count][9], less the identity */
	float *matrices;               /* [entry_count][16], as the kernels want them */
	float *dual_quaternions;       /* [entry_count][8] */
	bool stretched;
	float origin[3]; /* what posed places are relative to */
	float stay[3];
	const float *points_in;
	float *points_out, *normals_out; /* NULL for no normals */
};

#endif
