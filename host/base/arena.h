/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An arena: memory that is freed all at once. Scenes, stacks and imports each own one. Only one thread may use an arena at a
 * time.
 */
#ifndef SINEW_HOST_BASE_ARENA_H
#define SINEW_HOST_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "sinew/sinew.h"

typedef struct snw_arena snw_arena;

snw_arena *snw_arena_create(void);
void snw_arena_destroy(snw_arena *arena); /* NULL does nothing */

/* Fills all that was acquired with a byte, to show who still reads it. */
void snw_arena_overwrite(snw_arena *arena, unsigned char byte);

/* Zeroed memory, aligned to 64 bytes. Ends the process with a message if memory runs out, or if count · element_bytes
 * overflows. So check counts from a file against the file's size first. */
void *snw_arena_acquire(snw_arena *arena, size_t bytes);
void *snw_arena_array(snw_arena *arena, size_t count, size_t element_bytes);
void *snw_arena_copy(snw_arena *arena, const void *bytes, size_t count);
/* The list with room for one more element than its `count`: itself, or a copy with twice the room. */
void *snw_arena_grow(snw_arena *arena, void *list, uint32_t count, uint32_t *room, size_t element_bytes);
char *snw_arena_text(snw_arena *arena, const char *text); /* NULL stays NULL */
char *snw_arena_format(snw_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define SNW_NEW(arena, type) ((type *)snw_arena_acquire((arena), sizeof(type)))
#define SNW_NEW_ARRAY(arena, type, count) ((type *)snw_arena_array((arena), (count), sizeof(type)))

/* ---- memory sink --------------------------------------------------------------------------------------------------------- */

/* A sink that collects a model's bytes in memory, up to a limit. */

typedef struct snw_memory_sink {
	snw_sink sink; /* for the plug-in; it points to this struct, which must not be copied while open */
	unsigned char *bytes;
	size_t count, capacity;
} snw_memory_sink;

void snw_memory_sink_open(snw_memory_sink *sink);
snw_status snw_memory_sink_write(snw_memory_sink *sink, const void *bytes, size_t count);
void snw_memory_sink_close(snw_memory_sink *sink);

#endif
