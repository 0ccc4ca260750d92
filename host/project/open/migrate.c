/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "project/open/migrate.h"

#include "project/database/rows.h"
#include "project/database/schema.h"

static snw_status add_table(snw_project *project, snw_table_id table, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_status status = snw_database_execute(project, snw_table_sql(&snw_tables[table], arena), error);
	snw_arena_destroy(arena);
	return status;
}

/* From 14 to 15: levels of detail. */
static snw_status add_levels(snw_project *project, snw_error *error) {
	return add_table(project, SNW_TABLE_LEVEL, error);
}

/* From 15 to 16: further UV sets and attributes; in-betweens. */
static snw_status add_attributes(snw_project *project, snw_error *error) {
	const snw_status status = add_table(project, SNW_TABLE_ATTRIBUTE, error);
	return snw_failed(status) ? status : snw_migrate_table(project, SNW_TABLE_CHANNEL, error);
}

/* From 16 to 17: tangents of levels. */
static snw_status add_level_tangents(snw_project *project, snw_error *error) {
	return snw_migrate_table(project, SNW_TABLE_LEVEL, error);
}

/* From 17 to 18: what glTF alone says of materials; cameras and lights. */
static snw_status add_kept(snw_project *project, snw_error *error) {
	const snw_status status = add_table(project, SNW_TABLE_KEPT_NODE, error);
	return snw_failed(status) ? status : snw_migrate_table(project, SNW_TABLE_MATERIAL, error);
}

/* What a column is in the new table: an array becomes a row of its own, whose id is that of its row behind `base`. */
static const char *moved_column(const snw_column *column, int64_t base, snw_arena *arena) {
	return column->is_apart ? snw_arena_format(arena, "CASE WHEN %s NOT NULL THEN %lld + id END", column->name, (long long)base)
							: column->name;
}

/* The arrays of a column become rows of the table 'array'. */
static snw_status move_column(snw_project *project, const snw_table *table, const snw_column *column, int64_t *base,
							  snw_arena *arena, snw_error *error) {
	const char *sql =
		snw_arena_format(arena, "INSERT INTO array (id, bytes) SELECT ?1 + id, %s FROM migrated_%s WHERE %s NOT NULL",
						 column->name, table->name, column->name);
	const snw_status status = snw_database_integer(project, "SELECT max(id) FROM array", NULL, 0, 0, base, error);
	return snw_failed(status) ? status : snw_database_run(project, sql, SNW_CELLS(snw_integer(*base)), error);
}

static snw_status move_arrays_of(snw_project *project, const snw_table *table, snw_arena *arena, snw_error *error) {
	const char *names = NULL, *values = NULL;
	snw_status status = snw_database_execute(project,
											 snw_arena_format(arena, "ALTER TABLE %s RENAME TO migrated_%s; %s", table->name,
															  table->name, snw_table_sql(table, arena)),
											 error);
	for (uint32_t c = 0; !snw_failed(status) && c < table->column_count; c++) {
		const snw_column *column = &table->columns[c];
		int64_t base = 0;
		status = column->is_apart ? move_column(project, table, column, &base, arena, error) : status;
		const char *comma = c > 0 ? ", " : "";
		names = snw_arena_format(arena, "%s%s%s", c > 0 ? names : "", comma, column->name);
		values = snw_arena_format(arena, "%s%s%s", c > 0 ? values : "", comma, moved_column(column, base, arena));
	}
	return snw_failed(status)
			   ? status
			   : snw_database_execute(project,
									  snw_arena_format(arena,
													   "INSERT INTO %s (%s) SELECT %s FROM migrated_%s; DROP TABLE migrated_%s",
													   table->name, names, values, table->name, table->name),
									  error);
}

/* From 18 to 19: large arrays are stored once, apart from their rows. Older changes hold them in the rows, so they cannot be
 * undone: the history begins anew. */
