/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A part of a task: work that reports its own progress as 0 to 1, which is a range of fractions of the whole task.
 */
#ifndef SINEW_HOST_TASK_SUBTASK_H
#define SINEW_HOST_TASK_SUBTASK_H

#include "task/task.h"

typedef struct snw_subtask {
	const snw_task *whole; /* NULL is silent */
	double begin, end;
} snw_subtask;

/* The task to pass on; `part` must outlive it. */
snw_task snw_task_of_subtask(snw_subtask *part);

#endif
