/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew example split and merge.
 */
#ifndef SINEW_UI_CLI_CHARACTER_EXAMPLES_EXAMPLE_PARTS_H
#define SINEW_UI_CLI_CHARACTER_EXAMPLES_EXAMPLE_PARTS_H

#include "cli/command_line/open_project.h"
#include "cli/command_line/verb.h"

/* Actions (actions.h). The project is open for writing, with plug-ins. */
snw_status snw_example_split(const snw_call *call, const snw_opened *opened, uint32_t example, snw_error *error);
snw_status snw_example_merge(const snw_call *call, const snw_opened *opened, uint32_t example, snw_error *error);

#endif
