/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The limits of the worker, given by options: the same for each verb that starts one.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_OPTIONS_WORKER_LIMITS_H
#define SINEW_UI_CLI_COMMAND_LINE_OPTIONS_WORKER_LIMITS_H

#include "cli/command_line/verb.h"
#include "worker/worker.h"

#define SNW_MEMORY_OPTION                                                                                                      \
	{ "--memory", "GIB", "memory limit of the worker, which reads and fits (default: 8)" }
#define SNW_SECONDS_OPTION                                                                                                     \
	{ "--seconds", "N", "time limit of the worker (default: 3600)" }

/* --memory, --seconds and --in-process. */
snw_status snw_call_limits(const snw_call *call, snw_worker_limits *limits, snw_error *error);

#endif
