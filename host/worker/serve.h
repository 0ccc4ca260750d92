/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The worker's side of the channel: takes one request, sets its limits, does the job, and tells how it went.
 */
#ifndef SINEW_HOST_WORKER_SERVE_H
#define SINEW_HOST_WORKER_SERVE_H

/* Where the worker finds its channel, and the file that a fit's outcome goes into. */
enum { SNW_WORKER_CHANNEL = 3, SNW_WORKER_OUTCOME = 4 };

/* The exit status of the worker. A failed job is reported over the channel and is no failure of the worker. */
int snw_worker_serve(int channel, int outcome);

#endif
