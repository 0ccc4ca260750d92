/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parallel-for over a pool of threads that is started once. The partition depends on count and grain alone, so results are
 * the same bits for any number of threads.
 */
#ifndef SINEW_HOST_BASE_PARALLEL_H
#define SINEW_HOST_BASE_PARALLEL_H

#include <stdint.h>

/* 0 sets as many threads as there are cores; 1 runs in the caller. Call it between runs. */
void snw_parallel_threads(uint32_t count);
uint32_t snw_parallel_thread_count(void);

/* Calls chunk(argument, begin, end, thread) for [0, grain), [grain, 2·grain), … and returns when all are done. `thread` is
 * below snw_parallel_thread_count() and unique among the chunks that run at one time: for scratch. Nested calls run in the
 * caller. Never allocates after the first call. */
void snw_parallel_for(uint32_t count, uint32_t grain,
					  void (*chunk)(void *argument, uint32_t begin, uint32_t end, uint32_t thread), void *argument);

#endif
