/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A task: receives the progress and notices of long work, and can cancel it. A NULL task ignores them and never cancels.
 */
#ifndef SINEW_HOST_TASK_TASK_H
#define SINEW_HOST_TASK_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include "sinew/host.h"

typedef struct snw_task {
	void *context;
	bool (*progress)(void *context, double fraction, const char *activity); /* false: stop. May be NULL */
	void (*notice)(void *context, snw_log_level level, const char *line);   /* may be NULL */
	/* A measurement by the work itself, for benchmarks (snw_task_service). May be NULL. */
	void (*measurement)(void *context, const char *name, double value, const char *unit);
} snw_task;

/* False if the work should stop. Can be called a thousand times a second. */
bool snw_task_progress(const snw_task *task, double fraction, const char *activity);
void snw_task_measurement(const snw_task *task, const char *name, double value, const char *unit);
void snw_task_notice(const snw_task *task, snw_log_level level, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A part of a task: work that reports its own progress as 0 to 1, which is a range of fractions of the whole task. */

typedef struct snw_subtask {
	const snw_task *whole; /* NULL is silent */
	double begin, end;
} snw_subtask;

/* The task to pass on; `part` must outlive it. */
snw_task snw_task_of_subtask(snw_subtask *part);

/* ---- parallel ------------------------------------------------------------------------------------------------------------ */

/* Parallel-for on a pool of threads, which several callers can use at the same time. Chunks depend only on count and grain,
 * so results have the same bits for any number of threads and callers. */

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
