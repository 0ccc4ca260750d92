/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Undo and redo: apply an entry's changeset, inverted or not, and mark the entry in the same transaction.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "file/file.h"
#include "project/database/rows.h"
#include "project/journal/command.h"

/* ---- undo ---------------------------------------------------------------------------------------------------------------- */

/* The journal is not trusted: only tables of the scene can be changed. */
static int is_journaled(void *context, const char *name) {
	(void)context;
	for (size_t i = 0; i < SNW_TABLE_COUNT; i++) {
		if (strcmp(snw_tables[i].name, name) == 0) {
			return snw_tables[i].row_bytes > 0;
		}
	}
	return 0;
}

static int refuse_conflict(void *context, int kind, sqlite3_changeset_iter *change) {
	(void)context;
	(void)kind;
	(void)change;
	return SQLITE_CHANGESET_ABORT;
}

static snw_status apply_changes(snw_project *project, int64_t entry, bool invert, snw_error *error) {
	snw_changeset changeset;
	const snw_status status = snw_changeset_begin(project, entry, &changeset, error);
	if (snw_failed(status)) {
		snw_changeset_end(&changeset);
		return status;
	}
	const int result =
		sqlite3changeset_apply_v2_strm(project->database, snw_changeset_read, &changeset, is_journaled, refuse_conflict, NULL,
									   NULL, NULL, invert ? SQLITE_CHANGESETAPPLY_INVERT : 0);
	snw_changeset_end(&changeset);
	if (result == SQLITE_OK) {
		return SNW_OK;
	}
	if (result == SQLITE_FULL || result == SQLITE_IOERR || result == SQLITE_BUSY || result == SQLITE_NOMEM) {
		return snw_fail(error, result == SQLITE_NOMEM ? SNW_ERROR_MEMORY : SNW_ERROR_IO, "%s: %s%s", project->path,
						sqlite3_errstr(result), snw_database_unchanged_text());
	}
	return snw_fail(error, SNW_ERROR_DATA,
					"%s: its journal does not match its contents (changed by another tool?); nothing was changed",
					project->path);
}

/* A label or a time, in `arena`: users see them, and somebody else may have written control characters into the file. */
static char *read_line(snw_rows *rows, int column, snw_arena *arena) {
	const char *text = snw_rows_text(rows, column);
	char *line = snw_arena_text(arena, text ? text : "");
	(void)snw_text_clean(line, '_');
	return line;
}

/* Copies an entry's label for the caller. */
static snw_status copy_label(snw_project *project, int64_t entry, const char **label, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	snw_rows rows = snw_rows_begin(project, arena, "journal", "SELECT label FROM journal WHERE id = ?1",
								   SNW_CELLS(snw_integer(entry)), error);
	char *copy = NULL;
	if (snw_rows_next(&rows)) {
		copy = strdup(read_line(&rows, 0, arena));
	}
	snw_status status = snw_rows_end(&rows);
	snw_arena_destroy(arena);
	if (!snw_failed(status) && !copy) {
		status = snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", project->path);
	}
	if (snw_failed(status)) {
		free(copy);
		return status;
	}
	free(project->label);
	project->label = copy;
	*label = copy;
	return SNW_OK;
}

typedef enum journal_step { UNDO, REDO, TAKE_BACK } journal_step;

/* What was overtaken by an entry is so for good when that is undone, and can be redone again when it is taken back. */
static snw_status mark_entry(snw_project *project, int64_t entry, journal_step step, snw_error *error) {
	const snw_cell cells[] = {snw_integer(entry), snw_integer(step == UNDO)};
	if (step != TAKE_BACK) {
		const snw_status status = step == UNDO ? snw_command_forget_overtaken(project, error) : SNW_OK;
		return snw_failed(status) ? status
								  : snw_database_run(project, "UPDATE journal SET undone = ?2 WHERE id = ?1", cells, 2, error);
	}
	return snw_entry_delete(project, entry, error);
}

/* Inside a transaction: applies one entry and marks it. */
static snw_status step_entry(snw_project *project, int64_t entry, journal_step step, const char **label, snw_error *error) {
	snw_status status = apply_changes(project, entry, step != REDO, error);
	status = snw_failed(status) ? status : copy_label(project, entry, label, error);
	status = snw_failed(status) ? status : mark_entry(project, entry, step, error);
	return snw_failed(status) ? status : snw_arrays_sweep(project, error);
}

