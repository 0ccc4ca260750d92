/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of a project as text, read past the project's own code: what undo has to bring back exactly.
 */
#ifndef SINEW_TESTS_PROJECT_DUMP_H
#define SINEW_TESTS_PROJECT_DUMP_H

#include "check.h"

#include <sqlite3.h>

static const char *const dump_tables[] = {
	"image",        "material", "joint", "slot",          "channel",          "mesh",        "morph",        "clip",
	"track",        "pose",     "field", "example",       "corrective_group", "group_joint", "group_member", "target",
	"target_frame", "model",    "layer", "layer_setting", "sculpt_layer"};

static inline void dump_check(sqlite3 *database, int result, int wanted) {
	if (result != wanted) {
		fail_msg("sqlite: %d %s", result, sqlite3_errmsg(database));
	}
}

static inline sqlite3 *dump_open(const char *path) {
	sqlite3 *database = NULL;
	dump_check(database, sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
	sqlite3_busy_timeout(database, 5000);
	return database;
}

/* Selects the columns of a table; in place of the id of an array its bytes. */
static const char dump_columns[] =
	"SELECT 'SELECT ' || group_concat(CASE WHEN c.name IN (SELECT \"from\" FROM pragma_foreign_key_list(?1) WHERE \"table\" = "
	"'array') THEN '(SELECT array.bytes FROM array WHERE array.id = ' || ?1 || '.' || c.name || ') AS ' || c.name ELSE c.name "
	"END, ', ') || "
	"' FROM ' || ?1 FROM pragma_table_info(?1) AS c";

/* SQL that selects all values of a table. The caller frees it. */
static inline char *dump_select(sqlite3 *database, const char *table) {
	sqlite3_stmt *rows = NULL;
	dump_check(database, sqlite3_prepare_v2(database, dump_columns, -1, &rows, NULL), SQLITE_OK);
	sqlite3_bind_text(rows, 1, table, -1, SQLITE_STATIC);
	dump_check(database, sqlite3_step(rows), SQLITE_ROW);
	char *sql = strdup((const char *)sqlite3_column_text(rows, 0));
	sqlite3_finalize(rows);
	return sql;
}

/* Every value of every row of the scene's tables, in the order in which they lie in the file. The caller frees it. */
static inline char *dump_scene(const char *path) {
	sqlite3 *database = dump_open(path);
	sqlite3_str *text = sqlite3_str_new(database);
	for (size_t t = 0; t < sizeof dump_tables / sizeof *dump_tables; t++) {
		sqlite3_stmt *rows = NULL;
		char *sql = dump_select(database, dump_tables[t]);
		dump_check(database, sqlite3_prepare_v2(database, sql, -1, &rows, NULL), SQLITE_OK);
		free(sql);
		int result;
		while ((result = sqlite3_step(rows)) == SQLITE_ROW) {
			sqlite3_str_appendf(text, "%s:", dump_tables[t]);
			for (int c = 0; c < sqlite3_column_count(rows); c++) {
				const int type = sqlite3_column_type(rows, c);
				const unsigned char *bytes = sqlite3_column_blob(rows, c);
				sqlite3_str_appendf(text, " %d ", type);
				if (type == SQLITE_FLOAT) {
					sqlite3_str_appendf(text, "%!.17g", sqlite3_column_double(rows, c));
					continue;
				}
				for (int i = 0; i < sqlite3_column_bytes(rows, c); i++) {
					sqlite3_str_appendchar(text, 1, "0123456789abcdef"[bytes[i] >> 4]);
					sqlite3_str_appendchar(text, 1, "0123456789abcdef"[bytes[i] & 15]);
				}
			}
			sqlite3_str_appendchar(text, 1, '\n');
		}
		dump_check(database, result, SQLITE_DONE);
		sqlite3_finalize(rows);
	}
	char *finished = sqlite3_str_finish(text);
	char *copy = strdup(finished ? finished : "");
	sqlite3_free(finished);
	sqlite3_close(database);
	return copy;
}

static inline int64_t dump_integer(const char *path, const char *sql) {
	sqlite3 *database = dump_open(path);
	sqlite3_stmt *rows = NULL;
	dump_check(database, sqlite3_prepare_v2(database, sql, -1, &rows, NULL), SQLITE_OK);
	dump_check(database, sqlite3_step(rows), SQLITE_ROW);
	const int64_t value = sqlite3_column_int64(rows, 0);
	sqlite3_finalize(rows);
	sqlite3_close(database);
	return value;
}

/* Changes a file with SQLite alone, as another program would. */
static inline void dump_execute(const char *path, const char *sql) {
	sqlite3 *database = dump_open(path);
	dump_check(database, sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(database);
}

#endif
