/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Undo and redo: apply an entry's changeset, inverted or not, and mark the entry in the same transaction.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "file/file.h"
#include "project/database/arrays.h"
#include "project/database/rows.h"
#include "project/journal/changeset.h"
#include "project/journal/command.h"

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
