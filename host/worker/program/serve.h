/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The worker's side: it reads one request from its standard input, sets its limits, runs the job and reports how it ended.
 */
#ifndef SINEW_HOST_WORKER_PROGRAM_SERVE_H
#define SINEW_HOST_WORKER_PROGRAM_SERVE_H

/* The worker's file descriptors: its socket, and the file for the result. */
enum { SNW_WORKER_CHANNEL = 3, SNW_WORKER_RESULT = 4 };

/* Returns the exit status of the worker. A failed job is reported over the channel; the worker still exits with 0. */
int snw_worker_serve(int request, int channel, int result);

#endif