static snw_status move_arrays(snw_project *project, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	snw_status status = add_table(project, SNW_TABLE_ARRAY, error);
	status = snw_failed(status) ? status : add_table(project, SNW_TABLE_JOURNAL_ARRAY, error);
	for (size_t t = 0; !snw_failed(status) && t < SNW_TABLE_COUNT; t++) {
		bool has_arrays = false;
		for (uint32_t c = 0; c < snw_tables[t].column_count; c++) {
			has_arrays = has_arrays || snw_tables[t].columns[c].is_apart;
		}
		status = has_arrays ? move_arrays_of(project, &snw_tables[t], arena, error) : status;
	}
	snw_arena_destroy(arena);
	return snw_failed(status) ? status
							  : snw_database_execute(project,
													 "DELETE FROM journal_change; DELETE FROM journal WHERE undone OR id < "
													 "(SELECT max(id) FROM journal WHERE NOT undone)",
													 error);
}

snw_migration_step *const snw_migration_steps[] = {add_levels, add_attributes, add_level_tangents, add_kept, move_arrays, NULL};
_Static_assert(sizeof snw_migration_steps / sizeof *snw_migration_steps == SNW_SCHEMA_VERSION - SNW_OLDEST_SCHEMA + 1,
			   "a step for each version after the oldest");

/* The columns that a table and its older form have, as a list for SQL; in `arena`. */
static snw_status read_common_columns(snw_project *project, const char *table, snw_arena *arena, const char **columns,
									  snw_error *error) {
	const char *older = snw_arena_format(arena, "migrated_%s", table);
	snw_rows rows = snw_rows_begin(project, arena, table,
								   "SELECT group_concat(name, ', ') FROM pragma_table_info(?1) WHERE name IN "
								   "(SELECT name FROM pragma_table_info(?2))",
								   SNW_CELLS(snw_text(table), snw_text(older)), error);
	*columns = snw_rows_next(&rows) ? snw_rows_text(&rows, 0) : NULL;
	return snw_rows_end(&rows);
}

static snw_status copy_table(snw_project *project, snw_table_id id, snw_arena *arena, snw_error *error) {
	const char *table = snw_tables[id].name, *sql = snw_table_sql(&snw_tables[id], arena);
	const char *columns = NULL;
	snw_status status = snw_database_execute(
		project, snw_arena_format(arena, "ALTER TABLE %s RENAME TO migrated_%s; %s", table, table, sql), error);
	status = snw_failed(status) ? status : read_common_columns(project, table, arena, &columns, error);
	return snw_failed(status)
			   ? status
			   : snw_database_execute(project,
									  snw_arena_format(arena,
													   "INSERT INTO %s (%s) SELECT %s FROM migrated_%s; DROP TABLE migrated_%s",
													   table, columns, columns, table, table),
									  error);
}

snw_status snw_migrate_table(snw_project *project, snw_table_id table, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_status status = copy_table(project, table, arena, error);
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

snw_status snw_migrate(snw_project *project, snw_migration_step *const *steps, snw_error *error) {
	snw_status status = project->read_only ? copy_to_memory(project, error) : SNW_OK;
	/* With these settings, references to a rebuilt table keep its name. They work only outside a transaction. */
	status = snw_failed(status)
				 ? status
				 : snw_database_execute(project, "PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON; BEGIN IMMEDIATE",
										error);
	for (; !snw_failed(status) && *steps; steps++) {
		status = (*steps)(project, error);
	}
	status = snw_failed(status) ? status
								: snw_database_run(project, "UPDATE project SET schema_version = ?1",
												   SNW_CELLS(snw_integer(SNW_SCHEMA_VERSION)), error);
	status = snw_failed(status) ? status : snw_schema_verify(project, error);
	status = snw_failed(status) ? status : snw_database_execute(project, "COMMIT", error);
	if (!sqlite3_get_autocommit(project->database)) {
		sqlite3_exec(project->database, "ROLLBACK", NULL, NULL, NULL);
	}
	sqlite3_exec(project->database, "PRAGMA legacy_alter_table = OFF; PRAGMA foreign_keys = ON", NULL, NULL, NULL);
	return status;
}
