/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The request to a worker: the payload of its first message.
 */
#ifndef SINEW_HOST_WORKER_JOB_REQUEST_H
#define SINEW_HOST_WORKER_JOB_REQUEST_H

#include "fit/fit.h"
#include "import/import.h"
#include "worker/job/encoding.h"
#include "worker/job/read_file.h"

/* The limits that the worker sets for itself before it begins. */
typedef struct snw_worker_request {
	uint64_t memory_bytes;     /* 0: none */
	uint64_t cpu_seconds;      /* of all threads; 0: none */
	const char *path;          /* the project, which an import writes and a fit reads; the file to read */
	snw_import_request import; /* the message's kind says whether `import`, `fit` or `read` is used */
	snw_fit_request fit;
	snw_read_request read;
} snw_worker_request;

void snw_worker_request_put_import(FILE *out, const snw_worker_request *request);
void snw_worker_request_put_fit(FILE *out, const snw_worker_request *request);
void snw_worker_request_put_read(FILE *out, const snw_worker_request *request);

/* SNW_ERROR_DATA if the payload is not exactly one such request. */
snw_status snw_worker_request_get_import(const void *payload, size_t count, snw_arena *arena, snw_worker_request *request,
										 snw_error *error);
snw_status snw_worker_request_get_fit(const void *payload, size_t count, snw_arena *arena, snw_worker_request *request,
									  snw_error *error);
snw_status snw_worker_request_get_read(const void *payload, size_t count, snw_arena *arena, snw_worker_request *request,
									   snw_error *error);

#endif
