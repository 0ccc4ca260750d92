/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables as a whole: their version, and the check that a file has them (docs/project-file.md). Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_DATABASE_SCHEMA_H
#define SINEW_HOST_PROJECT_DATABASE_SCHEMA_H

#include "project/database/database.h"
#include "project/database/tables.h"

#define SNW_SCHEMA_VERSION 19

/* Creates the tables in an empty file. */
snw_status snw_schema_create(snw_project *project, snw_error *error);

/* ---- migrate ------------------------------------------------------------------------------------------------------------- */

/* Migrates a project from an older schema. */

/* Converts a file of one version to the next, in a transaction. */
typedef snw_status snw_migration_step(snw_project *project, snw_error *error);

/* Runs steps up to NULL, in one transaction, and sets the schema version to SNW_SCHEMA_VERSION. A project that is open for
 * reading is migrated as a copy in memory, and its file stays as it is. Earlier changes can still be undone after a step that
 * adds columns at the end of a table, with defaults. */
snw_status snw_migrate(snw_project *project, snw_migration_step *const *steps, snw_error *error);

/* For steps: creates a table again with the current SQL, so that a migrated file equals one created with this version. Columns
 * that both have are copied, new ones get their defaults. */
snw_status snw_migrate_table(snw_project *project, snw_table_id table, snw_error *error);

#endif
