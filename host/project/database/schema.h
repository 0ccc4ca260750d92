/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables as a whole: their version, and the check that a file has them (docs/project-file.md). Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_DATABASE_SCHEMA_H
#define SINEW_HOST_PROJECT_DATABASE_SCHEMA_H

#include "project/database/database.h"

/* "Snew", the application id that `file` and SQLite's tools show. */
#define SNW_APPLICATION_ID 0x536e6577
#define SNW_SCHEMA_VERSION 19
/* The oldest version that is migrated. Versions 0 to 13 were those of builds before the first release. */
#define SNW_OLDEST_SCHEMA 14

/* Creates the tables in an empty file. */
snw_status snw_schema_create(snw_project *project, snw_error *error);

/* Writes the application id, which is a write without a change of the project. */
snw_status snw_schema_mark(snw_project *project, snw_error *error);

/* The version of the file; SNW_ERROR_DATA if it is not a project. */
snw_status snw_schema_version(snw_project *project, int64_t *version, snw_error *error);

/* Checks that every table equals this version's, without additional indices or triggers, which could run SQL from the file. */
snw_status snw_schema_verify(snw_project *project, snw_error *error);

#endif
