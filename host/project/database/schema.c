/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "project/database/schema.h"

#include <stdio.h>
#include <string.h>

#include "project/database/tables.h"

snw_status snw_schema_mark(snw_project *project, snw_error *error) {
	char sql[64];
	snprintf(sql, sizeof sql, "PRAGMA application_id = %d", SNW_APPLICATION_ID);
	return snw_database_execute(project, sql, error);
}

snw_status snw_schema_create(snw_project *project, snw_error *error) {
	snw_status status = SNW_OK;
	snw_arena *arena = snw_arena_create();
	for (size_t i = 0; !snw_failed(status) && i < SNW_TABLE_COUNT; i++) {
		status = snw_database_execute(project, snw_table_sql(&snw_tables[i], arena), error);
	}
	snw_arena_destroy(arena);
	status = snw_failed(status) ? status : snw_schema_mark(project, error);
	return !snw_failed(status)
			   ? snw_database_run(project,
								  "INSERT INTO project (id, schema_version, program, created) "
								  "VALUES (1, ?1, ?2, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
								  SNW_CELLS(snw_integer(SNW_SCHEMA_VERSION), snw_text("sinew " SINEW_VERSION)), error)
			   : status;
}

static snw_status fail_not_a_project(snw_project *project, snw_error *error) {
	return snw_fail(error, SNW_ERROR_DATA, "%s: this is not a Sinew project; make one with 'sinew import'", project->path);
}

snw_status snw_schema_version(snw_project *project, int64_t *version, snw_error *error) {
	int64_t application = 0, tables = 0;
	snw_status status = snw_database_integer(project, "PRAGMA application_id", NULL, 0, 0, &application, error);
	if (!snw_failed(status) && application != SNW_APPLICATION_ID) {
		return fail_not_a_project(project, error);
	}
	if (!snw_failed(status)) {
		status = snw_database_integer(project, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'project'",
									  NULL, 0, 0, &tables, error);
	}
	if (!snw_failed(status) && tables != 1) {
		return fail_not_a_project(project, error);
	}
	return !snw_failed(status)
			   ? snw_database_integer(project, "SELECT schema_version FROM project WHERE id = 1", NULL, 0, -1, version, error)
			   : status;
}

/* Ignores case, as SQLite does for names of tables. */
static const snw_table *find_table(const char *name) {
	for (size_t i = 0; i < SNW_TABLE_COUNT; i++) {
		if (sqlite3_stricmp(snw_tables[i].name, name) == 0) {
			return &snw_tables[i];
		}
	}
	return NULL;
}

/* Other objects in the file, such as a user's view or table of notes, are ignored. */
static snw_status verify_object(snw_project *project, sqlite3_stmt *row, snw_arena *arena, size_t *found, snw_error *error) {
	const char *type = (const char *)sqlite3_column_text(row, 0), *name = (const char *)sqlite3_column_text(row, 1);
	const char *table = (const char *)sqlite3_column_text(row, 2), *sql = (const char *)sqlite3_column_text(row, 3);
	const snw_table *known = table ? find_table(table) : NULL;
	if (!type || !name || !known || (!sql && strncmp(name, "sqlite_autoindex_", 17) == 0)) {
		return SNW_OK;
	}
	if (strcmp(type, "table") != 0) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: it has an extra %s '%s' on the table '%s'; drop it with SQLite's tools",
						project->path, type, name, table);
	}
	if (!sql || strcmp(name, known->name) != 0 || strcmp(sql, snw_table_sql(known, arena)) != 0) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: its table '%s' does not match the schema; use a backup", project->path,
						table);
	}
	(*found)++;
	return SNW_OK;
}

snw_status snw_schema_verify(snw_project *project, snw_error *error) {
	sqlite3_stmt *statement = NULL;
	snw_status status =
		snw_database_prepare(project, "SELECT type, name, tbl_name, sql FROM sqlite_schema", NULL, 0, &statement, error);
	int result = SQLITE_DONE;
	size_t found = 0;
	snw_arena *arena = snw_arena_create();
	while (!snw_failed(status) && (result = sqlite3_step(statement)) == SQLITE_ROW) {
		status = verify_object(project, statement, arena, &found, error);
	}
	snw_arena_destroy(arena);
	if (!snw_failed(status) && result != SQLITE_DONE) {
		status = snw_database_fail(project, error);
	}
	sqlite3_finalize(statement);
	if (!snw_failed(status) && found != SNW_TABLE_COUNT) {
		status = snw_fail(error, SNW_ERROR_DATA, "%s: %zu of its %d tables are missing; use a backup", project->path,
						  SNW_TABLE_COUNT - found, SNW_TABLE_COUNT);
	}
	return status;
}