static snw_status step_journal(snw_project *project, const char *find, journal_step step, const char *nothing,
							   const char **label, snw_error *error) {
	snw_status status = snw_command_expect_none(project, error);
	status = snw_failed(status) ? status : snw_database_execute(project, "BEGIN IMMEDIATE", error);
	if (snw_failed(status)) {
		return status;
	}
	int64_t entry = 0;
	const char *found = NULL;
	status = snw_database_integer(project, find, NULL, 0, 0, &entry, error);
	if (!snw_failed(status) && entry == 0) {
		status = snw_fail(error, SNW_ERROR_MISSING, "%s: %s", project->path, nothing);
	}
	status = snw_failed(status) ? status : step_entry(project, entry, step, &found, error);
	status = snw_failed(status) ? status : snw_database_commit(project, error);
	if (snw_failed(status)) {
		if (!sqlite3_get_autocommit(project->database)) {
			sqlite3_exec(project->database, "ROLLBACK", NULL, NULL, NULL);
		}
		return status;
	}
	if (label) {
		*label = found;
	}
	return SNW_OK;
}

snw_status snw_project_undo(snw_project *project, const char **label, snw_error *error) {
	/* The first entry created the project and cannot be undone. */
	return step_journal(project, "SELECT max(id) FROM journal WHERE NOT undone AND id > (SELECT min(id) FROM journal)", UNDO,
						"nothing to undo", label, error);
}

snw_status snw_project_redo(snw_project *project, const char **label, snw_error *error) {
	return step_journal(project, "SELECT min(id) FROM journal WHERE undone AND id > " SNW_NEWEST_DONE, REDO, "nothing to redo",
						label, error);
}

/* Another program may have changed the project since: its change must not be undone in place of this one. */
snw_status snw_project_take_back(snw_project *project, snw_error *error) {
	char find[200];
	if (project->recorded == 0) {
		snw_changed_file_set(NULL);
		return SNW_OK;
	}
	snprintf(find, sizeof find, "SELECT id FROM journal WHERE id = %lld AND NOT undone AND id = (SELECT max(id) FROM journal)",
			 (long long)project->recorded);
	const snw_status status = step_journal(project, find, TAKE_BACK, "another program has changed it since", NULL, error);
	if (!snw_failed(status)) {
		project->recorded = 0;
		snw_changed_file_set(NULL);
	}
	return status;
}

