/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packing a skin program: points sorted by their number of influences and cut into blocks, palette entries made unique,
 * displacements cut at the blocks.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/packed.h"

static uint32_t influence_count_of(const snw_program *program, uint32_t point) {
	return program->blend == SNW_BLEND_NONE ? 0 : program->influence_offsets[point + 1] - program->influence_offsets[point];
}

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

/* A stable counting sort by influence count: fills points_of, and returns the number of blocks. */
static uint32_t sort_points(const snw_program *program, snw_packed_program *packed) {
	uint32_t most = 0, block_count = 0, first = 0;
	for (uint32_t i = 0; i < program->point_count; i++) {
		const uint32_t count = influence_count_of(program, i);
		most = count > most ? count : most;
	}
	uint32_t *starts = SNW_NEW_ARRAY(packed->arena, uint32_t, (size_t)most + 1);
	for (uint32_t i = 0; i < program->point_count; i++) {
		starts[influence_count_of(program, i)]++;
	}
	for (uint32_t n = 0; n <= most; n++) {
		const uint32_t count = starts[n];
		block_count += (count + SNW_BLOCK_POINTS - 1) / SNW_BLOCK_POINTS;
		starts[n] = first;
		first += count;
	}
	for (uint32_t i = 0; i < program->point_count; i++) {
		packed->points_of[starts[influence_count_of(program, i)]++] = i;
	}
	return block_count;
}

static void cut_blocks(const snw_program *program, snw_packed_program *packed) {
	uint32_t first = 0;
	size_t influence = 0;
	for (uint32_t b = 0; b < packed->block_count; b++) {
		const uint32_t influence_count = influence_count_of(program, packed->points_of[first]);
		uint32_t end = first;
		while (end < packed->point_count && end - first < SNW_BLOCK_POINTS &&
			   influence_count_of(program, packed->points_of[end]) == influence_count) {
			end++;
		}
		packed->blocks[b] = (snw_packed_block){first, end - first, influence_count, influence};
		influence += (size_t)(end - first) * influence_count;
		first = end;
	}
}

static void pack_rest(const snw_program *program, snw_packed_program *packed) {
	for (uint32_t p = 0; p < packed->point_count; p++) {
		const double *x = program->points_rest + 3 * (size_t)packed->points_of[p];
		float *own = packed->rest + 4 * (size_t)p;
		for (int c = 0; c < 3; c++) {
			own[c] = (float)(x[c] - packed->centre[c]);
		}
		own[3] = 1;
	}
}

/* The palette entry that an influence wants, as one number that sorts. */
static uint64_t entry_key(const snw_program *program, uint32_t influence, uint32_t pivot) {
	const bool is_signed = program->blend == SNW_BLEND_DUAL_QUATERNION && program->sign_rule == SNW_SIGN_SHORTEST;
	const uint64_t slot = program->influence_slots[influence];
	return (is_signed ? (uint64_t)program->influence_slots[pivot] << 32 : slot << 32) | slot;
}

