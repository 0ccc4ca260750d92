/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file that two processes have, as a stream (message/stream.h).
 */
#ifndef SINEW_HOST_MESSAGE_STREAM_FILE_H
#define SINEW_HOST_MESSAGE_STREAM_FILE_H

#include "base/error.h"
#include "message/stream.h"

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
