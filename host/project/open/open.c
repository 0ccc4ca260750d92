/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opens a project. Nothing in it is trusted before it is checked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/file.h"
#include "project/database/schema.h"
#include "project/open/migrate.h"

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
	int64_t version = 0;
	snw_status status = snw_schema_version(project, &version, error);
	if (snw_failed(status)) {
		return status;
	}
	if (version > SNW_SCHEMA_VERSION || version < 0) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED,
						"%s: its schema version is %lld, and this program supports versions up to %d; use a newer Sinew",
						project->path, (long long)version, SNW_SCHEMA_VERSION);
	}
	if (version < SNW_OLDEST_SCHEMA) {
		return snw_fail(
			error, SNW_ERROR_UNSUPPORTED,
			"%s: an older build of Sinew, before its first release, made this file, and this program cannot read it; "
			"make it again from its source with 'sinew import'",
			project->path);
	}
	if (version == SNW_SCHEMA_VERSION) {
		status = snw_schema_verify(project, error);
		return snw_failed(status) || !project->is_outline ? status : check_outline(project, error);
	}
	status = project->is_outline ? check_pages(project, WHOLE_FILE, error) : SNW_OK;
	return snw_failed(status) ? status : snw_migrate(project, snw_migration_steps + (version - SNW_OLDEST_SCHEMA), error);
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
	return exists && !project->read_only ? snw_schema_mark(project, error) : SNW_OK;
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
		return snw_schema_version(project, &(int64_t){0}, error); /* reports the reason */
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
