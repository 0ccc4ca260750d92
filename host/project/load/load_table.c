/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "project/load/load.h"
#include "scene/check.h"

snw_status snw_load_begin(snw_project *project, snw_scene *scene, snw_arena *scratch, snw_load *load, snw_error *error) {
	int64_t pages = 0, page_bytes = 0;
	*load = (snw_load){.project = project, .scene = scene, .scratch = scratch, .error = error};
	snw_status status = snw_database_integer(project, "PRAGMA page_count", NULL, 0, 0, &pages, error);
	status = snw_failed(status) ? status : snw_database_integer(project, "PRAGMA page_size", NULL, 0, 0, &page_bytes, error);
	load->file_bytes = (uint64_t)pages * (uint64_t)page_bytes;
	return status;
}

snw_status snw_load_fail(const snw_load *load, snw_table_id table, const char *fault) {
	snw_rows rows = {.project = load->project, .table = snw_tables[table].name, .error = load->error};
	snw_rows_fail(&rows, fault);
	return rows.status;
}

/* " WHERE mesh = ?1", or "" for all rows. */
static const char *condition_of(const snw_table *table, int64_t owner, snw_arena *arena) {
	const snw_column *column = snw_table_column(table, SNW_COLUMN_OWNER);
	return owner ? snw_arena_format(arena, " WHERE %s = ?1", column->name) : "";
}

/* Counts no further than the file can hold: an outline does not check all pages, and damaged ones can repeat rows without
 * end. */
snw_status snw_load_count(snw_load *load, snw_table_id id, int64_t owner, uint32_t *count) {
	enum { LEAST_ROW_BYTES = 4 };
	const snw_table *table = &snw_tables[id];
	const uint64_t rows = load->file_bytes / LEAST_ROW_BYTES;
	const int64_t most = rows < SNW_LARGEST_COUNT ? (int64_t)rows : SNW_LARGEST_COUNT;
	int64_t value = 0;
	const char *sql = snw_arena_format(load->scratch, "SELECT count(*) FROM (SELECT 1 FROM %s%s LIMIT ?2)", table->name,
									   condition_of(table, owner, load->scratch));
	const snw_status status =
		snw_database_integer(load->project, sql, SNW_CELLS(snw_integer(owner), snw_integer(most + 1)), 0, &value, load->error);
	if (!snw_failed(status) && (value < 0 || value > most)) {
		return snw_fail(load->error, SNW_ERROR_DATA,
						"%s: the table '%s' has more rows than the file or a scene can hold; use a backup", load->project->path,
						table->name);
	}
	*count = (uint32_t)value;
	return status;
}

/* ---- a row --------------------------------------------------------------------------------------------------------------- */

/* Whether a column is read: it has a member, or is the id. */
static bool is_read(const snw_load *load, const snw_column *column) {
	return (column->member != SNW_NO_MEMBER || column->kind == SNW_COLUMN_ID) && !(column->is_heavy && load->scene->is_outline);
}

static const char *select_sql(const snw_load *load, const snw_table *table, int64_t owner) {
	const char *sql = NULL;
	for (uint32_t c = 0; c < table->column_count; c++) {
		const snw_column *column = &table->columns[c];
		if (is_read(load, column)) {
			sql = snw_arena_format(load->scratch, "%s %s", sql ? snw_arena_format(load->scratch, "%s,", sql) : "SELECT",
								   column->name);
		}
	}
	return snw_arena_format(load->scratch, "%s FROM %s%s ORDER BY %s", sql, table->name,
							condition_of(table, owner, load->scratch), table->order);
}

/* Ids to indices, in place. */
static uint32_t *find_indices(snw_rows *rows, const snw_id_map *map, uint32_t *ids, size_t count) {
	for (size_t i = 0; ids && i < count; i++) {
		const uint32_t id = ids[i];
		ids[i] = id ? snw_id_map_find(map, id) : SNW_NONE;
		if (id && ids[i] == SNW_NONE) {
			snw_rows_fail(rows, "a row in it refers to a missing row");
		}
	}
	return ids;
}

/* An array that is a row of the table 'array'. */
static void *load_apart(snw_load *load, snw_rows *rows, int at, const snw_column *column, void *row) {
	size_t bytes = 0;
	void *array = snw_rows_apart_bytes(rows, at, load->file_bytes - load->apart_bytes, &bytes);
	const uint32_t elements = column->kind == SNW_COLUMN_LIST ? (uint32_t)(bytes / column->element_bytes) : 0;
	load->apart_bytes += bytes;
	if (column->kind == SNW_COLUMN_BYTES) {
		memcpy((char *)row + column->count_member, &bytes, sizeof bytes);
	} else if (column->kind == SNW_COLUMN_LIST) {
		memcpy((char *)row + column->count_member, &elements, sizeof elements);
	}
	const bool is_whole =
		snw_failed(rows->status) || column->kind == SNW_COLUMN_BYTES ||
		snw_rows_expect_size(rows, at, bytes, column->kind == SNW_COLUMN_LIST ? elements : column->count(row, load->scene),
							 column->element_bytes);
	return is_whole ? array : NULL;
}

/* An array, in the scene's arena. */
static void *load_array(snw_load *load, snw_rows *rows, int at, const snw_column *column, void *row) {
	uint32_t count = 0;
	size_t byte_count = 0;
	void *array;
	if (column->is_apart) {
		return load_apart(load, rows, at, column, row);
	}
	switch (column->kind) {
	case SNW_COLUMN_LIST:
		array = snw_rows_counted_array(rows, at, column->element_bytes, &count);
		memcpy((char *)row + column->count_member, &count, sizeof count);
		return array;
	case SNW_COLUMN_BYTES:
		array = snw_rows_bytes(rows, at, &byte_count);
		memcpy((char *)row + column->count_member, &byte_count, sizeof byte_count);
		return array;
	case SNW_COLUMN_INDICES:
		array = snw_rows_array(rows, at, column->count(row, load->scene), column->element_bytes);
		return find_indices(rows, &load->maps[column->refers], array, column->count(row, load->scene));
	default:
		return snw_rows_array(rows, at, column->count(row, load->scene), column->element_bytes);
	}
}

