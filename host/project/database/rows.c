/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "project/database/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/check.h"

/* ---- rows ---------------------------------------------------------------------------------------------------------------- */

snw_rows snw_rows_begin(snw_project *project, snw_arena *arena, const char *table, const char *sql, const snw_cell *cells,
						size_t cell_count, snw_error *error) {
	snw_rows rows = {.project = project, .arena = arena, .table = table, .error = error};
	rows.status = snw_database_prepare(project, sql, cells, cell_count, &rows.statement, error);
	return rows;
}

bool snw_rows_next(snw_rows *rows) {
	if (snw_failed(rows->status)) {
		return false;
	}
	const int result = sqlite3_step(rows->statement);
	if (result != SQLITE_ROW && result != SQLITE_DONE) {
		rows->status = snw_database_fail(rows->project, rows->error);
	}
	return result == SQLITE_ROW;
}

snw_status snw_rows_end(snw_rows *rows) {
	sqlite3_finalize(rows->statement);
	rows->statement = NULL;
	return rows->status;
}

void snw_rows_fail(snw_rows *rows, const char *fault) {
	if (!snw_failed(rows->status)) {
		rows->status = snw_fail(rows->error, SNW_ERROR_DATA, "%s: the table '%s' is damaged: %s; use a backup",
								rows->project->path, rows->table, fault);
	}
}

bool snw_rows_null(snw_rows *rows, int column) {
	return snw_failed(rows->status) || sqlite3_column_type(rows->statement, column) == SQLITE_NULL;
}

/* Fails if the column has another type. */
static bool expect_type(snw_rows *rows, int column, int type, const char *kind) {
	if (!snw_failed(rows->status) && sqlite3_column_type(rows->statement, column) != type) {
		char fault[200];
		snprintf(fault, sizeof fault, "its column '%s' does not hold %s", sqlite3_column_name(rows->statement, column), kind);
		snw_rows_fail(rows, fault);
	}
	return !snw_failed(rows->status);
}

int64_t snw_rows_integer(snw_rows *rows, int column) {
	if (snw_rows_null(rows, column) || !expect_type(rows, column, SQLITE_INTEGER, "an integer")) {
		return 0;
	}
	return sqlite3_column_int64(rows->statement, column);
}

uint32_t snw_rows_count(snw_rows *rows, int column) {
	const int64_t count = snw_rows_integer(rows, column);
	if (count < 0 || count > SNW_LARGEST_COUNT) {
		snw_rows_fail(rows, "a count in it is out of range");
		return 0;
	}
	return (uint32_t)count;
}

double snw_rows_real(snw_rows *rows, int column) {
	return expect_type(rows, column, SQLITE_FLOAT, "a number") ? sqlite3_column_double(rows->statement, column) : 0;
}

const char *snw_rows_text(snw_rows *rows, int column) {
	if (!expect_type(rows, column, SQLITE_TEXT, "text")) {
		return NULL;
	}
	const char *text = (const char *)sqlite3_column_text(rows->statement, column);
	if (!text || strlen(text) != (size_t)sqlite3_column_bytes(rows->statement, column)) {
		snw_rows_fail(rows, "a text in it cannot be read");
		return NULL;
	}
	return snw_arena_text(rows->arena, text);
}

void *snw_rows_bytes(snw_rows *rows, int column, size_t *count) {
	*count = 0;
	if (!expect_type(rows, column, SQLITE_BLOB, "bytes")) {
		return NULL;
	}
	/* Must be called before sqlite3_column_bytes; NULL if empty. */
	const void *bytes = sqlite3_column_blob(rows->statement, column);
	*count = (size_t)sqlite3_column_bytes(rows->statement, column);
	if (!bytes && *count > 0) {
		rows->status = snw_database_fail(rows->project, rows->error);
		*count = 0;
		return NULL;
	}
	return snw_arena_copy(rows->arena, bytes, *count);
}

void *snw_rows_apart_bytes(snw_rows *rows, int column, uint64_t most, size_t *count) {
	const int64_t id = snw_rows_integer(rows, column);
	sqlite3_blob *array = NULL;
	*count = 0;
	if (snw_failed(rows->status)) {
		return NULL;
	}
	const int result = sqlite3_blob_open(rows->project->database, "main", "array", "bytes", id, 0, &array);
	const size_t bytes = result == SQLITE_OK ? (size_t)sqlite3_blob_bytes(array) : 0;
	void *copy = NULL;
	if (result == SQLITE_ERROR || bytes > most) {
		char fault[200];
		snprintf(fault, sizeof fault, "its column '%s' refers to %s", sqlite3_column_name(rows->statement, column),
				 result == SQLITE_ERROR ? "an array that is missing" : "more bytes than the file can hold");
		snw_rows_fail(rows, fault);
	} else if (result == SQLITE_OK) {
		copy = snw_arena_acquire(rows->arena, bytes);
	}
	if (!snw_failed(rows->status) && (!copy || sqlite3_blob_read(array, copy, (int)bytes, 0) != SQLITE_OK)) {
		rows->status = snw_database_fail(rows->project, rows->error);
	}
	sqlite3_blob_close(array);
	*count = snw_failed(rows->status) ? 0 : bytes;
	return snw_failed(rows->status) ? NULL : copy;
}

bool snw_rows_expect_size(snw_rows *rows, int column, size_t found, size_t count, size_t element_bytes) {
	size_t bytes;
	if (__builtin_mul_overflow(count, element_bytes, &bytes) || bytes != found) {
		char fault[200];
		snprintf(fault, sizeof fault, "its column '%s' has %zu bytes for %zu elements of %zu bytes",
				 sqlite3_column_name(rows->statement, column), found, count, element_bytes);
		snw_rows_fail(rows, fault);
	}
	return !snw_failed(rows->status);
}

