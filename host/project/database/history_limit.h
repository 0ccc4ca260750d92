/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How history is kept within bounds. Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_DATABASE_HISTORY_LIMIT_H
#define SINEW_HOST_PROJECT_DATABASE_HISTORY_LIMIT_H

#include "project/database/database.h"

/* What a project's changes may take in its file before the oldest are forgotten: some thousand strokes over a large mesh. */
#define SNW_HISTORY_BYTES (UINT64_C(1) << 30)

/* Inside a transaction, with nothing undone: forgets the oldest changes until the rest takes at most project->history_bytes. */
snw_status snw_history_trim(snw_project *project, snw_error *error);

#endif