snw_status snw_project_history(snw_project *project, snw_arena *arena, snw_history_entry **entries, uint32_t *count,
							   snw_error *error) {
	int64_t row_count = 0;
	snw_status status = snw_database_integer(project, "SELECT count(*) FROM journal", NULL, 0, 0, &row_count, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_history_entry *list = SNW_NEW_ARRAY(arena, snw_history_entry, (size_t)row_count);
	snw_rows rows = snw_rows_begin(
		project, arena, "journal",
		"SELECT id, label, time, undone, checkpoint FROM journal WHERE NOT undone OR id > " SNW_NEWEST_DONE " ORDER BY id",
		NULL, 0, error);
	uint32_t i = 0;
	for (; i < row_count && snw_rows_next(&rows); i++) {
		list[i].id = snw_rows_integer(&rows, 0);
		list[i].label = read_line(&rows, 1, arena);
		list[i].time = read_line(&rows, 2, arena);
		list[i].undone = snw_rows_integer(&rows, 3) != 0;
		list[i].checkpoint = snw_rows_integer(&rows, 4) != 0;
	}
	status = snw_rows_end(&rows);
	if (!snw_failed(status)) {
		*entries = list;
		*count = i;
	}
	return status;
}

uint64_t snw_project_changes(const snw_project *project) {
	return (uint64_t)sqlite3_total_changes64(project->database);
}

snw_status snw_project_checkpoint(snw_project *project, snw_error *error) {
	snw_status status = snw_command_expect_none(project, error);
	status = snw_failed(status) ? status : snw_database_execute(project, "BEGIN IMMEDIATE", error);
	if (snw_failed(status)) {
		return status;
	}
	status = snw_database_execute(
		project, "UPDATE journal SET checkpoint = 1 WHERE id = (SELECT max(id) FROM journal WHERE NOT undone)", error);
	status = snw_failed(status) ? status : snw_database_commit(project, error);
	if (snw_failed(status) && !sqlite3_get_autocommit(project->database)) {
		sqlite3_exec(project->database, "ROLLBACK", NULL, NULL, NULL);
	}
	return status;
}

/* ---- changeset ----------------------------------------------------------------------------------------------------------- */

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

/* ---- history limit ------------------------------------------------------------------------------------------------------- */

/* The limit of the history: by the bytes needed to undo changes, not by their number. The oldest changes are removed first;
 * the scene is unaffected. */

/* The newest entry whose change must be removed, so that later ones need at most ?1 bytes; 0 for none. The last change is
 * always kept, so that it can be undone. The pieces are read in their order, of each only its length: to look for one SQLite
 * reads the whole pieces that it passes. */
static const char find_floor[] =
	"SELECT max(journal) FROM (SELECT journal, sum(bytes) OVER (ORDER BY journal DESC) AS held FROM"
	" (SELECT journal, sum(bytes) AS bytes FROM"
	" (SELECT journal, sum(length(changeset)) AS bytes FROM journal_change GROUP BY journal UNION ALL"
	" SELECT journal, sum(length(bytes)) FROM journal_array JOIN array ON id = array WHERE NOT is_made GROUP BY journal)"
	" GROUP BY journal)"
	" WHERE journal NOT IN (SELECT id FROM journal WHERE undone))"
	" WHERE held > ?1 AND journal < (SELECT max(id) FROM journal)";

/* The default limit; %s selects the arrays in use. Free pages of the file are not part of the scene. */
static const char find_limit[] =
	"SELECT min(1073741824, max(16777216, 16 * ((SELECT page_count FROM pragma_page_count) - (SELECT freelist_count FROM"
	" pragma_freelist_count)) * (SELECT page_size FROM pragma_page_size) - 16 * (SELECT ifnull(sum(length(changeset)), 0) FROM"
	" journal_change) - 16 * (SELECT ifnull(sum(length(bytes)), 0) FROM array WHERE id NOT IN (%s))))";

/* Removes the changes up to an entry. The entry itself is kept as the oldest known state, which cannot be undone. */
static snw_status forget_until(snw_project *project, int64_t floor, snw_error *error) {
	char which[40];
	snprintf(which, sizeof which, "<= %lld", (long long)floor);
	const snw_status status = snw_changes_delete(project, which, error);
	return snw_failed(status)
			   ? status
			   : snw_database_run(project, "DELETE FROM journal WHERE id < ?1", SNW_CELLS(snw_integer(floor)), error);
}

snw_status snw_history_trim(snw_project *project, snw_error *error) {
	int64_t floor = 0, limit = (int64_t)project->history_bytes;
	snw_arena *arena = snw_arena_create();
	const char *sql = snw_arena_format(arena, find_limit, snw_arrays_in_use_sql(arena));
	snw_status status = limit == 0 ? snw_database_integer(project, sql, NULL, 0, 0, &limit, error) : SNW_OK;
	snw_arena_destroy(arena);
	if (!snw_failed(status)) {
		status = snw_database_integer(project, find_floor, SNW_CELLS(snw_integer(limit)), 0, &floor, error);
	}
	return snw_failed(status) || floor == 0 ? status : forget_until(project, floor, error);
}

void snw_project_limit_history(snw_project *project, uint64_t bytes) {
	project->history_bytes = bytes < INT64_MAX ? bytes : INT64_MAX;
}

snw_status snw_project_forget(snw_project *project, snw_error *error) {
	snw_status status = snw_command_expect_none(project, error);
	status = snw_failed(status) ? status : snw_database_execute(project, "BEGIN IMMEDIATE", error);
	if (snw_failed(status)) {
		return status;
	}
	int64_t present = 0;
	status = snw_changes_delete(project, "IN (SELECT id FROM journal WHERE undone)", error);
	status = snw_failed(status) ? status : snw_database_execute(project, "DELETE FROM journal WHERE undone", error);
	status =
		snw_failed(status) ? status : snw_database_integer(project, "SELECT max(id) FROM journal", NULL, 0, 0, &present, error);
	status = snw_failed(status) ? status : forget_until(project, present, error);
	status = snw_failed(status) ? status : snw_arrays_sweep(project, error);
	status = snw_failed(status) ? status : snw_database_commit(project, error);
	if (snw_failed(status)) {
		sqlite3_exec(project->database, "ROLLBACK", NULL, NULL, NULL);
		return status;
	}
	/* The copy that VACUUM makes counts as an attached database; otherwise there is none. */
	const int attached = sqlite3_limit(project->database, SQLITE_LIMIT_ATTACHED, 1);
	status = snw_database_execute(project, "VACUUM", error);
	sqlite3_limit(project->database, SQLITE_LIMIT_ATTACHED, attached);
	return status;
}