static bool has_size(snw_rows *rows, int column, size_t count, size_t element_bytes) {
	return snw_rows_expect_size(rows, column, (size_t)sqlite3_column_bytes(rows->statement, column), count, element_bytes);
}

void *snw_rows_array(snw_rows *rows, int column, size_t count, size_t element_bytes) {
	size_t bytes;
	if (!expect_type(rows, column, SQLITE_BLOB, "an array") || !has_size(rows, column, count, element_bytes)) {
		return NULL;
	}
	return snw_rows_bytes(rows, column, &bytes);
}

void snw_rows_array_into(snw_rows *rows, int column, size_t count, size_t element_bytes, void *dest) {
	if (!expect_type(rows, column, SQLITE_BLOB, "an array") || !has_size(rows, column, count, element_bytes)) {
		return;
	}
	const void *bytes = sqlite3_column_blob(rows->statement, column);
	if (bytes) {
		memcpy(dest, bytes, count * element_bytes);
	} else if (count * element_bytes > 0) {
		rows->status = snw_database_fail(rows->project, rows->error);
	}
}

void *snw_rows_counted_array(snw_rows *rows, int column, size_t element_bytes, uint32_t *count) {
	*count = 0;
	if (!expect_type(rows, column, SQLITE_BLOB, "an array")) {
		return NULL;
	}
	const size_t elements = (size_t)sqlite3_column_bytes(rows->statement, column) / element_bytes;
	void *array = snw_rows_array(rows, column, elements, element_bytes); /* fails if a part of an element remains */
	*count = snw_failed(rows->status) ? 0 : (uint32_t)elements;          /* a blob is below 2^31 bytes */
	return array;
}

/* ---- ids to indices ------------------------------------------------------------------------------------------------------ */

static int compare_entries(const void *a, const void *b) {
	const int64_t p = ((const snw_id_entry *)a)->id, q = ((const snw_id_entry *)b)->id;
	return (p > q) - (p < q);
}

snw_id_map snw_id_map_make(const int64_t *ids, uint32_t count, size_t stride, snw_arena *arena) {
	snw_id_map map = {.count = count, .entries = SNW_NEW_ARRAY(arena, snw_id_entry, count)};
	for (uint32_t i = 0; i < count; i++) {
		memcpy(&map.entries[i].id, (const char *)ids + i * stride, sizeof map.entries[i].id);
		map.entries[i].index = i;
	}
	qsort(map.entries, count, sizeof *map.entries, compare_entries);
	return map;
}

uint32_t snw_id_map_find(const snw_id_map *map, int64_t id) {
	const snw_id_entry key = {.id = id};
	const snw_id_entry *found = bsearch(&key, map->entries, map->count, sizeof key, compare_entries);
	return found ? found->index : SNW_NONE;
}

uint32_t snw_rows_index(snw_rows *rows, int column, const snw_id_map *map, bool optional) {
	if (snw_rows_null(rows, column)) {
		if (!optional) {
			snw_rows_fail(rows, "a reference in it is NULL");
		}
		return SNW_NONE;
	}
	const uint32_t index = snw_id_map_find(map, snw_rows_integer(rows, column));
	if (index == SNW_NONE) {
		snw_rows_fail(rows, "a row in it refers to a missing row");
	}
	return index;
}

/* ---- id lists ------------------------------------------------------------------------------------------------------------ */

enum { NAMES_SHOWN = 4 };

snw_status snw_row_list_read(snw_project *project, const char *table, const char *order, snw_arena *arena, snw_row_list *list,
							 snw_error *error) {
	char sql[200];
	int64_t count = 0;
	snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
	snw_status status = snw_database_integer(project, sql, NULL, 0, 0, &count, error);
	if (!snw_failed(status) && count > SNW_LARGEST_COUNT) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: the table '%s' has too many rows", project->path, table);
	}
	if (snw_failed(status)) {
		return status;
	}
	list->ids = SNW_NEW_ARRAY(arena, int64_t, (size_t)count);
	list->names = SNW_NEW_ARRAY(arena, const char *, (size_t)count);
	snprintf(sql, sizeof sql, "SELECT id, name FROM %s ORDER BY %s", table, order);
	snw_rows rows = snw_rows_begin(project, arena, table, sql, NULL, 0, error);
	uint32_t i = 0;
	for (; i < count && snw_rows_next(&rows); i++) {
		list->ids[i] = snw_rows_integer(&rows, 0);
		list->names[i] = snw_rows_text(&rows, 1);
	}
	list->count = i;
	return snw_rows_end(&rows);
}

snw_status snw_row_names_read(snw_project *project, const char *sql, int64_t id, snw_arena *arena, const char **names,
							  snw_error *error) {
	snw_rows rows = snw_rows_begin(project, arena, "project", sql, SNW_CELLS(snw_integer(id)), error);
	const char *text = NULL;
	uint32_t count = 0;
	while (snw_rows_next(&rows)) {
		const char *name = snw_rows_text(&rows, 0);
		if (name && ++count <= NAMES_SHOWN) {
			text = text ? snw_arena_format(arena, "%s, '%.100s'", text, name) : snw_arena_format(arena, "'%.100s'", name);
		}
	}
	if (count > NAMES_SHOWN) {
		text = snw_arena_format(arena, "%s and %u more", text, count - NAMES_SHOWN);
	}
	*names = text;
	return snw_rows_end(&rows);
}

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
