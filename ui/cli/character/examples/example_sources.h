/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew example folder: examples from a folder of sculpts.
 */
#ifndef SINEW_UI_CLI_CHARACTER_EXAMPLES_EXAMPLE_SOURCES_H
#define SINEW_UI_CLI_CHARACTER_EXAMPLES_EXAMPLE_SOURCES_H

#include "cli/command_line/open_project.h"
#include "cli/command_line/verb.h"

/* An action (actions.h). The project is open for writing, with plug-ins. */
snw_status snw_example_folder(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error);

#endif
