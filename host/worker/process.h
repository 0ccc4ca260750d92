/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Starts, watches and ends the worker, on the program's side.
 */
#ifndef SINEW_HOST_WORKER_PROCESS_H
#define SINEW_HOST_WORKER_PROCESS_H

#include <sys/types.h>

#include "worker/worker.h"

typedef struct snw_process {
	pid_t id;
	int channel;      /* a socket for messages */
	int errors;       /* the worker's standard error */
	bool was_stopped; /* after snw_process_watch: the job was cancelled or over a limit */
} snw_process;

/* The worker reads its request from the file `request`, and writes the result to the file `result`; -1 for none. */
snw_status snw_process_start(int request, int result, snw_process *process, snw_error *error);

/* For error messages: the file or method, the part of the program that failed, and advice after a crash. */
typedef struct snw_process_texts {
	const char *subject; /* "arm.fbx" */
	const char *part;    /* "the reader" */
	const char *advice;
	bool has_fixed_limits; /* --seconds and --memory do not change them */
	double grace_seconds;  /* from the cancel message to a signal, so that a fit can return its best so far */
} snw_process_texts;

/* Reports progress and notices until the job is done, cancelled or over a limit, or the worker has died. Afterwards the worker
 * has ended in any case. Returns the job's status. `limits` has all its
 * seconds. */
snw_status snw_process_watch(snw_process *process, const snw_worker_limits *limits, const snw_process_texts *texts,
							 const snw_task *task, snw_error *error);

#endif
