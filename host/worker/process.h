/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Starting, watching and ending the worker: the program's side.
 */
#ifndef SINEW_HOST_WORKER_PROCESS_H
#define SINEW_HOST_WORKER_PROCESS_H

#include <sys/types.h>

#include "worker/worker.h"

typedef struct snw_process {
	pid_t id;
	int channel; /* a socket that carries messages */
	int errors;  /* what it writes to standard error */
} snw_process;

/* Where the worker's program is: $SINEW_WORKER, beside this program, in its build tree, or installed. */
snw_status snw_worker_find(snw_arena *arena, const char **path, snw_error *error);

/* `outcome` becomes the file that a fit's outcome goes into; -1 for none. */
snw_status snw_process_start(int outcome, snw_process *process, snw_error *error);

/* Ends it at once, whatever it does. */
void snw_process_end(snw_process *process);

/* What is said when it goes wrong: the file that it is about, the part that does it, and advice after a crash. */
typedef struct snw_process_words {
	const char *subject; /* "arm.fbx" */
	const char *part;    /* "the reader" */
	const char *advice;
	double grace_seconds; /* from a wish to stop to a signal: a fit needs some to finish the best that it has so far */
} snw_process_words;

/* `limits` has its total seconds. Passes progress and notices on until the job is done, cancelled, over a limit, or the worker has died; the worker is gone
 * afterwards in any case. Returns the job's status. */
snw_status snw_process_watch(snw_process *process, const snw_worker_limits *limits, const snw_process_words *words,
							 const snw_task *task, snw_error *error);

#endif
