/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/memory_sink.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 31) /* the largest model: SQLite stores no larger blob */

static snw_status write_bytes(void *context, const void *bytes, size_t count) {
	return snw_memory_sink_write(context, bytes, count);
}

void snw_memory_sink_open(snw_memory_sink *sink) {
	*sink = (snw_memory_sink){.sink = {.size = sizeof(snw_sink), .context = sink, .write = write_bytes}};
}

snw_status snw_memory_sink_write(snw_memory_sink *sink, const void *bytes, size_t count) {
	if (count > MOST_BYTES - sink->count) {
		return SNW_ERROR_LIMIT;
	}
	if (count > sink->capacity - sink->count) {
		size_t capacity = sink->capacity == 0 ? 4096 : sink->capacity;
		while (capacity < sink->count + count) {
			capacity *= 2;
		}
		unsigned char *grown = realloc(sink->bytes, capacity);
		if (!grown) {
			return SNW_ERROR_MEMORY;
		}
		sink->bytes = grown;
		sink->capacity = capacity;
	}
	if (count > 0) {
		memcpy(sink->bytes + sink->count, bytes, count);
	}
	sink->count += count;
	return SNW_OK;
}

void snw_memory_sink_close(snw_memory_sink *sink) {
	free(sink->bytes);
	*sink = (snw_memory_sink){0};
}
