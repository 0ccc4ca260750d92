/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The worker's side of the channel: it receives one request, sets its limits, runs the job and reports the result.
 */
#ifndef SINEW_HOST_WORKER_PROGRAM_SERVE_H
#define SINEW_HOST_WORKER_PROGRAM_SERVE_H

/* The worker's file descriptors: its channel, and the file for a fit's outcome. */
enum { SNW_WORKER_CHANNEL = 3, SNW_WORKER_OUTCOME = 4 };

/* Returns the exit status of the worker. A failed job is reported over the channel; the worker still exits with 0. */
int snw_worker_serve(int channel, int outcome);

#endif
