/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How history is kept within bounds. Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_DATABASE_HISTORY_LIMIT_H
#define SINEW_HOST_PROJECT_DATABASE_HISTORY_LIMIT_H

#include "project/database/database.h"

/* Inside a transaction, with nothing undone: forgets the oldest changes until the rest takes at most project->history_bytes. Where
 * that is 0, as much as sixteen times the scene, but at least 16 MiB and at most 1 GiB: some thousand strokes over a large mesh. */
snw_status snw_history_trim(snw_project *project, snw_error *error);

#endif
