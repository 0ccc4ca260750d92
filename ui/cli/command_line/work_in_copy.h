/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * -o OUT.sinew of verbs that change a project: the work is done in a copy, which gets its name when it is done.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_WORK_IN_COPY_H
#define SINEW_UI_CLI_COMMAND_LINE_WORK_IN_COPY_H

#include "cli/command_line/verb.h"

/* Changes the project at `path`. */
typedef snw_status snw_project_work(snw_call *call, const char *path, void *context, snw_error *error);

/* Copies the project at `path`, works in the copy, and renames it to `out`. After an error nothing has changed. */
snw_status snw_work_in_copy(snw_call *call, const char *path, const char *out, snw_project_work *work, void *context,
							snw_error *error);

#endif
