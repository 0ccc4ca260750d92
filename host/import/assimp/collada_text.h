/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text of a Collada file: its tags, their attributes, and the words between them. Private to the reader.
 */
#ifndef SINEW_HOST_IMPORT_ASSIMP_COLLADA_TEXT_H
#define SINEW_HOST_IMPORT_ASSIMP_COLLADA_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scene/scene.h"

/* A piece of the file's text. */
typedef struct snw_span {
	const char *begin, *end;
} snw_span;

typedef struct snw_tag {
	snw_span whole, name;   /* from '<' to behind '>'; "skin" */
	bool closes, is_single; /* </skin>; <skin/> */
} snw_tag;

bool snw_span_is_same(snw_span a, snw_span b);
bool snw_span_is(snw_span a, const char *text);
/* The place behind a text; the end of all if it does not follow. */
const char *snw_behind(const char *at, const char *end, const char *text);

/* The next tag of an element, behind which *at is then. False at the end. */
bool snw_next_tag(const char **at, const char *end, snw_tag *t);
/* The value of an attribute; empty without it. */
snw_span snw_tag_attribute(const snw_tag *t, const char *name);
/* Of a reference in the same file, "#body", without its first letter. */
snw_span snw_tag_reference(const snw_tag *t, const char *name);

bool snw_next_word(snw_span *text, snw_span *word);

int snw_span_compare(snw_span a, snw_span b);

/* A text being written, which ends with a zero. It begins as {.arena = …}. */
typedef struct snw_written_text {
	snw_arena *arena;
	char *text;
	size_t count, room;
} snw_written_text;

void snw_write_span(snw_written_text *written, snw_span text);
void snw_write_text(snw_written_text *written, const char *text);

/* Where ids are in a list; sorted, so that large files take no longer than they must. */
typedef struct snw_id_row {
	snw_span id;
	uint32_t index;
} snw_id_row;

typedef struct snw_id_table {
	uint32_t count;
	snw_id_row *rows;
} snw_id_table;

/* `ids` is that of the first of `count` members, which are `stride` bytes apart. Empty ids are left out. */
snw_id_table snw_id_table_make(const void *ids, uint32_t count, size_t stride, snw_arena *arena);
/* The last member with an id; SNW_NONE if there is none. */
uint32_t snw_id_table_find(const snw_id_table *table, snw_span id);

#endif
