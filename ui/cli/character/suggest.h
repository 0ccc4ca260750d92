/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew pose suggest.
 */
#ifndef SINEW_UI_CLI_CHARACTER_SUGGEST_H
#define SINEW_UI_CLI_CHARACTER_SUGGEST_H

#include "cli/command_line/open_project.h"
#include "cli/command_line/verb.h"

/* An action (actions.h). The project is open for writing, with plug-ins. */
snw_status snw_suggest_poses(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error);

#endif
