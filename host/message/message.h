/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages between the program and its other processes, the worker and those of plug-ins. They are small and all of one size,
 * through a socket that keeps them whole; everything large is in memory or in a file that both have (message/message.h). The
 * program trusts none: a file may have exploited the worker, and a plug-in may write to any socket.
 */
#ifndef SINEW_HOST_MESSAGE_MESSAGE_H
#define SINEW_HOST_MESSAGE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"

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

/* ---- streams ------------------------------------------------------------------------------------------------------------- */

/* Values written one after the other, into memory that two processes share or into a file. Reading trusts nothing: every length
 * is checked, and what is read is copied, so that the other process cannot change it afterwards. */

typedef struct snw_stream {
	unsigned char *at, *end;
	FILE *file;     /* what is put goes there, not into memory; NULL for none */
	bool is_broken; /* it was too short, or something in it was impossible */
} snw_stream;

void snw_put_number(snw_stream *stream, uint64_t number);
void snw_put_real(snw_stream *stream, double number);
/* Without a length. */
void snw_put_bytes(snw_stream *stream, const void *bytes, size_t count);
/* With its length; NULL is read as NULL. */
void snw_put_array(snw_stream *stream, const void *array, uint64_t count, size_t element_bytes);
void snw_put_text(snw_stream *stream, const char *text);
void snw_put_texts(snw_stream *stream, const char *const *texts, uint64_t count);

uint64_t snw_get_number(snw_stream *stream);
double snw_get_real(snw_stream *stream);
uint32_t snw_get_u32(snw_stream *stream);
/* The number of things that follow, each of a value or more. The stream is broken if it has not so many values. */
uint32_t snw_get_count(snw_stream *stream);
void snw_get_bytes(snw_stream *stream, void *bytes, size_t count);
/* The next bytes where they are; NULL if there are not so many. */
unsigned char *snw_get_place(snw_stream *stream, size_t count);
/* The array, in `arena`; *count is its length. */
void *snw_get_counted(snw_stream *stream, size_t element_bytes, snw_arena *arena, uint64_t *count);
/* The same for a length that is known. The stream is broken if it is another, but for NULL. */
void *snw_get_array(snw_stream *stream, uint64_t count, size_t element_bytes, snw_arena *arena);
/* The same, but NULL breaks the stream if the length is not 0. */
void *snw_get_elements(snw_stream *stream, uint64_t count, size_t element_bytes, snw_arena *arena);
char *snw_get_text(snw_stream *stream, snw_arena *arena);
const char *const *snw_get_texts(snw_stream *stream, uint64_t count, snw_arena *arena);

/* A file that two processes have, as a stream. */

/* Starts to write the file anew; and ends it. `what` is what an error says that it is: "the request". */
snw_stream snw_stream_file_begin(int file);
snw_status snw_stream_file_end(snw_stream *stream, const char *what, snw_error *error);

/* The contents of a file. */
typedef struct snw_stream_contents {
	void *map;
	size_t bytes;
	snw_stream in;
} snw_stream_contents;

/* False without contents, and if they are too large. */
bool snw_stream_contents_open(int file, snw_stream_contents *contents);
/* Whether all of them were read, and nothing in them was impossible. */
bool snw_stream_contents_are_read(const snw_stream_contents *contents);
void snw_stream_contents_close(snw_stream_contents *contents);

#endif
