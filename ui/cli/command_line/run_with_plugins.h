/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs a verb with plug-ins that may end in the middle of it.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_RUN_WITH_PLUGINS_H
#define SINEW_UI_CLI_COMMAND_LINE_RUN_WITH_PLUGINS_H

#include "cli/command_line/verb.h"

/* Plug-ins that do not ship with Sinew get processes of their own. If that of a layer ends, one line says so, and the verb
 * starts again without the layer, unless it has changed a file or is one that runs once. */
snw_status snw_run_with_plugins(snw_call *call, snw_error *error);

#endif
