/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "project/journal/changeset.h"

#include <string.h>

/* SQLITE_ROW if there is more, SQLITE_DONE at the end, otherwise an error. */
static int next_piece(snw_changeset *c) {
	while (c->count == 0) {
		const int result = sqlite3_step(c->pieces);
		if (result != SQLITE_ROW) {
			return result;
		}
		c->piece = sqlite3_column_blob(c->pieces, 0);
		c->count = c->piece ? (size_t)sqlite3_column_bytes(c->pieces, 0) : 0;
	}
	return SQLITE_ROW;
}

int snw_changeset_read(void *changeset, void *bytes, int *count) {
	snw_changeset *c = changeset;
	const int result = next_piece(c);
	if (result != SQLITE_ROW) {
		*count = 0;
		return result == SQLITE_DONE ? SQLITE_OK : result;
	}
	const size_t part = c->count < (size_t)*count ? c->count : (size_t)*count;
	memcpy(bytes, c->piece, part);
	c->piece += part;
	c->count -= part;
	*count = (int)part;
	return SQLITE_OK;
}

/* ---- checking (format: sqlite.org/session/changegroup.html, and the comment at the top of sqlite3session.c) -------------- */

enum { LARGEST_NAME = 63, LARGEST_COLUMNS = 100 };

typedef struct walk {
	snw_changeset *changeset;
	int result; /* SQLITE_ROW until the end or an error */
	bool malformed;
	uint32_t columns; /* of the current table; 0 before the first */
} walk;

/* Skips `count` bytes. */
static void skip(walk *w, uint64_t count) {
	snw_changeset *c = w->changeset;
	while (count > 0 && w->result == SQLITE_ROW) {
		w->result = next_piece(c);
		if (w->result == SQLITE_ROW) {
			const size_t part = c->count < count ? c->count : (size_t)count;
			c->piece += part;
			c->count -= part;
			count -= part;
		}
	}
	w->malformed = w->malformed || count > 0;
}

/* 0 at the end, which makes the changeset malformed. */
static unsigned char next_byte(walk *w) {
	w->result = w->result == SQLITE_ROW ? next_piece(w->changeset) : w->result;
	if (w->result != SQLITE_ROW) {
		w->malformed = true;
		return 0;
	}
	w->changeset->count--;
	return *w->changeset->piece++;
}

/* Seven bits in each byte, highest first. */
static uint32_t next_varint(walk *w) {
	uint64_t value = 0;
	unsigned char byte = 0x80;
	for (int i = 0; i < 5 && byte & 0x80; i++) {
		byte = next_byte(w);
		value = value << 7 | (byte & 0x7f);
	}
	w->malformed = w->malformed || byte & 0x80 || value > INT32_MAX;
	return w->malformed ? 0 : (uint32_t)value;
}

static void walk_table(walk *w) {
	w->columns = next_varint(w);
	if (w->columns == 0 || w->columns > LARGEST_COLUMNS) {
		w->malformed = true;
		return;
	}
	bool has_key = false;
	for (uint32_t i = 0; i < w->columns; i++) {
		has_key |= next_byte(w) != 0;
	}
	int length = 0;
	while (!w->malformed && length <= LARGEST_NAME && next_byte(w) != 0) {
		length++;
	}
	w->malformed = w->malformed || !has_key || length == 0 || length > LARGEST_NAME;
}

static void walk_record(walk *w, bool may_be_undefined) {
	for (uint32_t i = 0; !w->malformed && i < w->columns; i++) {
		const unsigned char type = next_byte(w);
		switch (type) {
		case 0: /* in an update: unchanged */
			w->malformed = w->malformed || !may_be_undefined;
			break;
		case SQLITE_INTEGER:
		case SQLITE_FLOAT:
			skip(w, 8);
			break;
		case SQLITE_TEXT:
		case SQLITE_BLOB:
			skip(w, next_varint(w));
			break;
		case SQLITE_NULL:
			break;
		default:
			w->malformed = true;
		}
	}
}

static void walk_change(walk *w, unsigned char operation) {
	(void)next_byte(w); /* whether it is an indirect change */
	walk_record(w, operation == SQLITE_UPDATE);
	if (operation == SQLITE_UPDATE) {
		walk_record(w, true);
	}
}

static bool at_end(walk *w) {
	w->result = w->result == SQLITE_ROW ? next_piece(w->changeset) : w->result;
	return w->malformed || w->result != SQLITE_ROW;
}

static void walk_changes(walk *w) {
	while (!at_end(w)) {
		const unsigned char mark = next_byte(w);
		if (mark == 'T') {
			walk_table(w);
		} else if (w->columns > 0 && (mark == SQLITE_INSERT || mark == SQLITE_UPDATE || mark == SQLITE_DELETE)) {
			walk_change(w, mark);
		} else {
			w->malformed = true;
		}
	}
}

static snw_status check(snw_project *project, snw_changeset *changeset, snw_error *error) {
	walk w = {.changeset = changeset, .result = SQLITE_ROW};
	walk_changes(&w);
	if (w.result != SQLITE_ROW && w.result != SQLITE_DONE) {
		return snw_database_fail(project, error);
	}
	sqlite3_reset(changeset->pieces);
	changeset->count = 0;
	return w.malformed ? snw_fail(error, SNW_ERROR_DATA,
								  "%s: its history is damaged; nothing was changed; 'sinew history --forget' drops the history "
								  "and keeps the project as it is",
								  project->path)
					   : SNW_OK;
}

snw_status snw_changeset_begin(snw_project *project, int64_t entry, snw_changeset *changeset, snw_error *error) {
	*changeset = (snw_changeset){0};
	const snw_status status =
		snw_database_prepare(project, "SELECT changeset FROM journal_change WHERE journal = ?1 ORDER BY position",
							 SNW_CELLS(snw_integer(entry)), &changeset->pieces, error);
	return snw_failed(status) ? status : check(project, changeset, error);
}

void snw_changeset_end(snw_changeset *changeset) {
	sqlite3_finalize(changeset->pieces);
}
