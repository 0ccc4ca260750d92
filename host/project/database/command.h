/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the parts of a command share. Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_DATABASE_COMMAND_H
#define SINEW_HOST_PROJECT_DATABASE_COMMAND_H

#include "project/database/database.h"

/* SNW_OK where a command is open and nothing in it has failed. */
snw_status snw_command_expect(snw_project *project, snw_error *error);
/* SNW_OK where none is open and the project may be changed. */
snw_status snw_command_expect_none(snw_project *project, snw_error *error);

/* Inside a transaction: drops the entries that were undone, so that nothing is left to redo. */
snw_status snw_command_forget_undone(snw_project *project, snw_error *error);

/* Passes a status on; a failure leaves the open command fit for nothing but a rollback. */
snw_status snw_command_result(snw_project *project, snw_status status);

/* The row that a put replaces: `*id` where it is not 0, else the one of that name, else 0 for a new one. SNW_ERROR_MISSING
 * where no row has that id; SNW_ERROR_CONFLICT where another row has that name. */
snw_status snw_command_resolve(snw_project *project, const char *table, const char *name, int64_t *id, snw_error *error);

#endif
