/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "message/message.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/file.h"

/* ---- messages ------------------------------------------------------------------------------------------------------------ */

bool snw_message_open_sockets(int ends[2]) {
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0;
}

void snw_message_set_text(snw_message *message, const char *text) {
	snprintf(message->text, sizeof message->text, "%s", text ? text : "");
}

bool snw_message_send(int socket, snw_message *message) {
	ssize_t sent;
	message->version = SNW_MESSAGE_VERSION;
	do {
		sent = send(socket, message, sizeof *message, MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	return sent == (ssize_t)sizeof *message;
}

snw_message_state snw_message_receive(int socket, bool wait, snw_message *message) {
	ssize_t got;
	do {
		got = recv(socket, message, sizeof *message, MSG_TRUNC | (wait ? 0 : MSG_DONTWAIT));
	} while (got < 0 && errno == EINTR);
	if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
		return SNW_MESSAGE_NONE;
	}
	if (got <= 0) {
		return SNW_MESSAGE_ENDED;
	}
	if (got != (ssize_t)sizeof *message || message->version != SNW_MESSAGE_VERSION || message->kind >= SNW_MESSAGE_KIND_COUNT) {
		return SNW_MESSAGE_INVALID;
	}
	message->unit[sizeof message->unit - 1] = '\0';
	message->text[sizeof message->text - 1] = '\0';
	return SNW_MESSAGE_ARRIVED;
}

/* ---- streams ------------------------------------------------------------------------------------------------------------- */

#define NO_ARRAY UINT64_MAX
enum { STREAM_ALIGNMENT = 64, LONGEST_TEXT = 1 << 24 };

/* Arrays are aligned, so that they may be used where they are. */
static size_t padded(size_t count) {
	return (count + STREAM_ALIGNMENT - 1) / STREAM_ALIGNMENT * STREAM_ALIGNMENT;
}

unsigned char *snw_get_place(snw_stream *stream, size_t count) {
	unsigned char *place = stream->at;
	if (stream->is_broken || count > (size_t)(stream->end - place) || padded(count) > (size_t)(stream->end - place)) {
		stream->is_broken = true;
		return NULL;
	}
	stream->at += padded(count);
	return place;
}

static void write_to_file(snw_stream *stream, const void *bytes, size_t count) {
	static const unsigned char zeros[STREAM_ALIGNMENT];
	const size_t padding = padded(count) - count;
	const bool is_written = (count == 0 || fwrite(bytes, count, 1, stream->file) == 1) &&
							(padding == 0 || fwrite(zeros, padding, 1, stream->file) == 1);
	stream->is_broken = stream->is_broken || !is_written;
}

void snw_put_bytes(snw_stream *stream, const void *bytes, size_t count) {
	if (stream->file) {
		write_to_file(stream, bytes, count);
		return;
	}
	unsigned char *place = snw_get_place(stream, count);
	if (place && count > 0) {
		memcpy(place, bytes, count);
	}
}

void snw_put_number(snw_stream *stream, uint64_t number) {
	snw_put_bytes(stream, &number, sizeof number);
}

void snw_put_real(snw_stream *stream, double number) {
	snw_put_bytes(stream, &number, sizeof number);
}

void snw_put_array(snw_stream *stream, const void *array, uint64_t count, size_t element_bytes) {
	if (array && !stream->file && count > (size_t)(stream->end - stream->at) / element_bytes) {
		stream->is_broken = true;
		return;
	}
	snw_put_number(stream, array ? count : NO_ARRAY);
	if (array) {
		snw_put_bytes(stream, array, count * element_bytes);
	}
}

void snw_put_text(snw_stream *stream, const char *text) {
	snw_put_array(stream, text, text ? strlen(text) : 0, 1);
}

void snw_put_texts(snw_stream *stream, const char *const *texts, uint64_t count) {
	snw_put_number(stream, texts ? count : NO_ARRAY);
	for (uint64_t i = 0; texts && i < count && !stream->is_broken; i++) {
		snw_put_text(stream, texts[i]);
	}
}

void snw_get_bytes(snw_stream *stream, void *bytes, size_t count) {
	const unsigned char *place = snw_get_place(stream, count);
	if (place && count > 0) {
		memcpy(bytes, place, count);
	} else if (!place) {
		memset(bytes, 0, count);
	}
}

uint64_t snw_get_number(snw_stream *stream) {
	uint64_t number;
	snw_get_bytes(stream, &number, sizeof number);
	return number;
}

double snw_get_real(snw_stream *stream) {
	double number;
	snw_get_bytes(stream, &number, sizeof number);
	return number;
}

uint32_t snw_get_u32(snw_stream *stream) {
	const uint64_t number = snw_get_number(stream);
	stream->is_broken = stream->is_broken || number > UINT32_MAX;
	return stream->is_broken ? 0 : (uint32_t)number;
}

uint32_t snw_get_count(snw_stream *stream) {
	const uint32_t count = snw_get_u32(stream);
	stream->is_broken = stream->is_broken || count > (size_t)(stream->end - stream->at) / STREAM_ALIGNMENT;
	return stream->is_broken ? 0 : count;
}

void *snw_get_counted(snw_stream *stream, size_t element_bytes, snw_arena *arena, uint64_t *count) {
	*count = snw_get_number(stream);
	if (*count == NO_ARRAY || stream->is_broken || *count > (size_t)(stream->end - stream->at) / element_bytes) {
		stream->is_broken = stream->is_broken || *count != NO_ARRAY;
		*count = 0;
		return NULL;
	}
	const unsigned char *place = snw_get_place(stream, *count * element_bytes);
	return place ? snw_arena_copy(arena, place, *count * element_bytes) : NULL;
}

void *snw_get_array(snw_stream *stream, uint64_t count, size_t element_bytes, snw_arena *arena) {
	uint64_t found;
	void *array = snw_get_counted(stream, element_bytes, arena, &found);
	if (array && found != count) {
		stream->is_broken = true;
		return NULL;
	}
	return array;
}

void *snw_get_elements(snw_stream *stream, uint64_t count, size_t element_bytes, snw_arena *arena) {
	void *elements = snw_get_array(stream, count, element_bytes, arena);
	stream->is_broken = stream->is_broken || (!elements && count > 0);
	return elements;
}

char *snw_get_text(snw_stream *stream, snw_arena *arena) {
	const uint64_t count = snw_get_number(stream);
	stream->is_broken = stream->is_broken || (count > LONGEST_TEXT && count != NO_ARRAY);
	const unsigned char *place = count == NO_ARRAY ? NULL : snw_get_place(stream, count);
	char *text = place ? snw_arena_acquire(arena, count + 1) : NULL;
	return text ? memcpy(text, place, count) : NULL;
}

const char *const *snw_get_texts(snw_stream *stream, uint64_t count, snw_arena *arena) {
	const uint64_t found = snw_get_number(stream);
	if (found == NO_ARRAY || stream->is_broken || found != count || count > (size_t)(stream->end - stream->at) / 8) {
		stream->is_broken = stream->is_broken || found != NO_ARRAY;
		return NULL;
	}
	const char **texts = SNW_NEW_ARRAY(arena, const char *, count);
	for (uint64_t i = 0; i < count && !stream->is_broken; i++) {
		texts[i] = snw_get_text(stream, arena);
	}
	return texts;
}

/* ---- in files ------------------------------------------------------------------------------------------------------------ */

snw_stream snw_stream_file_begin(int file) {
	const int copy = ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0 ? dup(file) : -1;
	FILE *out = copy >= 0 ? fdopen(copy, "wb") : NULL;
	if (!out && copy >= 0) {
		close(copy);
	}
	return (snw_stream){.file = out, .is_broken = !out};
}

snw_status snw_stream_file_end(snw_stream *stream, const char *what, snw_error *error) {
	const bool is_closed = stream->file && fclose(stream->file) == 0;
	stream->file = NULL;
	return is_closed && !stream->is_broken
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_IO, "%s cannot be passed on: %s; free some memory", what, strerror(errno));
}

bool snw_stream_contents_open(int file, snw_stream_contents *contents) {
	struct stat info;
	if (fstat(file, &info) != 0 || info.st_size <= 0 || (uint64_t)info.st_size > SNW_FILE_LIMIT) {
		return false;
	}
	contents->bytes = (size_t)info.st_size;
	contents->map = mmap(NULL, contents->bytes, PROT_READ, MAP_PRIVATE, file, 0);
	if (contents->map == MAP_FAILED) {
		return false;
	}
	contents->in = (snw_stream){.at = contents->map, .end = (unsigned char *)contents->map + contents->bytes};
	return true;
}

bool snw_stream_contents_are_read(const snw_stream_contents *contents) {
	return !contents->in.is_broken && contents->in.at == contents->in.end;
}

void snw_stream_contents_close(snw_stream_contents *contents) {
	munmap(contents->map, contents->bytes);
}
