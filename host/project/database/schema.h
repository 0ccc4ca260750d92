/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of a project (docs/project-file.md). Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_DATABASE_SCHEMA_H
#define SINEW_HOST_PROJECT_DATABASE_SCHEMA_H

#include "project/database/database.h"

/* "Snew": what `file` and SQLite's tools show as the application id. */
#define SNW_APPLICATION_ID 0x536e6577
#define SNW_SCHEMA_VERSION 7

/* The SQL of each table, as it stands in the file. */
extern const struct snw_table {
	const char *name;
	const char *sql;
	bool journaled; /* part of the scene: a command may change it, undo brings it back */
} snw_tables[];
extern const size_t snw_table_count;

/* Makes the tables in an empty file. */
snw_status snw_schema_create(snw_project *project, snw_error *error);

/* Writes the application id: a write that changes nothing in a project, and yet is one. */
snw_status snw_schema_mark(snw_project *project, snw_error *error);

/* The version that the file says it has. SNW_ERROR_DATA where it is not a project. */
snw_status snw_schema_version(snw_project *project, int64_t *version, snw_error *error);

/* That every table is exactly as this version makes it, and that nothing of the file's own hangs on one: an index or a trigger
 * could run what somebody else wrote. */
snw_status snw_schema_verify(snw_project *project, snw_error *error);

#endif
