/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parallel-for on a pool of threads, which several callers can use at the same time. Chunks depend only on count and grain, so
 * results have the same bits for any number of threads and callers.
 */
#ifndef SINEW_HOST_TASK_PARALLEL_H
#define SINEW_HOST_TASK_PARALLEL_H

#include <stdint.h>

/* Sets the number of threads: 0 for the number of cores, 1 for the caller alone. Waits until no calls are running; not from a
 * chunk. */
void snw_parallel_threads(uint32_t count);
uint32_t snw_parallel_thread_count(void);

/* Calls chunk(argument, begin, end, thread) for [0, grain), [grain, 2·grain), … and returns when all are done. `thread` is
 * below snw_parallel_thread_count() and unique among the chunks of this call that run at the same time, so it can index scratch
 * memory of the call. Nested calls run in the caller. Allocates nothing after the first call. Any thread: each caller works on
 * its own chunks, and simultaneous callers share the other threads. */
void snw_parallel_for(uint32_t count, uint32_t grain,
					  void (*chunk)(void *argument, uint32_t begin, uint32_t end, uint32_t thread), void *argument);

#endif
