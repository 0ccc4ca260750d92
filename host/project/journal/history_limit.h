/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The limit of the history. Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_JOURNAL_HISTORY_LIMIT_H
#define SINEW_HOST_PROJECT_JOURNAL_HISTORY_LIMIT_H

#include "project/database/database.h"

/* Inside a transaction: removes the oldest changes until those that are done need at most project->history_bytes. If that is 0:
 * sixteen times the scene, from 16 MiB to 1 GiB, which is some thousand strokes on a large mesh. */
snw_status snw_history_trim(snw_project *project, snw_error *error);

#endif
