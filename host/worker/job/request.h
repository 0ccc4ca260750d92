/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The request to a worker, which it finds in the file that is its standard input.
 */
#ifndef SINEW_HOST_WORKER_JOB_REQUEST_H
#define SINEW_HOST_WORKER_JOB_REQUEST_H

#include "fit/fit.h"
#include "import/import.h"
#include "message/stream.h"
#include "worker/job/read_file.h"

typedef enum snw_worker_job { SNW_WORKER_IMPORT, SNW_WORKER_FIT, SNW_WORKER_READ, SNW_WORKER_JOB_COUNT } snw_worker_job;

/* With the limits that the worker sets for itself before it begins. */
typedef struct snw_worker_request {
	snw_worker_job job;
	uint64_t memory_bytes;     /* 0: none */
	uint64_t cpu_seconds;      /* of all threads; 0: none */
	const char *path;          /* the project, which an import writes and a fit reads; the file to read */
	snw_import_request import; /* the job says which of these is used */
	snw_fit_request fit;
	bool needs_all_layers; /* a fit fails where a layer below it would be left out */
	snw_read_request read;
} snw_worker_request;

void snw_worker_request_put(snw_stream *out, const snw_worker_request *request);

/* SNW_ERROR_DATA if the stream does not have exactly one request of this version. */
snw_status snw_worker_request_get(snw_stream *in, snw_arena *arena, snw_worker_request *request, snw_error *error);

#endif
