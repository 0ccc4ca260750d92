/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/file.h"
#include "project/database/database.h"
#include "project/database/rows.h"
#include "project/database/tables.h"

/* ---- schema -------------------------------------------------------------------------------------------------------------- */

/* "Snew", the application id that `file` and SQLite's tools show. */
#define SNW_APPLICATION_ID 0x536e6577

/* Writes the application id, which is a write without a change of the project. */
static snw_status schema_mark(snw_project *project, snw_error *error) {
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
	status = snw_failed(status) ? status : schema_mark(project, error);
	return !snw_failed(status)
			   ? snw_database_run(project,
								  "INSERT INTO project (id, schema_version, program, created) "
								  "VALUES (1, ?1, ?2, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
								  SNW_CELLS(snw_integer(snw_schema_version(snw_tables)), snw_text("sinew " SINEW_VERSION)),
								  error)
			   : status;
}

static snw_status fail_not_a_project(snw_project *project, snw_error *error) {
	return snw_fail(error, SNW_ERROR_DATA, "%s: this is not a Sinew project; make one with 'sinew import'", project->path);
}

/* The version of the file; SNW_ERROR_DATA if it is not a project. */
static snw_status read_version(snw_project *project, int64_t *version, snw_error *error) {
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

/* Checks that every table equals this version's, without additional indices or triggers, which could run SQL from the file. */
static snw_status schema_verify(snw_project *project, snw_error *error) {
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

/* ---- migrate ------------------------------------------------------------------------------------------------------------- */

/* Whether a table that was there has changed since the version `from`. */
static bool has_changed(const snw_table *table, int64_t from) {
	bool changed = false;
	for (uint32_t c = 0; c < table->column_count; c++) {
		changed = changed || table->columns[c].since > from;
	}
	return changed;
}

/* Creates a table again with the current SQL, so that a migrated file equals one created with this version. The columns that it
 * had are copied, new ones get their defaults. */
static snw_status renew_table(snw_project *project, const snw_table *table, int64_t from, snw_arena *arena, snw_error *error) {
	const char *names = "";
	for (uint32_t c = 0; c < table->column_count; c++) {
		if (table->columns[c].since <= from) {
			names = snw_arena_format(arena, "%s%s%s", names, names[0] ? ", " : "", table->columns[c].name);
		}
	}
	const char *rename = snw_arena_format(arena, "ALTER TABLE %s RENAME TO migrated_%s", table->name, table->name);
	const char *copy = snw_arena_format(arena, "INSERT INTO %s (%s) SELECT %s FROM migrated_%s; DROP TABLE migrated_%s",
										table->name, names, names, table->name, table->name);
	return snw_database_execute(project, snw_arena_format(arena, "%s; %s; %s", rename, snw_table_sql(table, arena), copy),
								error);
}

static snw_status migrate_tables(snw_project *project, const snw_table *tables, int64_t from, snw_error *error) {
	snw_status status = SNW_OK;
	snw_arena *arena = snw_arena_create();
	for (size_t t = 0; !snw_failed(status) && t < SNW_TABLE_COUNT; t++) {
		if (tables[t].since > from) {
			status = snw_database_execute(project, snw_table_sql(&tables[t], arena), error);
		} else if (has_changed(&tables[t], from)) {
			status = renew_table(project, &tables[t], from, arena, error);
		}
	}
	snw_arena_destroy(arena);
	return status;
}

static snw_status copy_to_memory(snw_project *project, snw_error *error) {
	sqlite3 *memory = NULL;
	if (sqlite3_open_v2(":memory:", &memory, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK) {
		sqlite3_close(memory);
		return snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", project->path);
	}
	sqlite3_backup *backup = sqlite3_backup_init(memory, "main", project->database, "main");
	if (backup) {
		sqlite3_backup_step(backup, -1);
		sqlite3_backup_finish(backup);
	}
	if (sqlite3_errcode(memory) != SQLITE_OK) {
		const snw_status status = snw_fail(error, SNW_ERROR_IO, "%s: could not be copied into memory to be migrated (%s)",
										   project->path, sqlite3_errmsg(memory));
		sqlite3_close(memory);
		return status;
	}
	sqlite3_close(project->database);
	project->database = memory;
	snw_database_harden(memory);
	return SNW_OK;
}

snw_status snw_migrate(snw_project *project, const snw_table *tables, int64_t from, snw_error *error) {
	snw_status status = project->read_only ? copy_to_memory(project, error) : SNW_OK;
	/* With these settings, references to a rebuilt table keep its name. They work only outside a transaction. */
	status = snw_failed(status)
				 ? status
				 : snw_database_execute(project, "PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON; BEGIN IMMEDIATE",
										error);
	status = snw_failed(status) ? status : migrate_tables(project, tables, from, error);
	status = snw_failed(status) ? status
								: snw_database_run(project, "UPDATE project SET schema_version = ?1",
												   SNW_CELLS(snw_integer(snw_schema_version(tables))), error);
	status = snw_failed(status) ? status : schema_verify(project, error);
	status = snw_failed(status) ? status : snw_database_execute(project, "COMMIT", error);
	if (!sqlite3_get_autocommit(project->database)) {
		sqlite3_exec(project->database, "ROLLBACK", NULL, NULL, NULL);
	}
	sqlite3_exec(project->database, "PRAGMA legacy_alter_table = OFF; PRAGMA foreign_keys = ON", NULL, NULL, NULL);
	return status;
}

/* ---- open ---------------------------------------------------------------------------------------------------------------- */

/* Opens a project. Nothing in it is trusted before it is checked. */

/* The argument of SQLite's check for the whole file, up to the first fault; otherwise it is the name of a table. */
static const char WHOLE_FILE[] = "1";

/* SQLite's check, so that later reads and writes do not use damaged pages. */
static snw_status check_pages(snw_project *project, const char *part, snw_error *error) {
	char sql[64];
	snprintf(sql, sizeof sql, "PRAGMA quick_check(%s)", part);
	sqlite3_stmt *statement = NULL;
	snw_status status = snw_database_prepare(project, sql, NULL, 0, &statement, error);
	if (snw_failed(status)) {
		return status;
	}
	const int result = sqlite3_step(statement);
	const char *text = result == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
	if (result != SQLITE_ROW) {
		status = snw_database_fail(project, error);
	} else if (!text || strcmp(text, "ok") != 0) {
		status = snw_fail(error, SNW_ERROR_DATA, "%s: the file is damaged (%.*s); use a backup", project->path,
						  text ? (int)strcspn(text, "\n") : 0, text ? text : "");
	}
	sqlite3_finalize(statement);
	return status;
}

/* Whether an outline reads little of a table. */
static bool is_outlined(const char *table) {
	return strcmp(table, "array") == 0 || strcmp(table, "image") == 0 || strcmp(table, "journal_change") == 0 ||
		   strcmp(table, "target_frame") == 0;
}

/* Checks the tables that an outline reads whole. */
static snw_status check_outline(snw_project *project, snw_error *error) {
	snw_status status = SNW_OK;
	for (size_t t = 0; !snw_failed(status) && t < SNW_TABLE_COUNT; t++) {
		status = is_outlined(snw_tables[t].name) ? status : check_pages(project, snw_tables[t].name, error);
	}
	return status;
}

static snw_status migrate_if_older(snw_project *project, snw_error *error) {
	const int present = snw_schema_version(snw_tables);
	int64_t version = 0;
	snw_status status = read_version(project, &version, error);
	if (snw_failed(status)) {
		return status;
	}
	if (version > present) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED,
						"%s: its schema version is %lld, and this program supports versions up to %d; use a newer Sinew",
						project->path, (long long)version, present);
	}
	if (version < SNW_FIRST_SCHEMA) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED,
						"%s: its schema version is %lld, from before Sinew's first release, and cannot be read; make the "
						"project again from its source with 'sinew import'",
						project->path, (long long)version);
	}
	if (version == present) {
		status = schema_verify(project, error);
		return snw_failed(status) || !project->is_outline ? status : check_outline(project, error);
	}
	status = project->is_outline ? check_pages(project, WHOLE_FILE, error) : SNW_OK;
	return snw_failed(status) ? status : snw_migrate(project, snw_tables, version, error);
}

