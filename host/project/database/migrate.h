/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bringing a project of an older schema forward. Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_DATABASE_MIGRATE_H
#define SINEW_HOST_PROJECT_DATABASE_MIGRATE_H

#include "project/database/database.h"

/* From `version` to SNW_SCHEMA_VERSION, step by step, in one transaction. Undo still reaches back before it: a column is only
 * ever added at a table's end, with a default. */
snw_status snw_migrate(snw_project *project, int64_t version, snw_error *error);

#endif
