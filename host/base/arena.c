/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- arena --------------------------------------------------------------------------------------------------------------- */

/* The first block of an arena is small, since thousands of meshes may have arenas each; each later one is twice as large, up
 * to the most. */
enum { ALIGNMENT = 64, FIRST_BLOCK_BYTES = 1024 - ALIGNMENT, BLOCK_BYTES = 64 * 1024 };

/* Blocks form a list, newest first. The payload of each follows a header of ALIGNMENT bytes. */
typedef struct block {
	struct block *next;
	size_t used, capacity;
} block;

struct snw_arena {
	block *blocks;
};

_Static_assert(sizeof(block) <= ALIGNMENT, "the block header must fit in front of the payload");

static void out_of_memory(size_t bytes) {
	fprintf(stderr, "sinew: out of memory: cannot allocate %zu bytes; close other programs and try again\n", bytes);
	exit(1);
}

snw_arena *snw_arena_create(void) {
	snw_arena *arena = calloc(1, sizeof *arena);
	if (!arena) {
		out_of_memory(sizeof *arena);
	}
	return arena;
}

void snw_arena_destroy(snw_arena *arena) {
	if (!arena) {
		return;
	}
	for (block *b = arena->blocks, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	free(arena);
}

void snw_arena_overwrite(snw_arena *arena, unsigned char byte) {
	for (block *b = arena->blocks; b; b = b->next) {
		memset((char *)b + ALIGNMENT, byte, b->used);
	}
}

/* Memory that is not cleared; `bytes` becomes its rounded size. */
static void *take(snw_arena *arena, size_t *size) {
	const size_t bytes = *size;
	if (bytes > SIZE_MAX / 2) {
		out_of_memory(bytes);
	}
	const size_t rounded = bytes ? (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : ALIGNMENT;
	block *b = arena->blocks;
	if (!b || b->capacity - b->used < rounded) {
		const size_t usual = !b ? FIRST_BLOCK_BYTES : b->capacity < BLOCK_BYTES / 2 ? 2 * b->capacity : BLOCK_BYTES;
		const size_t capacity = rounded > usual ? rounded : usual;
		b = aligned_alloc(ALIGNMENT, ALIGNMENT + capacity);
		if (!b) {
			out_of_memory(bytes);
		}
		*b = (block){.next = arena->blocks, .capacity = capacity};
		arena->blocks = b;
	}
	void *memory = (char *)b + ALIGNMENT + b->used;
	b->used += rounded;
	*size = rounded;
	return memory;
}

void *snw_arena_acquire(snw_arena *arena, size_t bytes) {
	void *memory = take(arena, &bytes);
	return memset(memory, 0, bytes);
}

void *snw_arena_array(snw_arena *arena, size_t count, size_t element_bytes) {
	size_t bytes;
	if (__builtin_mul_overflow(count, element_bytes, &bytes)) {
		out_of_memory(SIZE_MAX);
	}
	return snw_arena_acquire(arena, bytes);
}

void *snw_arena_copy(snw_arena *arena, const void *bytes, size_t count) {
	size_t size = count;
	char *copy = take(arena, &size);
	if (count) {
		memcpy(copy, bytes, count);
	}
	memset(copy + count, 0, size - count);
	return copy;
}

void *snw_arena_grow(snw_arena *arena, void *list, uint32_t count, uint32_t *room, size_t element_bytes) {
	if (count < *room) {
		return list;
	}
	*room = *room ? 2 * *room : 16;
	void *larger = snw_arena_array(arena, *room, element_bytes);
	if (count > 0) {
		memcpy(larger, list, count * element_bytes);
	}
	return larger;
}

char *snw_arena_text(snw_arena *arena, const char *text) {
	return text ? snw_arena_copy(arena, text, strlen(text) + 1) : NULL;
}

char *snw_arena_format(snw_arena *arena, const char *format, ...) {
	va_list arguments, again;
	va_start(arguments, format);
	va_copy(again, arguments);
	const int length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	char *text = snw_arena_acquire(arena, (size_t)(length < 0 ? 0 : length) + 1);
	if (length > 0) {
		vsnprintf(text, (size_t)length + 1, format, again);
	}
	va_end(again);
	return text;
}

/* ---- memory sink --------------------------------------------------------------------------------------------------------- */

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
