/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plain arithmetic that calls nothing of Sinew and is always the same: the variation of its times is what the machine adds
 * to the times of anything else.
 */
#ifndef SINEW_HOST_BENCHMARK_MACHINE_NOISE_H
#define SINEW_HOST_BENCHMARK_MACHINE_NOISE_H

#include "base/arena.h"

typedef struct snw_bench_piece {
	double *values;
} snw_bench_piece;
snw_bench_piece snw_bench_piece_make(snw_arena *arena);
/* One piece, in the caller's thread: a millisecond or two on a current machine. Allocates nothing. */
void snw_bench_piece_run(snw_bench_piece *piece);

#endif
