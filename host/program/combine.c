/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A palette that is linear in z: T = C z. Row 4s + c of C z is column c of T_s, so the entries of a slot's four rows at one
 * column are multiplied together by each coordinate of z there.
 */
#include <stdlib.h>
#include <string.h>

#include "program/program.h"

typedef double row4 __attribute__((vector_size(32), may_alias, aligned(8)));

/* ---- C by slots -------------------------------------------------------------------------------------------------------- */

/* One slot. Returns the number of its columns; `columns` and `entries` may be NULL. */
static uint32_t merge_rows(const snw_sparse_rows *rows, size_t slot, uint32_t *columns, double (*entries)[4]) {
	const uint32_t *ends = rows->offsets + 4 * slot + 1;
	uint32_t at[4], count = 0;
	memcpy(at, rows->offsets + 4 * slot, sizeof at);
	for (;; count++) {
		uint32_t column = UINT32_MAX;
		for (int c = 0; c < 4; c++) {
			column = at[c] < ends[c] && rows->columns[at[c]] < column ? rows->columns[at[c]] : column;
		}
		if (column == UINT32_MAX) {
			return count;
		}
		for (int c = 0; c < 4; c++) {
			const bool has = at[c] < ends[c] && rows->columns[at[c]] == column;
			if (entries) {
				entries[count][c] = has ? rows->values[at[c]] : 0;
				columns[count] = column;
			}
			at[c] += has;
		}
	}
}

typedef struct counted_slot {
	uint32_t slot, count;
} counted_slot;

static int compare_counts(const void *a, const void *b) {
	const counted_slot *one = a, *other = b;
	return one->count != other->count ? (one->count > other->count ? -1 : 1) : one->slot > other->slot ? 1 : -1;
}

static const counted_slot *sort_slots(uint32_t slots, const uint32_t *offsets, snw_arena *arena) {
	counted_slot *sorted = SNW_NEW_ARRAY(arena, counted_slot, slots);
	for (uint32_t s = 0; s < slots; s++) {
		sorted[s] = (counted_slot){s, offsets[s + 1] - offsets[s]};
	}
	if (slots > 0) { /* an empty array may be NULL, which qsort does not accept */
		qsort(sorted, slots, sizeof *sorted, compare_counts);
	}
	return sorted;
}

static void set_fours(uint32_t slots, snw_combined_slots *made, snw_arena *arena) {
	const counted_slot *sorted = sort_slots(slots, made->offsets, arena);
	const uint32_t count = (slots + 3) / 4;
	uint32_t *fours = SNW_NEW_ARRAY(arena, uint32_t, 4 * (size_t)count);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, count + 1);
	for (uint32_t f = 0; f < count; f++) {
		offsets[f + 1] = offsets[f] + sorted[4 * f].count;
	}
	uint32_t(*columns)[4] = (uint32_t(*)[4])SNW_NEW_ARRAY(arena, uint32_t, 4 * (size_t)offsets[count]);
	double(*entries)[4][4] = (double(*)[4][4])SNW_NEW_ARRAY(arena, double, 16 * (size_t)offsets[count]);
	for (uint32_t i = 0; i < 4 * count; i++) {
		fours[i] = i < slots ? sorted[i].slot : SNW_NONE;
		for (uint32_t k = 0; i < slots && k < sorted[i].count; k++) {
			const uint32_t from = made->offsets[fours[i]] + k, to = offsets[i / 4] + k;
			columns[to][i % 4] = 3 * made->columns[from];
			memcpy(entries[to][i % 4], made->entries[from], sizeof made->entries[from]);
		}
	}
	made->fours = fours;
	made->four_offsets = offsets;
	made->four_columns = (const uint32_t(*)[4])columns;
	made->four_entries = (const double(*)[4][4])entries;
}

const snw_combined_slots *snw_combined_slots_make(const snw_sparse_rows *rows, snw_arena *arena) {
	const size_t slots = rows->row_count / 4;
	snw_combined_slots *made = SNW_NEW(arena, snw_combined_slots);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, slots + 1);
	for (size_t s = 0; s < slots; s++) {
		offsets[s + 1] = offsets[s] + merge_rows(rows, s, NULL, NULL);
	}
	uint32_t *columns = SNW_NEW_ARRAY(arena, uint32_t, offsets[slots]);
	double(*entries)[4] = (double(*)[4])SNW_NEW_ARRAY(arena, double, 4 * (size_t)offsets[slots]);
	for (size_t s = 0; s < slots; s++) {
		merge_rows(rows, s, columns + offsets[s], entries + offsets[s]);
	}
	*made = (snw_combined_slots){.offsets = offsets, .columns = columns, .entries = (const double(*)[4])entries};
	set_fours((uint32_t)slots, made, arena);
	return made;
}

/* ---- C z --------------------------------------------------------------------------------------------------------------- */

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Four slots at once: their sums do not wait for each other. */
ALWAYS_INLINE void combine_four(const snw_combined_slots *slots, size_t four, const double *z, row4 sums[4][3]) {
	for (uint32_t k = slots->four_offsets[four]; k < slots->four_offsets[four + 1]; k++) {
#pragma GCC unroll 4
		for (int i = 0; i < 4; i++) {
			const row4 entries = *(const row4 *)slots->four_entries[k][i];
			const double *at = z + slots->four_columns[k][i];
			sums[i][0] += entries * at[0];
			sums[i][1] += entries * at[1];
			sums[i][2] += entries * at[2];
		}
	}
}

ALWAYS_INLINE void combine_slots(const snw_program *program, const double *z, double *matrices) {
	const snw_combined_slots *slots = program->combined_slots;
	for (size_t four = 0; four < ((size_t)program->slot_count + 3) / 4; four++) {
		row4 sums[4][3] = {{{0}}};
		combine_four(slots, four, z, sums);
		for (size_t i = 0; i < 4 && slots->fours[4 * four + i] != SNW_NONE; i++) {
			memcpy(matrices + 12 * (size_t)slots->fours[4 * four + i], sums[i], sizeof sums[i]);
		}
	}
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void combine_slots_avx2(const snw_program *program, const double *z, double *matrices) {
	combine_slots(program, z, matrices);
}
#endif

static void combine_dense(const snw_program *program, const double *z, double *matrices) {
	const uint32_t n = program->combined_count;
	for (size_t row = 0; row < (size_t)4 * program->slot_count; row++) {
		double column[3] = {0, 0, 0};
		for (size_t k = 0; k < n; k++) {
			for (size_t r = 0; r < 3; r++) {
				column[r] += program->combined[row * n + k] * z[3 * k + r];
			}
		}
		for (size_t r = 0; r < 3; r++) {
			matrices[12 * (row / 4) + 4 * r + row % 4] = column[r];
		}
	}
}

void snw_program_combine(const snw_program *program, const double *z, double *matrices) {
	if (!program->combined_slots) {
		combine_dense(program, z, matrices);
		return;
	}
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2")) {
		combine_slots_avx2(program, z, matrices);
		return;
	}
#endif
	combine_slots(program, z, matrices);
}
