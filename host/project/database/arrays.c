/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "project/database/arrays.h"

#include <stdlib.h>
#include <string.h>

/* ---- one array ----------------------------------------------------------------------------------------------------------- */

/* Whether the array has these bytes. It is read in pieces, up to the first that differs. */
static bool has_same_bytes(snw_project *project, int64_t id, const snw_cell *bytes) {
	enum { PIECE = 1 << 16 };
	unsigned char piece[PIECE];
	sqlite3_blob *array = NULL;
	bool is_same = sqlite3_blob_open(project->database, "main", "array", "bytes", id, 0, &array) == SQLITE_OK &&
				   (size_t)sqlite3_blob_bytes(array) == bytes->byte_count;
	for (size_t at = 0; is_same && at < bytes->byte_count; at += PIECE) {
		const size_t rest = bytes->byte_count - at, part = rest < PIECE ? rest : PIECE;
		is_same = sqlite3_blob_read(array, piece, (int)part, (int)at) == SQLITE_OK &&
				  memcmp(piece, (const char *)bytes->bytes + at, part) == 0;
	}
	sqlite3_blob_close(array);
	return is_same;
}

snw_status snw_array_put(snw_project *project, const snw_cell *bytes, int64_t before, int64_t *id, snw_error *error) {
	if (before != 0 && has_same_bytes(project, before, bytes)) {
		*id = before;
		return SNW_OK;
	}
	const snw_status status = snw_database_run(project, "INSERT INTO array (bytes) VALUES (?1)", bytes, 1, error);
	*id = sqlite3_last_insert_rowid(project->database);
	return status;
}

/* ---- those in use -------------------------------------------------------------------------------------------------------- */

const char *snw_arrays_in_use_sql(snw_arena *arena) {
	const char *sql = NULL;
	for (size_t t = 0; t < SNW_TABLE_COUNT; t++) {
		for (uint32_t c = 0; c < snw_tables[t].column_count; c++) {
			const snw_column *column = &snw_tables[t].columns[c];
			if (column->is_apart) {
				sql = snw_arena_format(arena, "%s SELECT %s AS id FROM %s WHERE %s NOT NULL",
									   sql ? snw_arena_format(arena, "%s UNION ALL", sql) : "", column->name,
									   snw_tables[t].name, column->name);
			}
		}
	}
	return sql;
}

static snw_status read_ids(snw_project *project, sqlite3_stmt *rows, snw_array_ids *list, snw_error *error) {
	size_t room = 0;
	int result;
	while ((result = sqlite3_step(rows)) == SQLITE_ROW) {
		if (list->count == room) {
			room = 2 * room + 64;
			int64_t *longer = realloc(list->ids, room * sizeof *longer);
			if (!longer) {
				return snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", project->path);
			}
			list->ids = longer;
		}
		list->ids[list->count++] = sqlite3_column_int64(rows, 0);
	}
	return result == SQLITE_DONE ? SNW_OK : snw_database_fail(project, error);
}

snw_status snw_arrays_in_use(snw_project *project, snw_array_ids *in_use, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	sqlite3_stmt *rows = NULL;
	*in_use = (snw_array_ids){0};
	snw_status status = snw_database_prepare(project, snw_arena_format(arena, "%s ORDER BY 1", snw_arrays_in_use_sql(arena)),
											 NULL, 0, &rows, error);
	status = snw_failed(status) ? status : read_ids(project, rows, in_use, error);
	sqlite3_finalize(rows);
	snw_arena_destroy(arena);
	return status;
}

/* ---- for the journal ----------------------------------------------------------------------------------------------------- */

/* Notes the ids of `first` that are not among those of `second`. */
static snw_status note_difference(snw_project *project, int64_t entry, const snw_array_ids *first, const snw_array_ids *second,
								  bool is_made, snw_error *error) {
	snw_status status = SNW_OK;
	for (size_t i = 0, j = 0; !snw_failed(status) && i < first->count; i++) {
		while (j < second->count && second->ids[j] < first->ids[i]) {
			j++;
		}
		if (j == second->count || second->ids[j] != first->ids[i]) {
			status = snw_database_run(project,
									  "INSERT INTO journal_array (journal, position, array, is_made) VALUES (?1, (SELECT "
									  "ifnull(max(position) + 1, 0) FROM journal_array WHERE journal = ?1), ?2, ?3)",
									  SNW_CELLS(snw_integer(entry), snw_integer(first->ids[i]), snw_integer(is_made)), error);
		}
	}
	return status;
}

/* An entry that is continued may have left an array that it wrote itself: then it needs that array no longer. */
static snw_status forget_own(snw_project *project, int64_t entry, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const char *sql = snw_arena_format(arena,
									   "DELETE FROM journal_array WHERE journal = ?1 AND array IN (SELECT array FROM "
									   "journal_array WHERE journal = ?1 AND is_made) AND array NOT IN (%s)",
									   snw_arrays_in_use_sql(arena));
	const snw_status status = snw_database_run(project, sql, SNW_CELLS(snw_integer(entry)), error);
	snw_arena_destroy(arena);
	return status;
}

snw_status snw_arrays_note(snw_project *project, int64_t entry, const snw_array_ids *before, snw_error *error) {
	snw_array_ids after;
	snw_status status = snw_arrays_in_use(project, &after, error);
	status = snw_failed(status) ? status : note_difference(project, entry, before, &after, false, error);
	status = snw_failed(status) ? status : note_difference(project, entry, &after, before, true, error);
	free(after.ids);
	return snw_failed(status) || !project->amended ? status : forget_own(project, entry, error);
}

snw_status snw_arrays_sweep(snw_project *project, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const char *sql =
		snw_arena_format(arena, "DELETE FROM array WHERE id NOT IN (SELECT array FROM journal_array) AND id NOT IN (%s)",
						 snw_arrays_in_use_sql(arena));
	const snw_status status = snw_database_execute(project, sql, error);
	snw_arena_destroy(arena);
	return status;
}
