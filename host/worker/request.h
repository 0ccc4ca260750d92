/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the worker is asked for, as the payload of its first message.
 */
#ifndef SINEW_HOST_WORKER_REQUEST_H
#define SINEW_HOST_WORKER_REQUEST_H

#include "worker/encoding.h"
#include "worker/worker.h"

/* The limits that the worker sets for itself before it begins. */
typedef struct snw_worker_request {
	uint64_t memory_bytes;     /* 0: none */
	uint64_t cpu_seconds;      /* of all threads; 0: none */
	const char *path;          /* of the project: written by an import, read by a fit */
	snw_import_request import; /* one of the two, by the message's kind */
	snw_fit_request fit;
} snw_worker_request;

void snw_worker_request_put_import(FILE *out, const snw_worker_request *request);
void snw_worker_request_put_fit(FILE *out, const snw_worker_request *request);

/* SNW_ERROR_DATA where the payload is not such a request, whole and nothing more. */
snw_status snw_worker_request_get_import(const void *payload, size_t count, snw_arena *arena, snw_worker_request *request,
										 snw_error *error);
snw_status snw_worker_request_get_fit(const void *payload, size_t count, snw_arena *arena, snw_worker_request *request,
									  snw_error *error);

#endif
