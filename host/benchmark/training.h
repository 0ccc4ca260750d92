/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long methods take to learn a skin from the poses of a character, and what their skins cost to run beside its linear
 * blend: Table 1 of R. Wang, K. Pulli and J. Popović, "Real-time enveloping with rotational regression", 2007, for a character
 * of any size.
 */
#ifndef SINEW_HOST_BENCHMARK_TRAINING_H
#define SINEW_HOST_BENCHMARK_TRAINING_H

#include "compare/compare.h"

enum { SNW_BENCH_CHAIN_JOINTS = 73 /* of the largest human of that table */ };

/* A tail of about this many points around a chain of joints, up to four of which move a point. Two clips: in the first, of this
 * many frames, all joints rotate; in the second they rotate otherwise. Their targets bend and twist smoothly, where the linear
 * blend collapses, and bulge. */
snw_scene *snw_bench_chain(uint32_t points, uint32_t frames);

/* Fits each method to the first clip and compares it with the linear blend over the second. `method` is NULL for every method
 * that learns from frames; the first row is the linear blend. Rows are in `arena`. */
snw_status snw_bench_training(const snw_scene *chain, const snw_registry *registry, const char *method, const snw_task *task,
							  snw_arena *arena, snw_comparison *comparison, snw_error *error);

#endif
