/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew pose suggest --add: the suggested moments as poses, and with --from-target as examples with the target's points.
 */
#ifndef SINEW_UI_CLI_CHARACTER_ADD_SUGGESTED_H
#define SINEW_UI_CLI_CHARACTER_ADD_SUGGESTED_H

#include "cli/command_line/open_project.h"
#include "measure/suggest_pose.h"

/* One command. `target` is the one that suggested them. */
snw_status snw_add_suggested(const snw_call *call, const snw_opened *opened, uint32_t target, const snw_suggestions *found,
							 snw_error *error);

#endif