static void load_value(snw_load *load, snw_rows *rows, int at, const snw_column *column, void *row) {
	void *member = (char *)row + column->member;
	switch (column->kind) {
	case SNW_COLUMN_COUNT:
		*(uint32_t *)member = snw_rows_count(rows, at);
		break;
	case SNW_COLUMN_CHOICE:
		*(int32_t *)member = (int32_t)snw_rows_count(rows, at);
		break;
	case SNW_COLUMN_FLAG:
		*(bool *)member = snw_rows_integer(rows, at) != 0;
		break;
	case SNW_COLUMN_REAL:
		*(double *)member = snw_rows_real(rows, at);
		break;
	case SNW_COLUMN_TEXT:
		*(const char **)member = snw_rows_text(rows, at);
		break;
	case SNW_COLUMN_INDEX:
		*(uint32_t *)member = snw_rows_index(rows, at, &load->maps[column->refers], column->optional && !column->applies);
		break;
	case SNW_COLUMN_NUMBERS:
		snw_rows_array_into(rows, at, column->element_bytes / sizeof(double), sizeof(double), member);
		break;
	case SNW_COLUMN_ARRAY:
	case SNW_COLUMN_INDICES:
	case SNW_COLUMN_LIST:
	case SNW_COLUMN_BYTES: {
		void *array = load_array(load, rows, at, column, row);
		memcpy(member, &array, sizeof array);
		break;
	}
	default:
		*(int64_t *)member = snw_rows_integer(rows, at);
	}
}

/* Arrays and texts that are NULL, and columns that do not apply, leave the zero of the row. */
static bool is_left_zero(snw_rows *rows, int at, const snw_column *column, const void *row) {
	return (column->applies && !column->applies(row)) ||
		   (column->optional && column->kind != SNW_COLUMN_INDEX && snw_rows_null(rows, at));
}

static void load_row(snw_load *load, snw_rows *rows, const snw_table *table, void *row, int64_t *id) {
	int at = 0;
	for (uint32_t c = 0; !snw_failed(rows->status) && c < table->column_count; c++) {
		const snw_column *column = &table->columns[c];
		if (column->kind == SNW_COLUMN_ID) {
			*id = snw_rows_integer(rows, at);
		}
		if (column->member != SNW_NO_MEMBER && is_read(load, column) && !is_left_zero(rows, at, column, row)) {
			load_value(load, rows, at, column, row);
		}
		at += is_read(load, column);
	}
}

/* ---- a table ------------------------------------------------------------------------------------------------------------- */

snw_status snw_load_table(snw_load *load, snw_table_id id, int64_t owner, snw_loaded *loaded) {
	const snw_table *table = &snw_tables[id];
	const bool has_ids = snw_table_column(table, SNW_COLUMN_ID) != NULL;
	uint32_t count = 0, i = 0;
	int64_t none;
	const snw_status status = snw_load_count(load, id, owner, &count);
	if (snw_failed(status)) {
		return status;
	}
	*loaded = (snw_loaded){.rows = snw_arena_array(load->scene->arena, count, table->row_bytes),
						   .ids = has_ids ? SNW_NEW_ARRAY(load->scratch, int64_t, count) : NULL};
	const snw_cell cell = snw_integer(owner);
	snw_rows rows = snw_rows_begin(load->project, load->scene->arena, table->name, select_sql(load, table, owner), &cell,
								   owner ? 1 : 0, load->error);
	for (; i < count && snw_rows_next(&rows); i++) {
		load_row(load, &rows, table, (char *)loaded->rows + table->row_bytes * i, has_ids ? &loaded->ids[i] : &none);
	}
	loaded->count = i;
	if (!owner && has_ids) {
		load->maps[id] = snw_id_map_make(loaded->ids, i, sizeof *loaded->ids, load->scratch);
	}
	return snw_rows_end(&rows);
}

/* Sets the array and the count in the struct that a list belongs to. */
static void set_list(const snw_table *table, void *owner, const snw_loaded *loaded) {
	memcpy((char *)owner + table->list, &loaded->rows, sizeof loaded->rows);
	memcpy((char *)owner + table->list_count, &loaded->count, sizeof loaded->count);
}

/* The rows of a table that are in the lists of rows of another. */
static snw_status load_lists(snw_load *load, snw_table_id id, const snw_loaded *owners) {
	const size_t owner_bytes = snw_tables[snw_tables[id].owner].row_bytes;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < owners->count; i++) {
		snw_loaded list = {0};
		status = snw_load_table(load, id, owners->ids[i], &list);
		set_list(&snw_tables[id], (char *)owners->rows + owner_bytes * i, &list);
	}
	return status;
}

snw_status snw_load_list(snw_load *load, snw_table_id id) {
	snw_loaded loaded = {0};
	snw_status status = snw_load_table(load, id, 0, &loaded);
	set_list(&snw_tables[id], load->scene, &loaded);
	for (snw_table_id t = id + 1; !snw_failed(status) && t < SNW_TABLE_COUNT; t++) {
		status = snw_tables[t].owner == id && snw_tables[t].list != SNW_NO_MEMBER ? load_lists(load, t, &loaded) : status;
	}
	return status;
}
