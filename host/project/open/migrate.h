/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Migrates a project from an older schema. Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_OPEN_MIGRATE_H
#define SINEW_HOST_PROJECT_OPEN_MIGRATE_H

#include "project/database/database.h"

/* Migrates from `version` to SNW_SCHEMA_VERSION in one transaction. Earlier changes can still be undone, because columns are
 * only renamed, or added at the end of a table with defaults. */
snw_status snw_migrate(snw_project *project, int64_t version, snw_error *error);

#endif
