/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A palette that is linear in z: T = C z. Row 4s + c of C z is column c of T_s, so the entries of a slot's four rows at one column are
 * multiplied together by each coordinate of z there.
 */
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
	*made = (snw_combined_slots){offsets, columns, (const double(*)[4])entries};
	return made;
}

/* ---- C z --------------------------------------------------------------------------------------------------------------- */

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE void add_column(const snw_combined_slots *slots, uint32_t i, const double *z, row4 rows[3]) {
	const row4 entries = *(const row4 *)slots->entries[i];
	const double *at = z + (size_t)3 * slots->columns[i];
	rows[0] += entries * at[0];
	rows[1] += entries * at[1];
	rows[2] += entries * at[2];
}

/* Slots `first` and `second`, in turn: their sums do not wait for each other. */
ALWAYS_INLINE void combine_two(const snw_combined_slots *slots, size_t first, size_t second, const double *z,
							   double *matrices) {
	row4 a[3] = {{0}, {0}, {0}}, b[3] = {{0}, {0}, {0}};
	uint32_t i = slots->offsets[first], j = slots->offsets[second];
	const uint32_t i_end = slots->offsets[first + 1], j_end = slots->offsets[second + 1];
	while (i < i_end && j < j_end) {
		add_column(slots, i++, z, a);
		add_column(slots, j++, z, b);
	}
	while (i < i_end) {
		add_column(slots, i++, z, a);
	}
	while (j < j_end) {
		add_column(slots, j++, z, b);
	}
	memcpy(matrices + 12 * first, a, sizeof a);
	memcpy(matrices + 12 * second, b, sizeof b);
}

ALWAYS_INLINE void combine_slots(const snw_program *program, const double *z, double *matrices) {
	const size_t count = program->slot_count;
	for (size_t s = 0; s < count; s += 2) {
		combine_two(program->combined_slots, s, s + 1 < count ? s + 1 : s, z, matrices);
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
