/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The limit of the history. Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_DATABASE_HISTORY_LIMIT_H
#define SINEW_HOST_PROJECT_DATABASE_HISTORY_LIMIT_H

#include "project/database/database.h"

/* The default limit of a project's changes in its file: some thousand strokes on a large mesh. */
#define SNW_HISTORY_BYTES (UINT64_C(1) << 30)

/* Inside a transaction without undone entries: removes the oldest changes until the rest needs at most
 * project->history_bytes. */
snw_status snw_history_trim(snw_project *project, snw_error *error);

#endif