/* A program that is killed before it changes anything leaves an empty journal. A write removes it safely: only SQLite knows
 * whether it is still needed. */
static snw_status remove_empty_journal(snw_project *project, snw_error *error) {
	char *name = NULL;
	if (asprintf(&name, "%s-journal", project->path) < 0) {
		return snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", project->path);
	}
	const bool exists = snw_file_exists(name);
	free(name);
	return exists && !project->read_only ? schema_mark(project, error) : SNW_OK;
}

/* A commit needs its journal beside the file. */
static bool folder_is_writable(const char *path) {
	snw_arena *arena = snw_arena_create();
	const bool writable = eaccess(snw_path_folder(path, arena), W_OK) == 0;
	snw_arena_destroy(arena);
	return writable;
}

static snw_status prepare(snw_project *project, snw_error *error) {
	if (!project->read_only && (sqlite3_db_readonly(project->database, "main") == 1 || !folder_is_writable(project->path))) {
		return snw_fail(error, SNW_ERROR_IO, "%s: cannot be written; make the file and its folder writable, or work on a copy",
						project->path);
	}
	int64_t application = 0;
	snw_status status = snw_database_integer(project, "PRAGMA application_id", NULL, 0, 0, &application, error);
	if (!snw_failed(status) && application != SNW_APPLICATION_ID) {
		return read_version(project, &(int64_t){0}, error); /* reports the reason */
	}
	if (!snw_failed(status) && !project->is_outline) {
		status = check_pages(project, WHOLE_FILE, error);
	}
	if (!snw_failed(status) && !project->read_only) {
		/* EXTRA also flushes the folder, so that a commit outlives a power cut. */
		status = snw_database_execute(project, "PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA", error);
	}
	status = snw_failed(status) ? status : migrate_if_older(project, error);
	status = snw_failed(status) ? status : remove_empty_journal(project, error);
	return snw_failed(status) || !project->read_only ? status : snw_database_execute(project, "PRAGMA query_only = ON", error);
}

static snw_status open_project(const char *path, bool read_only, bool is_outline, snw_project **project, snw_error *error) {
	snw_project *p = NULL;
	snw_status status = snw_database_open(path, read_only, &p, error);
	if (snw_failed(status)) {
		return status;
	}
	p->is_outline = is_outline;
	status = prepare(p, error);
	if (snw_failed(status)) {
		snw_database_close(p);
		return status;
	}
	*project = p;
	return SNW_OK;
}

snw_status snw_project_open(const char *path, bool read_only, snw_project **project, snw_error *error) {
	return open_project(path, read_only, false, project, error);
}

snw_status snw_project_open_outline(const char *path, snw_project **project, snw_error *error) {
	return open_project(path, true, true, project, error);
}

void snw_project_close(snw_project *project) {
	if (project) {
		(void)snw_project_store(project, NULL);
		snw_project_rollback(project);
		snw_database_close(project);
	}
}
