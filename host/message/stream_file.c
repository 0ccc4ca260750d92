/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "message/stream_file.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/file.h"

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
