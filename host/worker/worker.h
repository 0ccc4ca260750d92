/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The worker process: imports and fits run in `sinew-worker`, a program of its own beside this one, under limits. A crash, a
 * hang or a cancel in there costs that job and nothing else; its only output is a project file, or a fit's outcome.
 *
 * Both calls wait until the job has ended, in whatever thread; they pass progress on at least every tenth of a second, so that a
 * task can cancel. The worker is killed with the thread that waits for it, and stands in a process group of its own: an interrupt
 * at the terminal reaches only the program, which answers it by cancelling.
 */
#ifndef SINEW_HOST_WORKER_WORKER_H
#define SINEW_HOST_WORKER_WORKER_H

#include "base/task.h"
#include "fit/fit.h"
#include "import/import.h"

typedef struct snw_worker_limits {
	uint64_t memory_bytes; /* address space; 0: the default, 8 GiB (no limit under AddressSanitizer) */
	double idle_seconds;   /* no word for so long is a hang; 0: the default, 60 */
	double total_seconds;  /* 0: the default, 3600 */
	bool in_process;       /* for debuggers: no process, no limits */
} snw_worker_limits;

/* What an import brought: points of all meshes, frames of all mesh animations. */
typedef struct snw_import_counts {
	uint32_t meshes, points, joints, clips, frames;
} snw_import_counts;

/* Imports `request` and leaves the project at `path`, atomically; `counts` may be NULL. A cancelled or failed import leaves both as
 * they were. */
snw_status snw_worker_import(const snw_import_request *request, const char *path, const snw_worker_limits *limits,
							 const snw_task *task, snw_import_counts *counts, snw_error *error);

/* Fits over the project at `path` as it is now; fills the outcome (its arena is the caller's). The project is not changed. A
 * task that cancels gets SNW_CANCELLED and no outcome, or SNW_NOT_CONVERGED with the best so far from a method that can give it. */
snw_status snw_worker_fit(const char *path, const snw_fit_request *request, const snw_worker_limits *limits,
						  const snw_task *task, snw_fit_outcome *outcome, snw_error *error);

#endif
