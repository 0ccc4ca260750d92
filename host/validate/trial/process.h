/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work in a child process under a time limit, so that a crash or a hang affects that work alone.
 */
#ifndef SINEW_HOST_VALIDATE_TRIAL_PROCESS_H
#define SINEW_HOST_VALIDATE_TRIAL_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

enum { NOTE_BYTES = 200 };

/* What the work finds, in memory that both processes share. */
typedef struct process_report {
	bool finished; /* the work has returned */
	snw_status status;
	char finding[1000];
	char leak[NOTE_BYTES]; /* what was not released in the end; "" for nothing */
	char note[NOTE_BYTES]; /* what it was trying; follows the message if it does not return */
} process_report;

typedef void process_function(void *context);

typedef struct process {
	pid_t id;
	int exit_state;
} process;

/* Starts the work. False, with a message, if there is no process for it. */
bool process_begin(process *child, process_function *function, void *context, process_report *report);
/* Whether it still runs; sleeps a moment if so. */
bool process_runs(process *child);
void process_kill(process *child);

/* When work is ended that has not returned. */
typedef struct process_limit {
	double seconds;
	bool (*is_stopped)(void *context); /* asked again and again; NULL for never */
	void *context;
} process_limit;

/* Starts the work and waits for it. If it crashes, exits or takes longer than the limit, the report says so. */
void process_run(process_function *function, void *context, const process_limit *limit, process_report *report);

#endif
