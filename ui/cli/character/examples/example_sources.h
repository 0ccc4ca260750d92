/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew example folder and between: examples from a folder of sculpts, and on the way to another example.
 */
#ifndef SINEW_UI_CLI_CHARACTER_EXAMPLES_EXAMPLE_SOURCES_H
#define SINEW_UI_CLI_CHARACTER_EXAMPLES_EXAMPLE_SOURCES_H

#include "cli/command_line/open_project.h"
#include "cli/command_line/verb.h"

/* Actions (actions.h). The project is open for writing, with plug-ins; for `between` within a command. */
snw_status snw_example_folder(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error);
snw_status snw_example_between(const snw_call *call, const snw_opened *opened, uint32_t example, snw_error *error);

#endif
