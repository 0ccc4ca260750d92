/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace of calls into plug-ins: for each its deformer, function, layer, thread, begin and duration, as Chrome's JSON, which
 * Perfetto and chrome://tracing open. A worker process adds its calls to the same file. Each call is written when it ends, so
 * that a crash loses none before it. A span lasts until the host calls the next function for the same layer, so it includes
 * what the host does with the result.
 */
#ifndef SINEW_HOST_SERVICES_CALL_TRACE_H
#define SINEW_HOST_SERVICES_CALL_TRACE_H

#include "base/error.h"
#include "services/services.h"

/* From here on calls are written to a new file. `program` names the process in the trace. Call it once, before the first
 * call. */
snw_status snw_call_trace_start(const char *path, const char *program, snw_error *error);
/* Ends the file. Does nothing without a trace. */
void snw_call_trace_end(void);
/* In a process that the program has started with its environment: adds to its trace if there is one. */
void snw_call_trace_join(const char *program);

#endif
