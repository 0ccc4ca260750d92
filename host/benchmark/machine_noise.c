/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each number depends on the previous one, so that the processor cannot compute several at a time and no compiler can skip
 * any.
 */
#include "benchmark/machine_noise.h"

enum { VALUES = 65536, PASSES = 4 };

snw_bench_piece snw_bench_piece_make(snw_arena *arena) {
	snw_bench_piece piece = {.values = SNW_NEW_ARRAY(arena, double, VALUES)};
	for (int i = 0; i < VALUES; i++) {
		piece.values[i] = i % 17;
	}
	return piece;
}

void snw_bench_piece_run(snw_bench_piece *piece) {
	double *values = piece->values;
	for (int pass = 0; pass < PASSES; pass++) {
		for (int i = 1; i < VALUES; i++) {
			values[i] = 0.5 * (values[i] + values[i - 1]) + 0.001 * (8 - values[i]);
		}
	}
}
