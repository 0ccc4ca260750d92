/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages between the program and its other processes, the worker and those of plug-ins. They are small and all of one size,
 * through a socket that keeps them whole; everything large is in memory or in a file that both have (message/stream.h). The
 * program trusts none: a file may have exploited the worker, and a plug-in may write to any socket.
 */
#ifndef SINEW_HOST_MESSAGE_MESSAGE_H
#define SINEW_HOST_MESSAGE_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

/* Of the messages, and of what the worker gets and returns in files. */
enum { SNW_MESSAGE_VERSION = 8 };

typedef enum snw_message_kind {
	SNW_MESSAGE_CANCEL,      /* to the worker */
	SNW_MESSAGE_READY,       /* from here on to the program: a plug-in process waits for an order */
	SNW_MESSAGE_PROGRESS,    /* `number` of the activity `text` is done. A plug-in process waits for a byte: whether to go on */
	SNW_MESSAGE_NOTICE,      /* `text`; `status` is its level */
	SNW_MESSAGE_MEASUREMENT, /* `number` in `unit`; `text` is its name */
	SNW_MESSAGE_FUNCTION,    /* `text`: the function of a plug-in that the worker calls, "" after the last */
	SNW_MESSAGE_DONE,        /* `status` of a call, or of the worker's job, whose last message it is; `text` is why it failed */
	SNW_MESSAGE_KIND_COUNT
} snw_message_kind;

typedef struct snw_message {
	uint32_t version;
	uint32_t kind;
	int32_t status;
	int32_t is_whole; /* the text of a failure names the function */
	double number;
	char unit[32];
	char text[1000];
} snw_message;

/* For a socket of two ends: SOCK_SEQPACKET. */
bool snw_message_open_sockets(int ends[2]);

/* Copies as much of a text as a message has room for. */
void snw_message_set_text(snw_message *message, const char *text);
/* Sends a message with its version. False if the other process is gone. */
bool snw_message_send(int socket, snw_message *message);

typedef enum snw_message_state {
	SNW_MESSAGE_ARRIVED,
	SNW_MESSAGE_NONE,    /* not yet */
	SNW_MESSAGE_ENDED,   /* the other process is gone */
	SNW_MESSAGE_INVALID, /* it is no message of this version */
} snw_message_state;
/* Receives a message; its texts end. If `wait`, blocks until it arrives. */
snw_message_state snw_message_receive(int socket, bool wait, snw_message *message);

#endif
