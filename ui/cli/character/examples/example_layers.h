/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew example layers: the sculpt layers of an example.
 */
#ifndef SINEW_UI_CLI_CHARACTER_EXAMPLES_EXAMPLE_LAYERS_H
#define SINEW_UI_CLI_CHARACTER_EXAMPLES_EXAMPLE_LAYERS_H

#include "cli/command_line/open_project.h"
#include "cli/command_line/verb.h"

/* An action (actions.h). */
snw_status snw_example_layers(const snw_call *call, const snw_opened *opened, uint32_t example, snw_error *error);

#endif
