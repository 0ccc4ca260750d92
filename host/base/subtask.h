/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A part of a task: work that reports 0 to 1 for itself and moves the whole from one fraction to another.
 */
#ifndef SINEW_HOST_BASE_SUBTASK_H
#define SINEW_HOST_BASE_SUBTASK_H

#include "base/task.h"

typedef struct snw_subtask {
	const snw_task *whole; /* NULL is silent */
	double begin, end;
} snw_subtask;

/* The task to hand on; `part` must outlive it. */
snw_task snw_task_of_subtask(snw_subtask *part);

#endif
