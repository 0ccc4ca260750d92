/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "project/database/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/check.h"

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

void *snw_rows_optional_array(snw_rows *rows, int column, size_t count, size_t element_bytes) {
	return snw_rows_null(rows, column) ? NULL : snw_rows_array(rows, column, count, element_bytes);
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
