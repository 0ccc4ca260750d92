/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "worker/job/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "sinew/bytes.h"

static const uint32_t MAGIC = 0x6b576e53; /* "SnWk" */
enum { QUEUE_BYTES = SNW_MESSAGE_HEADER + SNW_MESSAGE_LIMIT };

static snw_status send_all(int channel, const void *bytes, size_t count, snw_error *error) {
	const unsigned char *at = bytes;
	while (count > 0) {
		const ssize_t sent = send(channel, at, count, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR) {
			continue;
		}
		if (sent <= 0) {
			return snw_fail(error, SNW_ERROR_IO, "cannot send to the other process: %s", strerror(errno));
		}
		at += sent;
		count -= (size_t)sent;
	}
	return SNW_OK;
}

snw_status snw_message_send(int channel, snw_message_kind kind, const void *payload, size_t count, snw_error *error) {
	if (count > SNW_MESSAGE_LIMIT) {
		return snw_fail(error, SNW_ERROR_LIMIT, "a message of %zu bytes is too long; use fewer or shorter settings", count);
	}
	const uint32_t header[4] = {MAGIC, SNW_MESSAGE_VERSION, (uint32_t)kind, (uint32_t)count};
	const snw_status status = send_all(channel, header, sizeof header, error);
	return snw_failed(status) ? status : send_all(channel, payload, count, error);
}

void snw_message_queue_release(snw_message_queue *queue) {
	free(queue->bytes);
	*queue = (snw_message_queue){0};
}

/* Moves the queued bytes to the front; returns the free bytes behind them. */
static size_t make_room(snw_message_queue *queue) {
	if (!queue->bytes) {
		queue->bytes = malloc(QUEUE_BYTES);
	} else if (queue->begin > 0) {
		memmove(queue->bytes, queue->bytes + queue->begin, queue->end - queue->begin);
	}
	queue->end -= queue->begin;
	queue->begin = 0;
	return queue->bytes ? QUEUE_BYTES - queue->end : 0;
}

snw_status snw_message_queue_add(snw_message_queue *queue, const void *bytes, size_t count, snw_error *error) {
	if (make_room(queue) < count) {
		return snw_fail(error, SNW_ERROR_LIMIT, "%zu bytes do not fit into the message queue", count);
	}
	if (count > 0) {
		memcpy(queue->bytes + queue->end, bytes, count);
		queue->end += count;
	}
	return SNW_OK;
}

bool snw_message_queue_receive(snw_message_queue *queue, int channel, bool wait, snw_error *error) {
	const size_t room = make_room(queue);
	if (room == 0) {
		snw_fail(error, SNW_ERROR_MEMORY, "out of memory for messages");
		return false;
	}
	ssize_t got;
	do {
		got = recv(channel, queue->bytes + queue->end, room, wait ? 0 : MSG_DONTWAIT);
	} while (got < 0 && errno == EINTR);
	if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
		return true;
	}
	if (got <= 0) {
		snw_fail(error, SNW_ERROR_IO, "the other process has closed the channel");
		return false;
	}
	queue->end += (size_t)got;
	return true;
}

snw_status snw_message_queue_take(snw_message_queue *queue, snw_message *message, snw_error *error) {
	snw_reader reader = {.bytes = queue->bytes ? queue->bytes + queue->begin : NULL, .count = queue->end - queue->begin};
	if (reader.count < SNW_MESSAGE_HEADER) {
		return snw_fail(error, SNW_ERROR_MISSING, "the message is incomplete");
	}
	const uint32_t magic = snw_read_u32(&reader), version = snw_read_u32(&reader);
	const uint32_t kind = snw_read_u32(&reader), length = snw_read_u32(&reader);
	if (magic != MAGIC || kind < SNW_MESSAGE_IMPORT || kind > SNW_MESSAGE_FUNCTION || length > SNW_MESSAGE_LIMIT) {
		return snw_fail(error, SNW_ERROR_DATA, "the received bytes are not a message");
	}
	if (version != SNW_MESSAGE_VERSION) {
		return snw_fail(error, SNW_ERROR_DATA,
						"the worker uses protocol %u and this program %d; install both from the same build", version,
						SNW_MESSAGE_VERSION);
	}
	if (length > reader.count) {
		return snw_fail(error, SNW_ERROR_MISSING, "the message is incomplete");
	}
	*message = (snw_message){.kind = (snw_message_kind)kind, .payload = reader.bytes, .count = length};
	queue->begin += SNW_MESSAGE_HEADER + length;
	return SNW_OK;
}
