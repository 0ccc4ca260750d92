/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A task: receives the progress and notices of long work, and can cancel it. A NULL task ignores them and never cancels.
 */
#ifndef SINEW_HOST_TASK_TASK_H
#define SINEW_HOST_TASK_TASK_H

#include <stdbool.h>

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

#endif
