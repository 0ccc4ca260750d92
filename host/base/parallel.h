/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parallel-for over a pool of threads that is started once and that several callers may use at one time. The partition depends on
 * count and grain alone, so results are the same bits for any number of threads and whoever else runs something.
 */
#ifndef SINEW_HOST_BASE_PARALLEL_H
#define SINEW_HOST_BASE_PARALLEL_H

#include <stdint.h>

/* 0 sets as many threads as there are cores; 1 runs in the caller. Waits until no run is open; not from within a chunk. */
void snw_parallel_threads(uint32_t count);
uint32_t snw_parallel_thread_count(void);

/* Calls chunk(argument, begin, end, thread) for [0, grain), [grain, 2·grain), … and returns when all are done. `thread` is below
 * snw_parallel_thread_count() and unique among the chunks of this call that run at one time: for scratch that belongs to the
 * call. Nested calls run in the caller. Never allocates after the first call. Any thread: each caller works on what it asked for,
 * and callers at one time share the other threads. */
void snw_parallel_for(uint32_t count, uint32_t grain,
					  void (*chunk)(void *argument, uint32_t begin, uint32_t end, uint32_t thread), void *argument);

#endif
