/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The project's database connection: opens files that are not trusted, runs statements, and converts SQLite's errors to
 * messages. Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_DATABASE_DATABASE_H
#define SINEW_HOST_PROJECT_DATABASE_DATABASE_H

/* The session extension is declared only if these are defined; the library has it. */
#ifndef SQLITE_ENABLE_SESSION
#define SQLITE_ENABLE_SESSION
#endif
#ifndef SQLITE_ENABLE_PREUPDATE_HOOK
#define SQLITE_ENABLE_PREUPDATE_HOOK
#endif
#include <sqlite3.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "project/database/tables.h"
#include "project/project.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "arrays in a project are little endian: swap bytes in rows.c before you build for such a machine"
#endif

/* Ids of arrays (database/rows.h). */
typedef struct snw_array_ids {
	int64_t *ids;
	size_t count;
} snw_array_ids;

struct snw_project {
	sqlite3 *database;
	char *path; /* as the user gave it, for messages */
	int folder; /* that the database has its name in; -1 if its path is short enough */
	bool read_only;
	bool is_outline; /* its scenes are outlines (snw_project_open_outline) */

	sqlite3_session *session; /* records the open command; NULL without one */
	bool spoiled;             /* the open command has failed, and can only be rolled back */
	snw_array_ids arrays;     /* that were in use when the open command began */
	int64_t amended;          /* the journal entry that the open command continues; 0 for a new one */
	int64_t unstored;         /* the journal entry of a command that is finished but not stored; 0 for none */
	int64_t recorded;         /* the journal entry of this connection's last command; 0 if it changed nothing */
	bool has_changed;         /* this connection's last command has changed something */
	bool rig_changed;         /* the open command changed joints or slots: check the whole scene before the commit */
	int64_t scene_version;    /* SQLite's data_version at the last read of the scene; 0 without one */
	uint64_t history_bytes;   /* the limit of the history; 0: the default, see journal/command.h */
	char *label;              /* of the open command, or the last undone or redone one */
};

/* Opens an existing file with everything disabled that a hostile file could use: triggers, views, functions, a writable schema.
 * On failure nothing is open. */
snw_status snw_database_open(const char *path, bool read_only, snw_project **project, snw_error *error);
void snw_database_close(snw_project *project);
/* Sets the path in errors. */
snw_status snw_database_rename(snw_project *project, const char *path, snw_error *error);
/* Disables features of a connection and sets its limits, as snw_database_open does. */
void snw_database_harden(sqlite3 *database);

/* SQLite's last error on this connection, with a message that says what to do. */
snw_status snw_database_fail(snw_project *project, snw_error *error);

/* A number that changes when another connection changes the file. */
snw_status snw_database_version(snw_project *project, int64_t *version, snw_error *error);

/* Commits a transaction, and records that this process has changed the project. */
snw_status snw_database_commit(snw_project *project, snw_error *error);

/* For errors of a change: "; nothing in the project was changed", or "" if this process has changed it before. */
const char *snw_database_unchanged_text(void);

/* One or more statements without parameters. */
snw_status snw_database_execute(snw_project *project, const char *sql, snw_error *error);

/* ---- statements with parameters ------------------------------------------------------------------------------------------ */

typedef enum snw_cell_kind { SNW_CELL_NULL, SNW_CELL_INTEGER, SNW_CELL_REAL, SNW_CELL_TEXT, SNW_CELL_BLOB } snw_cell_kind;

typedef struct snw_cell {
	snw_cell_kind kind;
	int64_t integer;
	double real;
	const void *bytes;
	size_t byte_count;
} snw_cell;

static inline snw_cell snw_integer(int64_t value) {
	return (snw_cell){.kind = SNW_CELL_INTEGER, .integer = value};
}

/* A reference to a row; 0 becomes NULL. */
static inline snw_cell snw_reference(int64_t id) {
	return (snw_cell){.kind = id ? SNW_CELL_INTEGER : SNW_CELL_NULL, .integer = id};
}

static inline snw_cell snw_text(const char *text) {
	return (snw_cell){.kind = text ? SNW_CELL_TEXT : SNW_CELL_NULL, .bytes = text};
}

/* An array of `count` elements; it must outlive the statement. */
static inline snw_cell snw_blob(const void *elements, size_t count, size_t element_bytes) {
	return (snw_cell){.kind = SNW_CELL_BLOB, .bytes = elements, .byte_count = count * element_bytes};
}

/* The same; NULL without an array. */
static inline snw_cell snw_optional_blob(const void *elements, size_t count, size_t element_bytes) {
	return elements ? snw_blob(elements, count, element_bytes) : (snw_cell){.kind = SNW_CELL_NULL};
}

/* A statement with ?1, ?2, … bound to the cells. The caller steps and finalizes it. */
snw_status snw_database_prepare(snw_project *project, const char *sql, const snw_cell *cells, size_t cell_count,
								sqlite3_stmt **statement, snw_error *error);
/* Binds one parameter, from 1 on; SQLite's result. */
int snw_database_bind(sqlite3_stmt *statement, int index, const snw_cell *cell);
/* Runs a statement without results. */
snw_status snw_database_run(snw_project *project, const char *sql, const snw_cell *cells, size_t cell_count, snw_error *error);
/* The first column of the first row as an integer; `fallback` if there is no row, or it is NULL. */
snw_status snw_database_integer(snw_project *project, const char *sql, const snw_cell *cells, size_t cell_count,
								int64_t fallback, int64_t *value, snw_error *error);

#define SNW_CELLS(...) (const snw_cell[]){__VA_ARGS__}, sizeof((const snw_cell[]){__VA_ARGS__}) / sizeof(snw_cell)

/* ---- schema -------------------------------------------------------------------------------------------------------------- */

/* The tables as a whole (docs/project-file.md). Opening a project checks that a file has them. */

/* Creates the tables in an empty file. */
snw_status snw_schema_create(snw_project *project, snw_error *error);

/* Converts a file of the schema version `from` to this version, in one transaction. `tables`: snw_tables, or, in tests, the
 * same with others that are new. A project that is open for reading is migrated as a copy in memory, and its file stays as it
 * is. Earlier changes can still be undone where columns are new at the end of a table, with defaults. */
snw_status snw_migrate(snw_project *project, const snw_table *tables, int64_t from, snw_error *error);

/* ---- companions ---------------------------------------------------------------------------------------------------------- */

/* The files of SQLite beside a project: P-journal, P-wal and P-shm. Like the project, they are not trusted.
 *
 * SQLite rolls back any journal beside a file. A journal can refer to a second file, the "super-journal" of a transaction
 * over several databases, which SQLite then deletes. Sinew's transactions use one database, so such a journal is not from
 * Sinew. */

/* Removes the files that exist. Links are removed, not their targets. */
snw_status snw_companions_remove(const char *path, snw_error *error);

#endif
