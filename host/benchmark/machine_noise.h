/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plain arithmetic on plain memory that calls nothing of Sinew, always the same: how far apart the times of its pieces are shows
 * what a machine adds to the times of anything else that runs on it.
 */
#ifndef SINEW_HOST_BENCHMARK_MACHINE_NOISE_H
#define SINEW_HOST_BENCHMARK_MACHINE_NOISE_H

#include "base/arena.h"

typedef struct snw_bench_piece {
	double *values;
} snw_bench_piece;
snw_bench_piece snw_bench_piece_make(snw_arena *arena);
/* One piece, in the caller's thread: a millisecond or two on today's machines. Allocates nothing. */
void snw_bench_piece_run(snw_bench_piece *piece);

#endif
