/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages between the program and its worker: a header (magic, version, kind, length; 32 bits each, little endian) and a
 * payload, over a socket. Both sides check what they receive, because a file may have exploited the worker.
 */
#ifndef SINEW_HOST_WORKER_JOB_MESSAGE_H
#define SINEW_HOST_WORKER_JOB_MESSAGE_H

#include <stdbool.h>

#include "base/error.h"

enum { SNW_MESSAGE_VERSION = 5, SNW_MESSAGE_HEADER = 16, SNW_MESSAGE_LIMIT = 1 << 20 /* bytes of payload */ };

typedef enum snw_message_kind {
	SNW_MESSAGE_IMPORT = 1, /* to the worker: host/worker/job/request.h */
	SNW_MESSAGE_FIT = 2,
	SNW_MESSAGE_CANCEL = 3,   /* no payload */
	SNW_MESSAGE_PROGRESS = 4, /* from the worker from here on: double fraction, text */
	SNW_MESSAGE_NOTICE = 5,   /* uint32 level, text */
	SNW_MESSAGE_DONE = 6,     /* int32 status, text; the last one */
	SNW_MESSAGE_READ = 7,     /* to the worker */
	SNW_MESSAGE_FUNCTION = 8, /* from the worker: the function of a plug-in that it calls, "" after the last */
} snw_message_kind;

typedef struct snw_message {
	snw_message_kind kind;
	const unsigned char *payload; /* valid until the next call on the queue */
	size_t count;
} snw_message;

/* Sends one message. SNW_ERROR_IO if the other side has closed the channel; SNW_ERROR_LIMIT if the payload is too long. */
snw_status snw_message_send(int channel, snw_message_kind kind, const void *payload, size_t count, snw_error *error);

/* Received bytes that have not been taken as messages yet. Zero-initialised before the first use. */
typedef struct snw_message_queue {
	unsigned char *bytes;
	size_t begin, end;
} snw_message_queue;
void snw_message_queue_release(snw_message_queue *queue);

/* Adds received bytes. SNW_ERROR_LIMIT if the queue is full; after `take` has emptied it, it has room for a whole message. */
snw_status snw_message_queue_add(snw_message_queue *queue, const void *bytes, size_t count, snw_error *error);

/* Receives the bytes that have arrived; if `wait`, blocks until some arrive. False at the end of the stream. */
bool snw_message_queue_receive(snw_message_queue *queue, int channel, bool wait, snw_error *error);

/* Takes the next message. SNW_ERROR_MISSING while it is incomplete; SNW_ERROR_DATA if the bytes are not a message. */
snw_status snw_message_queue_take(snw_message_queue *queue, snw_message *message, snw_error *error);

#endif
