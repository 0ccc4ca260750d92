/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A part of a task: work that reports 0 to 1 for itself and moves the whole from one fraction to another.
 */
#ifndef SINEW_HOST_BASE_TASK_PART_H
#define SINEW_HOST_BASE_TASK_PART_H

#include "base/task.h"

typedef struct snw_task_part {
	const snw_task *whole; /* NULL is silent */
	double begin, end;
} snw_task_part;

/* The task to hand on; `part` must outlive it. */
snw_task snw_task_of_part(snw_task_part *part);

#endif