static int compare_keys(const void *a, const void *b) {
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static uint32_t find_entry(const snw_packed_program *packed, uint64_t key) {
	uint32_t low = 0, high = packed->entry_count;
	while (high - low > 1) {
		const uint32_t middle = low + (high - low) / 2;
		const uint64_t there = (uint64_t)packed->entries[middle].pivot << 32 | packed->entries[middle].slot;
		if (there <= key) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

/* The entries that influences name, each once, and what each slot has of all weights. */
static void make_entries(const snw_program *program, snw_packed_program *packed, uint32_t influence_total) {
	uint64_t *keys = SNW_NEW_ARRAY(packed->arena, uint64_t, influence_total);
	double sum = 0;
	uint32_t filled = 0;
	for (uint32_t i = 0; i < program->point_count; i++) {
		const uint32_t begin = program->influence_offsets[i], end = program->influence_offsets[i + 1];
		const uint32_t pivot = snw_program_pivot(program, begin, end);
		for (uint32_t k = begin; k < end; k++) {
			keys[filled++] = entry_key(program, k, pivot);
			packed->slot_shares[program->influence_slots[k]] += fabs(program->influence_weights[k]);
			sum += fabs(program->influence_weights[k]);
		}
	}
	for (uint32_t s = 0; s < packed->slot_count && sum > 0; s++) {
		packed->slot_shares[s] /= sum;
	}
	if (filled > 0) {
		qsort(keys, filled, sizeof *keys, compare_keys);
	}
	for (uint32_t k = 0; k < filled; k++) {
		if (k == 0 || keys[k] != keys[k - 1]) {
			keys[packed->entry_count++] = keys[k];
		}
	}
	packed->entries = SNW_NEW_ARRAY(packed->arena, snw_packed_entry, packed->entry_count);
	for (uint32_t e = 0; e < packed->entry_count; e++) {
		packed->entries[e] = (snw_packed_entry){(uint32_t)keys[e], (uint32_t)(keys[e] >> 32)};
	}
}

static void pack_row(const snw_packed_program *packed, const double row[4], float own[4]) {
	for (int c = 0; c < 3; c++) {
		own[c] = (float)(row[c] - row[3] * packed->centre[c]);
	}
	own[3] = (float)row[3];
}

static void pack_influences(const snw_program *program, snw_packed_program *packed) {
	const bool affine = program->blend == SNW_BLEND_AFFINE;
	size_t filled = 0;
	bool any_excess = false;
	packed->excess = SNW_NEW_ARRAY(packed->arena, float, packed->point_count);
	for (uint32_t p = 0; p < packed->point_count; p++) {
		const uint32_t point = packed->points_of[p];
		const uint32_t begin = program->influence_offsets[point], end = program->influence_offsets[point + 1];
		const uint32_t pivot = snw_program_pivot(program, begin, end);
		double sum = 0;
		for (uint32_t k = begin; k < end; k++, filled++) {
			packed->influence_entries[filled] = find_entry(packed, entry_key(program, k, pivot));
			if (affine) {
				pack_row(packed, program->influence_rows + 4 * (size_t)k, packed->influence_rows + 4 * filled);
				sum += program->influence_rows[4 * (size_t)k + 3];
			} else {
				packed->influence_weights[filled] = (float)program->influence_weights[k];
				sum += program->influence_weights[k];
			}
		}
		packed->excess[p] = (float)(sum - 1);
		any_excess = any_excess || fabs(sum - 1) > 1e-12;
	}
	packed->excess = any_excess ? packed->excess : NULL;
}

/* Where each of the program's points went: its block, and its place there. */
typedef struct place {
	uint32_t block, index;
} place;

static void cut_displacement(const snw_displacements *from, uint32_t k, const place *places, uint32_t block_count,
							 uint32_t *starts, snw_packed_displacements *to) {
	uint32_t *offsets = to->offsets + k * ((size_t)block_count + 1);
	memset(starts, 0, ((size_t)block_count + 1) * sizeof *starts);
	for (uint32_t j = from->offsets[k]; j < from->offsets[k + 1]; j++) {
		starts[places[from->points[j]].block]++;
	}
	uint32_t first = from->offsets[k];
	for (uint32_t b = 0; b <= block_count; b++) {
		const uint32_t count = starts[b];
		offsets[b] = starts[b] = first;
		first += count;
	}
	for (uint32_t j = from->offsets[k]; j < from->offsets[k + 1]; j++) {
		const place at = places[from->points[j]];
		const uint32_t entry = starts[at.block]++;
		to->points[entry] = at.index;
		for (int c = 0; c < 3; c++) {
			to->vectors[3 * (size_t)entry + (size_t)c] = (float)from->vectors[3 * (size_t)j + (size_t)c];
		}
	}
}

static void pack_displacements(const snw_displacements *from, const place *places, snw_packed_program *packed,
							   snw_packed_displacements *to) {
	if (from->count == 0) {
		return;
	}
	snw_arena *arena = packed->arena;
	const size_t entry_count = from->offsets[from->count];
	to->count = from->count;
	to->coefficients = snw_arena_copy(arena, from->coefficients, from->count * sizeof *from->coefficients);
	to->turned = SNW_NEW_ARRAY(arena, bool, from->count);
	to->offsets = SNW_NEW_ARRAY(arena, uint32_t, from->count * ((size_t)packed->block_count + 1));
	to->points = SNW_NEW_ARRAY(arena, uint32_t, entry_count);
	to->vectors = SNW_NEW_ARRAY(arena, float, 3 * entry_count);
	to->active = SNW_NEW_ARRAY(arena, uint32_t, from->count);
	to->scales = SNW_NEW_ARRAY(arena, float, 9 * (size_t)from->count);
	uint32_t *starts = SNW_NEW_ARRAY(arena, uint32_t, (size_t)packed->block_count + 1);
	for (uint32_t k = 0; k < from->count; k++) {
		to->turned[k] = from->frames != NULL && from->frames[k] != SNW_NONE;
		cut_displacement(from, k, places, packed->block_count, starts, to);
	}
}

static void pack_all_displacements(const snw_program *program, snw_packed_program *packed) {
	place *places = SNW_NEW_ARRAY(packed->arena, place, packed->point_count);
	for (uint32_t b = 0; b < packed->block_count; b++) {
		for (uint32_t i = 0; i < packed->blocks[b].count; i++) {
			places[packed->points_of[packed->blocks[b].first + i]] = (place){b, i};
		}
	}
	pack_displacements(&program->rest, places, packed, &packed->displaced_rest);
	pack_displacements(&program->posed, places, packed, &packed->displaced_posed);
}

static void pack_blend(const snw_program *program, snw_packed_program *packed) {
	snw_arena *arena = packed->arena;
	const uint32_t total = program->influence_offsets[program->point_count];
	packed->slot_count = program->slot_count;
	packed->slot_shares = SNW_NEW_ARRAY(arena, double, packed->slot_count);
	packed->influence_entries = SNW_NEW_ARRAY(arena, uint32_t, total);
	if (program->blend == SNW_BLEND_AFFINE) {
		packed->influence_rows = SNW_NEW_ARRAY(arena, float, 4 * (size_t)total);
	} else {
		packed->influence_weights = SNW_NEW_ARRAY(arena, float, total);
	}
	make_entries(program, packed, total);
	pack_influences(program, packed);
	packed->matrices = SNW_NEW_ARRAY(arena, float, 16 * (size_t)packed->entry_count);
	if (program->blend == SNW_BLEND_DUAL_QUATERNION) {
		packed->dual_quaternions = SNW_NEW_ARRAY(arena, float, 8 * (size_t)packed->entry_count);
		packed->slot_dual_quaternions = SNW_NEW_ARRAY(arena, double, 8 * (size_t)packed->slot_count);
		packed->slot_stretches = SNW_NEW_ARRAY(arena, double, 9 * (size_t)packed->slot_count);
	}
}

snw_packed_program *snw_program_pack(const snw_program *program) {
	snw_arena *arena = snw_arena_create();
	snw_packed_program *packed = SNW_NEW(arena, snw_packed_program);
	uint32_t kernel_count;
	const snw_kernels *const *kernels = snw_kernels_available(&kernel_count);
	packed->arena = arena;
	packed->kernels = kernels[kernel_count - 1];
	packed->blend = program->blend;
	packed->sign_rule = program->sign_rule;
	packed->dual_quaternion_palette = program->dual_quaternion_palette;
	packed->point_count = program->point_count;
	packed->points_of = SNW_NEW_ARRAY(arena, uint32_t, packed->point_count);
	packed->rest = SNW_NEW_ARRAY(arena, float, 4 * (size_t)packed->point_count);
	measure_rest(program, packed);
	packed->block_count = sort_points(program, packed);
	packed->blocks = SNW_NEW_ARRAY(arena, snw_packed_block, packed->block_count);
	cut_blocks(program, packed);
	pack_rest(program, packed);
	if (program->blend != SNW_BLEND_NONE && program->point_count > 0) {
		pack_blend(program, packed);
	}
	pack_all_displacements(program, packed);
	return packed;
}

void snw_packed_program_destroy(snw_packed_program *packed) {
	if (packed != NULL) {
		snw_arena_destroy(packed->arena);
	}
}
